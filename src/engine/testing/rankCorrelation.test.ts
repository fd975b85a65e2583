import { expect, test } from 'vitest';
import { pearson, spearman } from './rankCorrelation';

test('a rank correlation sees order alone, and halves ties', () => {
  expect(spearman([1, 2, 3, 4], [1, 10, 100, 1000])).toBeCloseTo(1, 12);
  expect(pearson([1, 2, 3, 4], [1, 10, 100, 1000])).toBeLessThan(0.9);
  expect(spearman([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 12);
  // Ranks 0, 1.5, 1.5, 3 against 0, 1, 2, 3: 4.5 / √(4.5 · 5).
  expect(spearman([1, 2, 2, 3], [1, 2, 3, 4])).toBeCloseTo(4.5 / Math.sqrt(22.5), 12);
});
