import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areaUnderCurve } from './areaUnderCurve';

test('two trapezoids of unequal width, by hand', () => {
  // 0 → 1 over 2 iterations: area 1. 1 → 1 over 8: area 8. Together 9 over a length of 10.
  expect(areaUnderCurve([0, 2, 10], [0, 1, 1])).toBeCloseTo(0.9, 12);
});

test('of two runs that end alike, the one that learns earlier has the larger area', () => {
  const iterations = [0, 1, 2, 3];
  expect(areaUnderCurve(iterations, [0, 1, 1, 1])).toBeGreaterThan(
    areaUnderCurve(iterations, [0, 0, 0, 1]),
  );
});

test('a single point is its own height, and no point has none', () => {
  expect(areaUnderCurve([7], [0.3])).toBe(0.3);
  expect(areaUnderCurve([], [])).toBeNaN();
});

test('a value that is not finite makes the area unknown wherever it stands', () => {
  for (const hole of [NaN, Infinity, -Infinity]) {
    expect(areaUnderCurve([0, 1, 2], [1, hole, 1])).toBeNaN();
    expect(areaUnderCurve([5], [hole])).toBeNaN();
  }
});

const line = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.double({ min: -10, max: 10, noNaN: true })), {
    minLength: 2,
    maxLength: 30,
  })
  .map((rows) => {
    let iteration = 0;
    return {
      iterations: rows.map(([gap]) => (iteration += gap)),
      values: rows.map(([, value]) => value),
    };
  });

test('the area lies between the lowest and the highest value', () => {
  fc.assert(
    fc.property(line, ({ iterations, values }) => {
      const area = areaUnderCurve(iterations, values);
      expect(area).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
      expect(area).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
    }),
  );
});

test('a straight line has the mean of its ends, however it is sampled', () => {
  fc.assert(
    fc.property(line, ({ iterations }) => {
      const straight = iterations.map((iteration) => 3 - 0.1 * iteration);
      expect(areaUnderCurve(iterations, straight)).toBeCloseTo(
        (straight[0]! + straight.at(-1)!) / 2,
        9,
      );
    }),
  );
});

test('the area of a sum of two lines is the sum of their areas', () => {
  fc.assert(
    fc.property(line, ({ iterations, values }) => {
      const other = values.map((value) => value * value);
      const sum = values.map((value, i) => value + other[i]!);
      const parts = areaUnderCurve(iterations, values) + areaUnderCurve(iterations, other);
      expect(areaUnderCurve(iterations, sum)).toBeCloseTo(parts, 8);
    }),
  );
});

test('huge values do not overflow', () => {
  expect(areaUnderCurve([0, 1], [1.7e308, 1.7e308])).toBe(1.7e308);
});

test('unsorted iterations and unequal lengths are refused', () => {
  expect(() => areaUnderCurve([0, 2, 2], [1, 1, 1])).toThrow('Iteration 2 follows 2');
  expect(() => areaUnderCurve([0], [])).toThrow('iterations has 1 entries, values 0');
});
