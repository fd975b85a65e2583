import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aggregationWeights } from './aggregation';
import { mismatch } from './golden/mismatch';
import { rolloutAdvantages, rolloutMeanWeights } from './rolloutStatistics';

const grpo = {
  center: 'mean',
  scale: 'std',
  ddof: 1,
  epsilon: 0,
  minStd: 1e-6,
  singleton: 'zero',
} as const;

test('a rollout of three calls enters the mean once and hands its advantage to all three', () => {
  // Rewards 1 and 0: mean ½, sample std 1/√2, so ±1/√2. Counted per call the mean would be ¾.
  const outcomes = { rewards: Float64Array.of(1, 0), taskIds: new Int32Array(2) };
  const { advantages } = rolloutAdvantages(outcomes, Int32Array.of(0, 1, 0, 0), grpo);
  const expected = [1, -1, 1, 1].map((sign) => sign * Math.SQRT1_2);
  expect(mismatch(advantages, expected, 1e-15)).toBeNull();
});

test('a rollout that made no call still stands in the statistics of its task', () => {
  // Mean of 1, 0, 0 is ⅓.
  const outcomes = { rewards: Float64Array.of(1, 0, 0), taskIds: new Int32Array(3) };
  const options = { ...grpo, scale: 'none' } as const;
  const { advantages } = rolloutAdvantages(outcomes, Int32Array.of(0, 1), options);
  expect(mismatch(advantages, [2 / 3, -1 / 3], 1e-15)).toBeNull();
});

const rollouts = fc.array(
  fc.record({
    reward: fc.double({ min: -2, max: 2, noNaN: true }),
    task: fc.nat(2),
    calls: fc.array(fc.nat(6), { maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 12 },
);

test('how often each rollout calls changes no advantage of a rollout, and its calls have exactly that', () => {
  fc.assert(
    fc.property(rollouts, (list) => {
      const outcomes = {
        rewards: Float64Array.from(list, ({ reward }) => reward),
        taskIds: Int32Array.from(list, ({ task }) => task),
      };
      const callRollouts = Int32Array.from(
        list.flatMap(({ calls }, rollout) => calls.map(() => rollout)),
      );
      const result = rolloutAdvantages(outcomes, callRollouts, grpo);
      const once = rolloutAdvantages(outcomes, Int32Array.from(list.keys()), grpo).advantages;
      expect(result.rollouts.advantages).toEqual(once);
      expect([...result.advantages]).toEqual(Array.from(callRollouts, (rollout) => once[rollout]!));
    }),
  );
});

test('a reward that is not finite gives all calls of its rollout 0 and is counted once', () => {
  const outcomes = { rewards: Float64Array.of(NaN, 1, 0), taskIds: new Int32Array(3) };
  const result = rolloutAdvantages(outcomes, Int32Array.of(0, 0, 1), grpo);
  expect(mismatch(result.advantages, [0, 0, Math.SQRT1_2], 1e-15)).toBeNull();
  expect(result.rollouts.numNonFinite).toBe(1);
});

test('one rollout of 1 + 3 tokens and one of 2: each token weighs by its own rollout', () => {
  // 6 tokens, 2 rollouts of 4 and 2 tokens: 6/(2·4) = ¾ and 6/(2·2) = 1½; over tokens (4·¾ + 2·1½)/6 = 1.
  const weights = rolloutMeanWeights(Int32Array.of(0, 1, 0), Int32Array.of(1, 2, 3), 2);
  expect([...weights]).toEqual([0.75, 1.5, 0.75]);
});

test('the token mean under these weights is the mean over rollouts of their own token means', () => {
  fc.assert(
    fc.property(rollouts, fc.nat(1000), (list, seed) => {
      const width = 6;
      const calls = list.flatMap(({ calls: own }, rollout) =>
        own.map((numTokens) => ({ rollout, numTokens })),
      );
      const mask = Uint8Array.from({ length: calls.length * width }, (_, cell) =>
        Number(cell % width < calls[Math.floor(cell / width)]!.numTokens),
      );
      const losses = Float64Array.from(mask, (_, cell) => Math.sin(seed + cell));
      const rowWeights = rolloutMeanWeights(
        Int32Array.from(calls, ({ rollout }) => rollout),
        Int32Array.from(calls, ({ numTokens }) => numTokens),
        list.length,
      );
      const weights = aggregationWeights(
        { mask, numSequences: calls.length, rowWeights, totals: null },
        { kind: 'tokenMean' },
      );
      const loss = losses.reduce((sum, value, cell) => sum + value * weights[cell]!, 0);
      const ownMeans = list.map((_, rollout) => {
        const own = losses.filter(
          (_loss, cell) => mask[cell] === 1 && calls[Math.floor(cell / width)]!.rollout === rollout,
        );
        return own.length === 0 ? 0 : own.reduce((sum, value) => sum + value, 0) / own.length;
      });
      const expected = ownMeans.reduce((sum, mean) => sum + mean, 0) / list.length;
      expect(mismatch([loss], [expected], 1e-12)).toBeNull();
    }),
  );
});

test('calls of no rollout and lengths that differ are refused', () => {
  const outcomes = { rewards: Float64Array.of(1), taskIds: new Int32Array(1) };
  expect(() => rolloutAdvantages(outcomes, Int32Array.of(0, 1), grpo)).toThrow(
    'callRollouts[1] is 1',
  );
  expect(() => rolloutMeanWeights(Int32Array.of(-1), Int32Array.of(1), 1)).toThrow(
    'callRollouts[0] is -1',
  );
  expect(() => rolloutMeanWeights(Int32Array.of(0), Int32Array.of(1, 2), 1)).toThrow(
    'callTokens has 2 entries, callRollouts 1',
  );
});
