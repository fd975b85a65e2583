import { referenceText } from '../../notebook/referenceText';
import type { LivePart } from '../../notebook/liveValues';
import { Icon } from '../icons';
import type { FilledPart } from './placeholders';

/** A number from the runs, or why there is none, in the middle of a sentence. */
export function LiveValue({ part }: { readonly part: FilledPart }) {
  return part.kind === 'problem' ? <Problem {...part} /> : <Value part={part} />;
}

/** What a pair of braces asks for and cannot have: the braces as written, and the reason. */
export function Problem({
  source,
  message,
}: {
  readonly source: string;
  readonly message: string;
}) {
  return (
    <span className="live-problem" title={message}>
      <Icon name="warning" />
      <code>{source}</code> <span className="live-problem-message">{message}</span>
    </span>
  );
}

type ValuePart = Extract<LivePart, { kind: 'value' }>;

function Value({ part }: { readonly part: ValuePart }) {
  const { text, unit, isStale } = part;
  return (
    <span className="live-value" data-stale={isStale} title={valueText(part)}>
      {text}
      {unit !== '' && ` ${unit}`}
      {part.value === null && <span className="visually-hidden"> (not logged yet)</span>}
      {isStale && <span className="visually-hidden"> (stale)</span>}
    </span>
  );
}

/** What the number is, and what to know of it. */
export function valueText({ reference, value, isStale }: ValuePart): string {
  const notes = [
    value === null && 'Nothing was logged yet.',
    isStale && 'Stale: the run was made with other settings than the experiment now has.',
  ].filter((note) => note !== false);
  const words = referenceText(reference);
  return [`${words.charAt(0).toUpperCase()}${words.slice(1)}.`, ...notes].join(' ');
}
