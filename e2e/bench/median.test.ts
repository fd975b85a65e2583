import { expect, test } from 'vitest';
import { median, medianRatio } from './median';

test('the middle of an odd number of values, the mean of the middle two of an even one', () => {
  expect(median([9, 1, 4])).toBe(4);
  expect(median([9, 1, 4, 6])).toBe(5);
  expect(median([])).toBeNaN();
});

test('a slow round of both divides out of the ratio', () => {
  // Rounds 1/2, 100/200 and 3/4: the medians 3 and 4 alone would say 0.75.
  expect(medianRatio([1, 100, 3], [2, 200, 4])).toBe(0.5);
});
