import { expect, test } from 'vitest';
import { metricCatalog } from './catalog';
import { healthyRanges, isInRange, type HealthyRange } from './healthyRanges';

/** What a catalog's words say, if they begin with a number that nothing is tied to: `below about 0.05`, `above 0; …`, `0`. */
function rangeInWords(words: string): HealthyRange | undefined {
  const [, side, limit] = /^(below|above) (?:about )?(\d+(?:\.\d+)?)(?=$|[;,])/.exec(words) ?? [];
  if (side === 'below' || side === 'above') return { kind: side, limit: Number(limit) };
  return /^\d+$/.test(words) ? { kind: 'equal', value: Number(words) } : undefined;
}

test.each(Object.entries(metricCatalog))('the range of %s is what its words say', (key, entry) => {
  const ranges: Readonly<Record<string, HealthyRange>> = healthyRanges;
  expect(ranges[key]).toEqual(rangeInWords(entry.healthy));
});

test.each([
  ['below', 0.05, 0.0499, true],
  ['below', 0.05, 0.05, false],
  // 0.04999 is printed as 0.0500: the mark agrees with what is read.
  ['below', 0.05, 0.04999, false],
  ['above', 0, 1e-9, true],
  ['above', 0, 0, false],
  ['below', 3, NaN, false],
  ['above', 0, Infinity, true],
] as const)('%s %d: %d lies inside: %s', (kind, limit, value, isInside) => {
  expect(isInRange(value, { kind, limit })).toBe(isInside);
});

test('a value equal to three digits is equal', () => {
  expect(isInRange(0.99999, { kind: 'equal', value: 1 })).toBe(true);
  expect(isInRange(0.99, { kind: 'equal', value: 1 })).toBe(false);
});
