import { shown } from '../config/issueMessages';
import { metricCatalog } from '../metrics/catalog';
import { formatCount, formatNumber } from '../metrics/format';
import { agentOf, type LiveReference } from './liveReference';
import { parseText } from './liveText';
import { nearestName } from './nearestName';
import type { Notebook } from './notebook';
import { brokenNameOf, type BrokenName } from './references';
import { isCount } from './statistics';

/** What a reference leads to. */
export type LookedUp =
  /** May be NaN or ±Infinity: it is printed as such. */
  | { readonly kind: 'value'; readonly value: number }
  /** All names are known, and nothing was logged (yet). */
  | { readonly kind: 'noValue' }
  | ({ readonly kind: 'unknown' } & BrokenName)
  | { readonly kind: 'deleted'; readonly title: string };

/** A piece of a text cell as it is read. The `source` of all pieces, joined, is the whole text again. */
export type LivePart =
  /** Markdown as written. */
  | { readonly kind: 'literal'; readonly source: string }
  | {
      readonly kind: 'value';
      readonly source: string;
      readonly reference: LiveReference;
      /** Null where nothing was logged (yet). May be NaN or ±Infinity. */
      readonly value: number | null;
      /** The number as the page prints it; a dash while there is none. */
      readonly text: string;
      /** Of the number; empty for pure numbers and counts. */
      readonly unit: string;
      /** The runs behind it were made with other settings than the notebook now has. */
      readonly isStale: boolean;
    }
  /** To be shown in place of the value: what came, what was expected. */
  | { readonly kind: 'problem'; readonly source: string; readonly message: string };

/** Where live values come from. */
export interface LiveSource {
  /** Throws nothing: what it cannot find is one of its answers. */
  readonly lookup: (reference: LiveReference) => LookedUp;
  /** Ids of the experiments whose runs are stale. */
  readonly staleExperiments: { readonly has: (experiment: string) => boolean };
}

/** The parts of a text with its live values filled in, in order. Never throws on any text. */
export function liveParts(text: string, source: LiveSource): readonly LivePart[] {
  return parseText(text).map((part): LivePart => {
    if (part.kind === 'literal') return part;
    if (part.kind === 'malformed')
      return { kind: 'problem', source: part.source, message: `${part.message}.` };
    return filled(part, source);
  });
}

function filled(
  part: { readonly source: string; readonly reference: LiveReference },
  { lookup, staleExperiments }: LiveSource,
): LivePart {
  const { source, reference } = part;
  const found = lookup(reference);
  if (found.kind === 'unknown' || found.kind === 'deleted')
    return { kind: 'problem', source, message: problemText(reference, found) };
  const value = found.kind === 'value' ? found.value : null;
  return {
    kind: 'value',
    source,
    reference,
    value,
    text: value === null ? '–' : valueText(reference, value),
    unit: unitOf(reference),
    isStale: staleExperiments.has(reference.experiment),
  };
}

/** What is wrong with a name in a reference, and the nearest that would do. */
export function problemText(
  { experiment }: LiveReference,
  found: Extract<LookedUp, { kind: 'unknown' | 'deleted' }>,
): string {
  if (found.kind === 'deleted')
    return `The experiment ${experiment} (${shown(found.title)}) was deleted: cite another one, or undo.`;
  const nearest = nearestName(found.name, found.known);
  const advice =
    nearest === undefined ? `the notebook has no ${found.place}` : `the nearest is ${nearest}`;
  return `${shown(found.name)} is no ${found.place} here; ${advice}.`;
}

function valueText({ statistic }: LiveReference, value: number): string {
  return isCount(statistic) ? formatCount(value) : formatNumber(value);
}

function unitOf(reference: LiveReference): string {
  return reference.kind === 'arm' || isCount(reference.statistic)
    ? ''
    : metricCatalog[reference.metric].unit;
}

/**
 * What the notebook alone can say about a reference: null where experiment, arm and agent exist, so that only their runs can
 * answer. For a `lookup` to ask first.
 */
export function unresolved(notebook: Notebook, reference: LiveReference): LookedUp | null {
  const { experiment, arm } = reference;
  const deleted = notebook.deletedExperiments.find(({ id }) => id === experiment);
  if (deleted !== undefined) return { kind: 'deleted', title: deleted.title };
  const agent = agentOf(reference);
  const agents = agent === null ? [] : [agent];
  const broken = brokenNameOf(notebook, { experiment, arms: [arm], agents, seeds: [] });
  return broken === null ? null : { kind: 'unknown', ...broken };
}
