import { expect, test } from 'vitest';
import { loadDapo } from './golden/loadSurrogates';
import { mismatch } from './golden/mismatch';
import { overlongPenalty } from './overlongPenalty';

test('penalties of growing lengths agree with the independent ones', () => {
  const { lengths, limit, penalties } = loadDapo().overlong;
  const actual = lengths.map((length) => overlongPenalty(length, limit));
  expect(mismatch(actual, penalties, 1e-12)).toBeNull();
});

test('beyond the longest length the penalty grows no further', () => {
  const limit = { maxTokens: 20, cacheTokens: 4, maxPenalty: 0.5 };
  // 18 is half of the last four tokens: −½ · ½.
  expect([16, 18, 20, 30].map((length) => overlongPenalty(length, limit))).toEqual([
    0, -0.25, -0.5, -0.5,
  ]);
});

test('a cache that is empty or longer than a sequence is refused', () => {
  for (const cacheTokens of [0, 21, NaN])
    expect(() => overlongPenalty(1, { maxTokens: 20, cacheTokens, maxPenalty: 1 })).toThrow(
      `cacheTokens is ${cacheTokens} with maxTokens 20`,
    );
});
