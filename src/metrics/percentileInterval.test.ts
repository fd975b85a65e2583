import { expect, test } from 'vitest';
import { percentileInterval } from './percentileInterval';

test('quantiles lie on the straight lines between order statistics, whatever the order', () => {
  // Five values: level 0.5 leaves positions 4·¼ = 1 and 4·¾ = 3; level 0.75 gives 4·⅛ = ½ and 3½.
  const statistics = Float64Array.of(8, 0, 4, 1, 2);
  expect(percentileInterval(statistics, 0.5)).toEqual({ low: 1, high: 4 });
  expect(percentileInterval(statistics, 0.75)).toEqual({ low: 0.5, high: 6 });
  expect([...statistics]).toEqual([8, 0, 4, 1, 2]);
});

test('one statistic is both ends', () => {
  expect(percentileInterval(Float64Array.of(3), 0.95)).toEqual({ low: 3, high: 3 });
});
