import { parseReference, type LiveReference } from './liveReference';

/** A piece of a text cell. The `source` of all pieces, joined, is the whole text again. */
export type TextPart =
  /** Markdown as written, code and escaped braces included. */
  | { readonly kind: 'literal'; readonly source: string }
  | { readonly kind: 'reference'; readonly source: string; readonly reference: LiveReference }
  /** Braces that ask for a value in a way nobody can answer. */
  | { readonly kind: 'malformed'; readonly source: string; readonly message: string };

/** What may stand between the braces: one line, no other brace. Longer than any reference, short enough to quote. */
const braces = /\{\{([^{}\n]{0,200})\}\}/;
/** Up to three blanks, then the fence; the opening line of a fence of backticks holds no other backtick. */
const openingFence = / {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/;

/**
 * The parts of a Markdown text, in order. Code stays literal: spans between equal runs of backticks inside one paragraph, and
 * fenced blocks. So does `\{{`, and `{{` that is not closed on its line. Blocks that are code by indentation alone are not
 * recognised: escape the braces there. In a formula, part two braces that mean TeX by a blank.
 */
export function parseText(source: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let literalFrom = 0;
  let position = 0;
  while (position < source.length) {
    const inside = contentAt(source, position);
    if (inside === null) {
      position = afterLiteral(source, position);
      continue;
    }
    const end = position + inside.length + '{{}}'.length;
    if (literalFrom < position)
      parts.push({ kind: 'literal', source: source.slice(literalFrom, position) });
    parts.push(partOf(source.slice(position, end), inside));
    literalFrom = position = end;
  }
  if (literalFrom < source.length)
    parts.push({ kind: 'literal', source: source.slice(literalFrom) });
  return parts;
}

/** What stands between the braces that open exactly here; null where none do. */
function contentAt(source: string, position: number): string | null {
  if (!source.startsWith('{{', position)) return null;
  return matchAt(braces, source, position)?.[1] ?? null;
}

function partOf(source: string, inside: string): TextPart {
  const parsed = parseReference(inside);
  return parsed.ok
    ? { kind: 'reference', source, reference: parsed.reference }
    : { kind: 'malformed', source, message: parsed.message };
}

function matchAt(pattern: RegExp, source: string, position: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern.source, 'y');
  sticky.lastIndex = position;
  return sticky.exec(source);
}

/** The position after the literal piece that begins here: a character, an escaped one, a code span or a fenced block. */
function afterLiteral(source: string, position: number): number {
  if (position === 0 || source[position - 1] === '\n') {
    const fence = matchAt(openingFence, source, position)?.[1];
    if (fence !== undefined) return afterFencedBlock(source, position, fence);
  }
  if (source[position] === '\\') return position + 2;
  if (source[position] === '`') return afterBackticks(source, position);
  return position + 1;
}

/** A block without a closing fence runs to the end of the text. */
function afterFencedBlock(source: string, position: number, fence: string): number {
  const closing = new RegExp(`\\n {0,3}${fence[0]}{${fence.length},}[ \\t\\r]*(?=\\n|$)`, 'g');
  closing.lastIndex = position;
  return closing.exec(source) === null ? source.length : closing.lastIndex;
}

/** Behind the code span that begins here, or behind the run of backticks where nothing in its paragraph closes it. */
function afterBackticks(source: string, position: number): number {
  const run = matchAt(/`+/, source, position)?.[0] ?? '`';
  const start = position + run.length;
  // Whichever comes first: looking for the blank line alone would read to the end of the text at every span.
  const closing = new RegExp(`(?<!\`)${run}(?!\`)|\\n[ \\t\\r]*(?=\\n)`, 'g');
  closing.lastIndex = start;
  return closing.exec(source)?.[0] === run ? closing.lastIndex : start;
}

/** The experiment cells that a text cites, each once. */
export function citedExperiments(source: string): readonly string[] {
  const ids = parseText(source).flatMap((part) =>
    part.kind === 'reference' ? [part.reference.experiment] : [],
  );
  return [...new Set(ids)];
}
