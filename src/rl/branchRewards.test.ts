import { expect, test } from 'vitest';
import { bestBranch, branchReward } from './branchRewards';
import { casesOf, toNumber, toNumbers } from './golden/cases';
import { mismatch } from './golden/mismatch';
import { foldIn, keyFromSeed } from './rng';

test('team and local reward are mixed as in an independent implementation: atgrpo_reward_mix', () => {
  const { id, input, expected, tolerance } = casesOf('extras').find(
    (one) => one.id === 'atgrpo_reward_mix',
  )!;
  const team = toNumbers(input['team'], id);
  const local = toNumbers(input['local'], id);
  const mixed = team.map((reward, i) =>
    branchReward(reward, local[i]!, toNumber(input['alpha'], id)),
  );
  expect(mismatch(mixed, toNumbers(expected['r'], id), tolerance)).toBeNull();
});

test('the best branch continues; a tie is broken by the key, each way equally often', () => {
  const key = keyFromSeed(1);
  expect(bestBranch(Float64Array.of(0, 2, 1), key)).toBe(1);
  const counts = [0, 0, 0];
  for (let draw = 0; draw < 3000; draw++)
    counts[bestBranch(Float64Array.of(1, 0, 1), foldIn(key, draw))]! += 1;
  expect(counts[1]).toBe(0);
  // Binomial: 1500 ± 27.
  expect(Math.abs(counts[0]! - 1500)).toBeLessThan(4 * 27);
});

test('a score that is not finite is never best, and the first branch continues where none is', () => {
  const key = keyFromSeed(1);
  expect(bestBranch(Float64Array.of(NaN, -3, Infinity), key)).toBe(1);
  expect(bestBranch(Float64Array.of(NaN, -Infinity), key)).toBe(0);
  expect(() => bestBranch(new Float64Array(), key)).toThrow(RangeError);
});

test('a negative weight of the team reward is refused', () => {
  expect(() => branchReward(1, 0, -1)).toThrow('teamRewardWeight');
});
