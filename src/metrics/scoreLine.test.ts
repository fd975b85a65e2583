import { expect, test } from 'vitest';
import { assertScoreLine } from './scoreLine';

test('lines that are not functions of x are refused by name', () => {
  expect(() => assertScoreLine({ xs: [1], values: [] }, 'Line 2')).toThrow(
    'Line 2 has 1 xs and 0 values',
  );
  expect(() => assertScoreLine({ xs: [1, 1], values: [0, 0] }, 'Line 2')).toThrow(
    'Line 2 has x 1 at position 1',
  );
  expect(() => assertScoreLine({ xs: [NaN], values: [0] }, 'line')).toThrow(
    'line has x NaN at position 0',
  );
});
