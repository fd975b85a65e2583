import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spreadLabels } from './endLabels';

test('labels with room stay where their lines end', () => {
  expect(spreadLabels([80, 20, 50], 13, [0, 100])).toEqual([80, 20, 50]);
});

test('two labels at one height move apart around it', () => {
  expect(spreadLabels([50, 50], 12, [0, 100])).toEqual([44, 56]);
});

test('a crowd at the edge is pushed inside', () => {
  expect(spreadLabels([0, 1, 2], 10, [0, 100])).toEqual([0, 10, 20]);
  expect(spreadLabels([100, 99], 10, [0, 100])).toEqual([100, 90]);
});

test('more labels than room stay inside the plot and overlap', () => {
  const heights = spreadLabels([5, 5, 5, 5], 10, [0, 15]);
  expect(heights.every((height) => height >= 0 && height <= 15)).toBe(true);
});

const wanted = fc.array(fc.double({ min: -50, max: 250, noNaN: true }), { maxLength: 8 });

test('labels keep their order and their distance inside a plot with room for all', () => {
  fc.assert(
    fc.property(wanted, (values) => {
      const heights = spreadLabels(values, 13, [0, 200]);
      const order = [...values.keys()].toSorted((a, b) => values[a]! - values[b]!);
      const sorted = order.map((index) => heights[index]!);
      for (const [rank, height] of sorted.entries()) {
        expect(height).toBeGreaterThanOrEqual(-1e-9);
        expect(height).toBeLessThanOrEqual(200 + 1e-9);
        expect(height - (sorted[rank - 1] ?? -Infinity)).toBeGreaterThanOrEqual(13 - 1e-9);
      }
    }),
  );
});
