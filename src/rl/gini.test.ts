import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gini } from './gini';

/** The definition: all pairs. */
function byPairs(amounts: readonly number[]): number {
  const n = amounts.length;
  const mean = amounts.reduce((sum, x) => sum + x, 0) / n;
  const differences = amounts.flatMap((x) => amounts.map((y) => Math.abs(x - y)));
  return differences.reduce((sum, x) => sum + x, 0) / (2 * n * n * mean);
}

test.each([
  // Equal amounts differ by nothing.
  [[3, 3, 3], 0],
  // One has all: 2(n − 1)x / (2n²·x/n) = (n − 1)/n.
  [[0, 0, 0, 8], 3 / 4],
  // Differences of 1, 2, 3, 4: 3·1 + 2·2 + 1·3 = 10, twice; mean 2.5: 20/(2·16·2.5) = 1/4.
  [[4, 1, 3, 2], 1 / 4],
  // 1 and 3: 2·2/(2·4·2) = 1/4.
  [[1, 3], 1 / 4],
  [[5], 0],
])('of %j it is %d', (amounts, expected) => {
  expect(gini(Float64Array.from(amounts))).toBeCloseTo(expected, 14);
});

const positive = fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), {
  minLength: 1,
  maxLength: 40,
});

test('is half the mean absolute difference over the mean, between 0 and (n − 1)/n', () => {
  fc.assert(
    fc.property(positive, (amounts) => {
      const value = gini(Float64Array.from(amounts));
      expect(Math.abs(value - byPairs(amounts))).toBeLessThan(1e-9);
      expect(value).toBeGreaterThan(-1e-12);
      expect(value).toBeLessThan(1 - 1 / amounts.length + 1e-12);
    }),
  );
});

test('neither order nor scale nor a second copy of everything changes it', () => {
  fc.assert(
    fc.property(positive, (amounts) => {
      const value = gini(Float64Array.from(amounts));
      for (const other of [
        amounts.toReversed(),
        amounts.map((amount) => 8 * amount),
        [...amounts, ...amounts],
      ])
        expect(Math.abs(gini(Float64Array.from(other)) - value)).toBeLessThan(1e-9);
    }),
  );
});

test('is no number where there is nothing to share, or something is not finite', () => {
  for (const amounts of [[], [0, 0], [1, NaN], [1, Infinity]])
    expect(gini(Float64Array.from(amounts))).toBeNaN();
});

test('a negative amount is an error that says where', () => {
  expect(() => gini(Float64Array.of(1, -2))).toThrow('amounts[1] is -2');
});
