import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertScoreLine, lineOnGrid } from './scoreLine';

test('a line holds its last value between points, and stands nowhere outside them', () => {
  const line = { xs: [10, 20, 40], values: [1, 2, NaN] };
  expect(lineOnGrid(line, [0, 10, 15, 20, 39, 40, 50])).toEqual({
    xs: [10, 15, 20, 39, 40],
    values: [1, 1, 2, 2, NaN],
  });
});

test('on its own xs a line is itself; an empty line and an empty grid give nothing', () => {
  const line = { xs: [1, 3, 7], values: [4, 5, 6] };
  expect(lineOnGrid(line, line.xs)).toEqual(line);
  expect(lineOnGrid({ xs: [], values: [] }, [1, 2])).toEqual({ xs: [], values: [] });
  expect(lineOnGrid(line, [])).toEqual({ xs: [], values: [] });
});

test('nothing later than x is ever shown at x', () => {
  const increasing = fc
    .uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 12 })
    .map((xs) => xs.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(increasing, increasing, (xs, grid) => {
      // The value is the x it was logged at.
      const held = lineOnGrid({ xs, values: xs }, grid);
      for (const [place, x] of held.xs.entries())
        expect(held.values[place]).toBe(Math.max(...xs.filter((logged) => logged <= x)));
      const inside = grid.filter((x) => xs.length > 0 && xs[0]! <= x && x <= xs.at(-1)!);
      expect(held.xs).toEqual(inside);
    }),
  );
});

test('lines that are not functions of x are refused by name', () => {
  expect(() => assertScoreLine({ xs: [1], values: [] }, 'Line 2')).toThrow(
    'Line 2 has 1 xs and 0 values',
  );
  expect(() => assertScoreLine({ xs: [1, 1], values: [0, 0] }, 'Line 2')).toThrow(
    'Line 2 has x 1 at position 1',
  );
  expect(() => lineOnGrid({ xs: [NaN], values: [0] }, [])).toThrow('line has x NaN at position 0');
});
