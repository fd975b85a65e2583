import { expect, test } from 'vitest';
import { mean } from './mean';

test('the mean of 1, 2 and 6 is 3, of one value that value, of none unknown', () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(mean([0.1])).toBe(0.1);
  expect(mean([])).toBeNaN();
});

test('equal values give exactly their value, where sum over count would round', () => {
  expect((0.1 + 0.1 + 0.1) / 3).not.toBe(0.1);
  expect(mean([0.1, 0.1, 0.1])).toBe(0.1);
});

test('huge values of one sign do not overflow', () => {
  expect(mean([1.7e308, 1.7e308])).toBe(1.7e308);
});
