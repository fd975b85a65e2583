import { expect, test } from 'vitest';
import { invocationReward, mainReward } from '../envs/planExecute/rewards';
import {
  loadAlignments,
  loadNeverCalled,
  loadRewardComposition,
  loadTrajectoryRatio,
} from './golden/loadAdvantages';
import { mismatch } from './golden/mismatch';
import { groupAdvantages } from './groupAdvantages';
import { alignInvocations } from './mgrpoAlignment';
import { keyFromSeed } from './rng';
import { surrogate } from './surrogateLoss';

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

test('rewards are composed as in the vectors of an independent implementation', () => {
  const golden = loadRewardComposition();
  const main = golden.main.map(([format, correct]) => mainReward(format === 1, correct === 1));
  expect(mismatch(main, golden.mainRewards, golden.tolerance)).toBeNull();
  const sub = golden.sub.map(([format, correct, oracle]) =>
    invocationReward(format === 1, correct === 1, oracle!),
  );
  expect(mismatch(sub, golden.subRewards, golden.tolerance)).toBeNull();
});

/** M-GRPO as the vectors state it; minStd 0 because they divide by ε alone where the std is 0. */
const mgrpo = {
  scope: 'task',
  unit: 'step',
  center: 'mean',
  scale: 'std',
  epsilon: 1e-6,
  minStd: 0,
  singleton: 'zero',
} as const;

for (const golden of loadAlignments()) {
  const { invocationRewards, tolerance } = golden;
  const numInvocations = Int32Array.from(invocationRewards, ({ length }) => length);

  test.each([
    ['weighted', golden.weighted, { kind: 'weighted', target: golden.alignTo }, 0],
    ['padMask', golden.unaligned, { kind: 'padMask' }, golden.ddof],
  ] as const)(`sub advantages under %s agree: ${golden.id}`, (_kind, expected, alignment, ddof) => {
    const aligned = alignInvocations(numInvocations, alignment);
    const samples = [...aligned.weights.keys()].filter((sample) => aligned.weights[sample]! > 0);
    const weights = Float64Array.from(samples, (sample) => aligned.weights[sample]!);
    expect(mismatch(weights, expected.weights, tolerance)).toBeNull();
    const rewards = Float64Array.from(
      samples,
      (sample) => invocationRewards[aligned.rollouts[sample]!]![aligned.invocations[sample]!]!,
    );
    const scores = {
      rewards,
      weights,
      taskIds: Int32Array.from(samples, (sample) => aligned.groupIds[sample]!),
      agentIds: new Int32Array(samples.length),
      trajectoryIds: Int32Array.from(samples),
    };
    const { advantages, center } = groupAdvantages(scores, { ...mgrpo, ddof });
    const statistics = [...center.means, ...center.stds];
    expect(mismatch(statistics, [expected.mean, expected.std], tolerance)).toBeNull();
    expect(mismatch(advantages, expected.advantages, tolerance)).toBeNull();
  });

  test(`the choice that the vectors were drawn with is one that a key can make: ${golden.id}`, () => {
    const { alignTo, drawn } = golden;
    // The rarest here is one subset of (5 choose 3) = 10: 200 keys miss it with probability 0.9²⁰⁰ < 10⁻⁹.
    const choices = Array.from({ length: 200 }, (_, seed) => {
      const alignment = { kind: 'duplicateDrop', target: alignTo, key: keyFromSeed(seed) } as const;
      return alignInvocations(numInvocations, alignment).invocations;
    });
    for (const [rollout, indices] of drawn.entries()) {
      const padded = Int32Array.from({ length: alignTo }, (_, place) => indices[place] ?? -1);
      const isDrawn = choices.some((choice) => {
        const own = choice.subarray(rollout * alignTo, (rollout + 1) * alignTo);
        return mismatch(own, padded, 0) === null;
      });
      expect(isDrawn).toBe(true);
    }
  });
}

test('a sub-agent that no rollout called has nothing but padding', () => {
  const { numInvocations, alignTo, numSubs } = loadNeverCalled();
  const alignment = { kind: 'duplicateDrop', target: alignTo, key: keyFromSeed(0) } as const;
  const { weights } = alignInvocations(Int32Array.from(numInvocations), alignment);
  expect(weights).toHaveLength(numInvocations.length * alignTo);
  expect(weights.filter((weight) => weight > 0)).toHaveLength(numSubs);
});

test('one clip per trajectory, as printed, is the clip of a token whose logprob is the sum over the trajectory', () => {
  // M-GRPO (arXiv 2511.13288) Eq. 14–17: the ratio is the product over the steps, without a root over their number.
  const golden = loadTrajectoryRatio();
  const { loss, ratios } = surrogate(
    {
      logprobs: Float64Array.from(golden.logprobs, sumOf),
      oldLogprobs: Float64Array.from(golden.oldLogprobs, sumOf),
      mask: new Uint8Array(golden.advantages.length).fill(1),
      advantages: golden.advantages,
      rowWeights: null,
    },
    {
      kind: 'clip',
      clipLow: golden.clip,
      clipHigh: golden.clip,
      dualClip: null,
      aggregation: { kind: 'sequenceMean' },
    },
  );
  expect(mismatch(ratios, golden.ratios, golden.tolerance)).toBeNull();
  expect(mismatch([loss], [golden.loss], golden.tolerance)).toBeNull();
});
