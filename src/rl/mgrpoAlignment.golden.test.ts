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
import { alignmentWeights, duplicateOrDrop } from './mgrpoAlignment';
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

for (const golden of loadAlignments()) {
  test(`weights of d/d_k and the statistics under them agree: ${golden.id}`, () => {
    const { invocationRewards, alignTo, weighted } = golden;
    const weights = Float64Array.from(
      invocationRewards.flatMap(({ length }) => [...alignmentWeights(length, alignTo)]),
    );
    expect(mismatch(weights, weighted.weights, golden.tolerance)).toBeNull();
    const rewards = Float64Array.from(invocationRewards.flatMap((own) => [...own]));
    const { advantages, center } = groupAdvantages(
      {
        rewards,
        weights,
        taskIds: new Int32Array(rewards.length),
        agentIds: new Int32Array(rewards.length),
        trajectoryIds: Int32Array.from(rewards.keys()),
      },
      {
        scope: 'taskAgent',
        unit: 'trajectory',
        center: 'mean',
        scale: 'std',
        ddof: 0,
        epsilon: 1e-6,
        minStd: 0,
        singleton: 'zero',
      },
    );
    const statistics = [...center.means, ...center.stds];
    expect(mismatch(statistics, [weighted.mean, weighted.std], golden.tolerance)).toBeNull();
    expect(mismatch(advantages, weighted.advantages, golden.tolerance)).toBeNull();
  });

  test(`the choice that the vectors were drawn with is one that a key can make: ${golden.id}`, () => {
    const { invocationRewards, alignTo, drawn } = golden;
    for (const [rollout, indices] of drawn.entries()) {
      const numInvocations = invocationRewards[rollout]!.length;
      const counts = new Float64Array(numInvocations);
      for (const invocation of indices) counts[invocation]!++;
      // The rarest here is one subset of (5 choose 3) = 10: 200 keys miss it with probability 0.9²⁰⁰ < 10⁻⁹.
      const choices = Array.from({ length: 200 }, (_, seed) =>
        duplicateOrDrop(numInvocations, alignTo, keyFromSeed(seed)),
      );
      expect(choices.some((choice) => mismatch(choice, counts, 0) === null)).toBe(true);
    }
  });
}

test('a sub-agent that no rollout called has nothing to align and nothing to learn', () => {
  const { numInvocations, alignTo, numSubs } = loadNeverCalled();
  const weights = numInvocations.flatMap((count) => [
    ...duplicateOrDrop(count, alignTo, keyFromSeed(0)),
    ...alignmentWeights(count, alignTo),
  ]);
  expect(weights).toHaveLength(numSubs);
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
