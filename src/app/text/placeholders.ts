import type { LivePart } from '../../notebook/liveValues';

/**
 * Live values on their way through Markdown. Each becomes a number between two marks, which Markdown takes for a word: it cannot end a
 * table cell, close an emphasis or begin a list, whatever the value or the problem says. After parsing, the words are values again.
 */

/** A private code point of Unicode: it has no meaning, no shape and no place in a text. */
export const placeholderMark = '\uE000';

const placeholder = new RegExp(`${placeholderMark}(\\d+)${placeholderMark}`);

/** The Markdown source of `parts`. Marks of the author's own are replaced by the sign for what cannot be shown. */
export function withPlaceholders(parts: readonly LivePart[]): string {
  return parts
    .map((part, index) =>
      part.kind === 'literal'
        ? part.source.replaceAll(placeholderMark, '\uFFFD')
        : `${placeholderMark}${index}${placeholderMark}`,
    )
    .join('');
}

/** A value or a problem: what stands in place of a pair of braces. */
export type FilledPart = Exclude<LivePart, { kind: 'literal' }>;

/** `text` cut into plain pieces and the parts that stand between them. */
export function piecesOf(
  text: string,
  parts: readonly LivePart[],
): readonly (string | FilledPart)[] {
  // Split by a pattern with a group: text, number, text, number, …, text.
  const pieces: (string | FilledPart)[] = [];
  for (const [position, piece] of text.split(placeholder).entries()) {
    const part = position % 2 === 0 ? undefined : parts[Number(piece)];
    if (position % 2 === 0 && piece !== '') pieces.push(piece);
    // A mark that an entity smuggled in may lead nowhere.
    if (part !== undefined && part.kind !== 'literal') pieces.push(part);
  }
  return pieces;
}

/** `text` with its braces as written: for code, where nothing is filled in. */
export function asTyped(text: string, parts: readonly LivePart[]): string {
  return piecesOf(text, parts)
    .map((piece) => (typeof piece === 'string' ? piece : piece.source))
    .join('');
}
