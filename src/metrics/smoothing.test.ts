import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mismatch } from '../rl/golden/mismatch';
import { loadSmoothing, tolerance } from './golden/statistics';
import { smoothed } from './smoothing';

test.each(loadSmoothing())('weight $weight agrees with weighted means', (golden) => {
  // At 0.999 the division by 1 − 0.999 costs three digits.
  const loss = 1 / (1 - golden.weight);
  expect(
    mismatch(smoothed(golden.raw, golden.weight), golden.smoothed, tolerance * loss),
  ).toBeNull();
});

test('with weight ½, by hand', () => {
  // m: ½·0 + ½·4 = 2 → 2/½ = 4. m: ½·2 + ½·1 = 1.5 → 1.5/¾ = 2. m: ½·1.5 + ½·2 = 1.75 → 1.75/⅞ = 2.
  expect([...smoothed([4, 1, 2], 0.5)]).toEqual([4, 2, 2]);
});

test('values that are not finite stand as they are and leave the average untouched', () => {
  expect([...smoothed([4, NaN, 1, Infinity, 2, -Infinity], 0.5)]).toEqual([
    4,
    NaN,
    2,
    Infinity,
    2,
    -Infinity,
  ]);
  expect([...smoothed([NaN, NaN], 0.9)]).toEqual([NaN, NaN]);
});

test('a flat line stays flat to the last bit, also with gaps', () => {
  for (const weight of [0, 0.6, 0.999]) {
    const flat = new Float64Array(500).fill(0.1);
    expect(smoothed(flat, weight)).toEqual(flat);
    expect([...smoothed([0.1, NaN, 0.1, Infinity, 0.1], weight)]).toEqual([
      0.1,
      NaN,
      0.1,
      Infinity,
      0.1,
    ]);
  }
});

const values = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { maxLength: 40 });
const weights = fc.double({ min: 0, max: 0.999, noNaN: true });

test('one value for each value, the first unchanged, all within the range so far', () => {
  fc.assert(
    fc.property(values, weights, (raw, weight) => {
      const line = smoothed(raw, weight);
      expect(line).toHaveLength(raw.length);
      for (const [place, value] of line.entries()) {
        const past = raw.slice(0, place + 1);
        expect(value).toBeGreaterThanOrEqual(Math.min(...past) - 1e-9);
        expect(value).toBeLessThanOrEqual(Math.max(...past) + 1e-9);
      }
    }),
  );
});

test('weight 0 is the raw line, and shift and scale go through', () => {
  fc.assert(
    fc.property(values, weights, (raw, weight) => {
      expect(mismatch(smoothed(raw, 0), raw, 0)).toBeNull();
      const moved = smoothed(
        raw.map((value) => 2 * value + 3),
        weight,
      );
      expect(
        mismatch(
          moved,
          smoothed(raw, weight).map((value) => 2 * value + 3),
          1e-9,
        ),
      ).toBeNull();
    }),
  );
});

test('what comes later does not change what stands already', () => {
  fc.assert(
    fc.property(values, weights, (raw, weight) => {
      const longer = smoothed([...raw, 1000, -1000], weight);
      expect(mismatch(longer.slice(0, raw.length), smoothed(raw, weight), 1e-9)).toBeNull();
    }),
  );
});

test('an empty line stays empty, and a weight outside 0 … 0.999 is refused', () => {
  expect(smoothed([], 0.5)).toHaveLength(0);
  for (const weight of [-0.1, 0.9999, 1, NaN])
    expect(() => smoothed([1], weight)).toThrow(`weight is ${weight}: give a number from 0`);
});
