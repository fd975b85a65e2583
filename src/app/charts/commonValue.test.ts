import { expect, test } from 'vitest';
import { commonValue } from './commonValue';

test('what all have is common, what some have is mixed, and nothing is common to none', () => {
  expect(commonValue([0.9, 0.9])).toBe(0.9);
  expect(commonValue([0.9, 0])).toBeNull();
  expect(commonValue([])).toBeNull();
  const tokens = { kind: 'tokens' };
  expect(commonValue([tokens, { kind: 'tokens' }])).toBe(tokens);
  expect(
    commonValue([
      { kind: 'metric', metric: 'entropy' },
      { kind: 'metric', metric: 'success' },
    ]),
  ).toBeNull();
});
