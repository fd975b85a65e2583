import 'katex/dist/katex.min.css';
import { memo, useMemo } from 'react';
import { filledFormula, renderFormula } from './formula';
import { LiveValue, Problem, valueText } from './LiveValue';
import type { FilledPart } from './placeholders';
import type { LivePart } from '../../notebook/liveValues';

interface FormulaProps {
  /** TeX with placeholders. */
  readonly content: string;
  readonly parts: readonly LivePart[];
  readonly isDisplay: boolean;
}

/** A formula with its live values; the values that need a word have it beside it. */
export function Formula({ content, parts, isDisplay }: FormulaProps) {
  const { tex, filled } = filledFormula(content, parts);
  const isStale = filled.some((part) => part.kind === 'value' && part.isStale);
  const title = filled.flatMap((part) => (part.kind === 'value' ? [valueText(part)] : []));
  return (
    <span
      className={isDisplay ? 'formula-display' : 'formula-inline'}
      data-stale={isStale}
      title={title.length > 0 ? title.join('\n') : undefined}
    >
      <Tex tex={tex} isDisplay={isDisplay} />
      {isStale && <span className="visually-hidden"> (stale)</span>}
      <Problems filled={filled} />
    </span>
  );
}

function Problems({ filled }: { readonly filled: readonly FilledPart[] }) {
  // The same braces twice in one formula have the same problem: it is said once.
  const problems = new Map(
    filled.filter(({ kind }) => kind === 'problem').map((part) => [part.source, part]),
  );
  return [...problems].map(([source, part]) => <LiveValue key={source} part={part} />);
}

/** Typeset once as long as its TeX stays the same: a text has many formulas and an edit changes one. */
const Tex = memo(function Tex({
  tex,
  isDisplay,
}: {
  readonly tex: string;
  readonly isDisplay: boolean;
}) {
  const rendered = useMemo(() => renderFormula(tex, isDisplay), [tex, isDisplay]);
  if (!rendered.ok) return <Problem source={shortened(tex)} message={rendered.message} />;
  // KaTeX wrote it from TeX; nothing of the author's passes through unescaped.
  return <span dangerouslySetInnerHTML={{ __html: rendered.html }} />;
});

function shortened(tex: string): string {
  return tex.length > 80 ? `${tex.slice(0, 80)}…` : tex;
}
