/** Longest range that is written out; a longer one is refused as a whole. */
const maxRange = 1000;

/** Seeds as a list that people type: `0, 1, 7` and ranges `0-4`, separated by commas or blanks. What is no number becomes NaN. */
export function parseSeeds(text: string): readonly number[] {
  return text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .flatMap(parsePart);
}

/** The way back: `0, 1, 7`. NaN is left out, it has no text to go back to. */
export function seedsText(seeds: readonly number[]): string {
  return seeds.filter((seed) => !Number.isNaN(seed)).join(', ');
}

function parsePart(part: string): readonly number[] {
  const [, first, last] = /^(\d+)[-–](\d+)$/.exec(part) ?? [];
  if (first === undefined || last === undefined) return [Number(part)];
  const length = Number(last) - Number(first) + 1;
  if (length < 1 || length > maxRange) return [NaN];
  return Array.from({ length }, (_, index) => Number(first) + index);
}
