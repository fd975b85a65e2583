import { expect, test } from 'vitest';
import { comparedAngle, cosineOf, normOf, nullBand } from './segmentAngles';

/** Segments 2, 5 and 9 with gradients (3, 0), (0, 4) and (−3, 0). */
const gradients = {
  segments: [2, 5, 9],
  products: Float64Array.of(9, 0, -9, 0, 16, 0, -9, 0, 9),
};

test('norms and cosines of sums follow from the inner products', () => {
  // (3, 4)
  expect(normOf(gradients, [2, 5])).toBe(5);
  // (3, 4) · (−3, 0) / (5 · 3)
  expect(cosineOf(gradients, [2, 5], [9])).toBeCloseTo(-9 / 15, 15);
  expect(cosineOf(gradients, [2], [5])).toBe(0);
  // Segment 7 has no turns and adds nothing.
  expect(cosineOf(gradients, [2, 7], [9])).toBe(-1);
});

test('two parts that cancel have length 0 and no angle, as has one without turns', () => {
  expect(normOf(gradients, [2, 9])).toBe(0);
  expect(cosineOf(gradients, [2, 9], [5])).toBeNaN();
  expect(cosineOf(gradients, [7], [5])).toBeNaN();
  // Rounding below 0.
  const rounded = { segments: [0, 1], products: Float64Array.of(1, -1 - 1e-12, -1 - 1e-12, 1) };
  expect(normOf(rounded, [0, 1])).toBe(0);
});

test('the null is the 5 % quantile and the median of the finite cosines', () => {
  // 21 values 0, 0.05, …, 1: the quantile at position 0.05 · 20 = 1.
  const cosines = Array.from({ length: 21 }, (_, i) => i / 20);
  const band = nullBand([NaN, ...cosines.toReversed()])!;
  expect(band.low).toBeCloseTo(0.05, 12);
  expect(band.median).toBe(0.5);
  expect(nullBand([NaN, NaN])).toBeNull();
});

test('a cosine below the null is a conflict, one at its end or inside is not; without either there is nothing to say', () => {
  // Of 0 and 1 the 5 % quantile is 0.05.
  const [low, halves] = [0.05, [0, 1]];
  expect(comparedAngle(0.04, halves)).toMatchObject({
    cosine: 0.04,
    median: 0.5,
    isConflict: true,
  });
  expect(comparedAngle(low, halves)?.isConflict).toBe(false);
  expect(comparedAngle(0.9, halves)?.isConflict).toBe(false);
  expect(comparedAngle(NaN, halves)).toBeNull();
  expect(comparedAngle(0.5, [NaN])).toBeNull();
});
