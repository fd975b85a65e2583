import katex from 'katex';
import type { LivePart } from '../../notebook/liveValues';
import { piecesOf, type FilledPart } from './placeholders';

/** TeX longer than this is no formula that anybody reads. Unit: UTF-16 code units. */
const maxFormulaLength = 5000;

/**
 * Commands that define others. A definition would hold for its own formula only, where it can do little but make 5,000 characters
 * a million: expansions are counted, but not how long each is.
 */
const definition = /\\(?:[egx]?def|(?:new|renew|provide)command|let|futurelet)(?![A-Za-z])/;

export type RenderedFormula =
  /** What KaTeX wrote: every character of the source is escaped in it, and `trust: false` lets no command write attributes. */
  { readonly ok: true; readonly html: string } | { readonly ok: false; readonly message: string };

/** TeX to HTML and MathML. Never throws: what cannot be read comes back as a message. */
export function renderFormula(tex: string, isDisplay: boolean): RenderedFormula {
  if (tex.length > maxFormulaLength)
    return {
      ok: false,
      message: `The formula has ${tex.length} characters, at most ${maxFormulaLength} are read: split it.`,
    };
  const defining = definition.exec(tex)?.[0];
  if (defining !== undefined)
    return { ok: false, message: `${defining} defines a command: write out what it stands for.` };
  try {
    const html = katex.renderToString(tex, {
      displayMode: isDisplay,
      trust: false,
      strict: 'ignore',
      // How often commands expand, how far boxes grow. Units: expansions; em.
      maxExpand: 300,
      maxSize: 20,
      errorColor: 'var(--danger)',
    });
    return { ok: true, html };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  // Braces nested by the thousand exhaust the stack of a parser that calls itself.
  if (error instanceof RangeError) return 'The formula nests too deeply.';
  return error instanceof Error ? error.message.replace(/^KaTeX parse error: /, '') : String(error);
}

/** A formula with its live values put in as TeX, and those of its parts that readers are to be told about beside it. */
export interface FilledFormula {
  readonly tex: string;
  readonly filled: readonly FilledPart[];
}

export function filledFormula(content: string, parts: readonly LivePart[]): FilledFormula {
  const pieces = piecesOf(content, parts);
  return {
    tex: pieces.map((piece) => (typeof piece === 'string' ? piece : texOf(piece))).join(''),
    filled: pieces.filter((piece) => typeof piece !== 'string'),
  };
}

/** In braces, so that a number is one thing below and above a line. What a problem says stands beside the formula, never in it. */
function texOf(part: FilledPart): string {
  return part.kind === 'problem' ? '{\\text{?}}' : `{${numberToTex(part.text)}}`;
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A number as metrics/format prints it: `−1.23×10⁻⁵`, `12,345`, `4.56M`, `NaN`, `∞`, `–`. */
export function numberToTex(text: string): string {
  return text
    .replace('−', '-')
    .replace('∞', '\\infty ')
    .replace('–', '\\text{–}')
    .replaceAll(',', '{,}')
    .replace(/×10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/, (_, sign: string, digits: string) => {
      const plain = Array.from(digits, (digit) => raised.indexOf(digit)).join('');
      return `\\times 10^{${sign === '' ? '' : '-'}${plain}}`;
    })
    .replace(/NaN|[kMG]$/, (letters) => `\\mathrm{${letters}}`);
}
