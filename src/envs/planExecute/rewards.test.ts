import { expect, test } from 'vitest';
import { invocationReward, mainReward } from './rewards';

test('the main trajectory earns a tenth for its format and the rest for being right', () => {
  expect(mainReward(true, true)).toBe(1); // 0.1 + 0.9
  expect(mainReward(true, false)).toBe(0.1);
});

test('an invalid format forfeits the whole reward', () => {
  expect(mainReward(false, true)).toBe(0);
  expect(invocationReward(false, true, 1)).toBe(0);
});

test.each<[boolean, number, number]>([
  [true, 1, 1], // 0.1 + 0.4 + 0.5
  [true, 0, 0.5], // 0.1 + 0.4
  [false, 1, 0.6], // 0.1 + 0.5
  [false, 0.6, 0.4], // 0.1 + 0.5·0.6
  [false, 0, 0.1],
])(
  'a readable sub-call with main correctness %s and verdict %d earns %d',
  (isMainCorrect, oracle, reward) => {
    expect(invocationReward(true, isMainCorrect, oracle)).toBeCloseTo(reward, 15);
  },
);
