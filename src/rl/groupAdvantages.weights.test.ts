import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { casesOf, toList, toNumber, toNumbers, toRecord, type Json } from './golden/cases';
import { mismatch } from './golden/mismatch';
import { groupAdvantages, type EstimatorOptions } from './groupAdvantages';
import type { StepScores } from './stepScores';

/** M-GRPO as printed: one sample per invocation, within task and agent. */
const mgrpo: EstimatorOptions = {
  scope: 'taskAgent',
  unit: 'trajectory',
  center: 'mean',
  scale: 'std',
  ddof: 0,
  epsilon: 1e-6,
  minStd: 1e-6,
  singleton: 'zero',
};

/** One step per invocation, all of one agent and task. */
function scoresOf(rewards: readonly number[], weights?: readonly number[]): StepScores {
  const scores = {
    rewards: Float64Array.from(rewards),
    taskIds: new Int32Array(rewards.length),
    trajectoryIds: Int32Array.from(rewards.keys()),
    agentIds: new Int32Array(rewards.length),
  };
  return weights === undefined ? scores : { ...scores, weights: Float64Array.from(weights) };
}

const toLists = (json: Json | undefined, path: string): number[][] =>
  toList(json, path).map((entry) => Array.from(toNumbers(entry, path)));

describe('vectors of an independent implementation', () => {
  const aligned = casesOf('mgrpo').filter(({ id }) => id.startsWith('align_dup_drop'));

  test.each(aligned)(
    '$id: aligned and unaligned sub advantages',
    ({ id, tolerance, input, expected }) => {
      const ddof = toNumber(input['ddof'], id) === 0 ? 0 : 1;
      const rollouts = toLists(input['sub_rewards'], id);
      const indices = toLists(expected['aligned_indices'], id);
      // The drawn picks as multiplicities: what the file lists one by one.
      const weights = rollouts.map((rewards, k) =>
        rewards.map((_, invocation) => indices[k]!.filter((index) => index === invocation).length),
      );
      const options = { ...mgrpo, ddof } as const;
      const { advantages, center } = groupAdvantages(
        scoresOf(rollouts.flat(), weights.flat()),
        options,
      );
      const offsets = rollouts.map((_, k) => rollouts.slice(0, k).flat().length);
      const listed = indices.map((list, k) =>
        list.map((index) => advantages[offsets[k]! + index]!),
      );
      expect(
        mismatch(listed.flat(), toLists(expected['sub_adv'], id).flat(), tolerance),
      ).toBeNull();
      const statistics = [toNumber(expected['sub_mean'], id), toNumber(expected['sub_std'], id)];
      expect(mismatch([center.means[0]!, center.stds[0]!], statistics, tolerance)).toBeNull();

      const unaligned = toRecord(expected['unaligned'], id);
      const plain = groupAdvantages(scoresOf(rollouts.flat()), options);
      expect(mismatch(plain.advantages, toNumbers(unaligned['adv'], id), tolerance)).toBeNull();

      // The file weighs with the population std alone.
      const weighted = toRecord(expected['weighted'], id);
      const shares = [...toNumbers(weighted['weights'], id)];
      const byShare = groupAdvantages(scoresOf(rollouts.flat(), shares), mgrpo);
      expect(mismatch(byShare.advantages, toNumbers(weighted['adv'], id), tolerance)).toBeNull();

      const main = groupAdvantages(scoresOf([...toNumbers(input['main_rewards'], id)]), options);
      expect(mismatch(main.advantages, toNumbers(expected['main_adv'], id), tolerance)).toBeNull();
    },
  );

  test.each(casesOf('mgrpo').filter(({ id }) => id.startsWith('main_')))(
    '$id',
    ({ id, tolerance, input, expected }) => {
      const { advantages } = groupAdvantages(
        scoresOf([...toNumbers(input['main_rewards'], id)]),
        mgrpo,
      );
      expect(mismatch(advantages, toNumbers(expected['main_adv'], id), tolerance)).toBeNull();
    },
  );
});

test('a weight of m is m equal samples, a weight of 0 is none', () => {
  const reward = fc.constantFrom(0, 0.1, 0.4, 0.5, 1);
  const sample = fc.record({ reward, weight: fc.nat(3) });
  fc.assert(
    fc.property(
      fc.array(sample, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(0 as const, 1 as const),
      (samples, ddof) => {
        const options = { ...mgrpo, ddof } as const;
        const rewards = samples.map((one) => one.reward);
        const weighted = groupAdvantages(
          scoresOf(
            rewards,
            samples.map(({ weight }) => weight),
          ),
          options,
        );
        const copies = samples.flatMap((one) =>
          Array.from({ length: one.weight }, () => one.reward),
        );
        const copied = groupAdvantages(scoresOf(copies), options);
        const kept = samples.flatMap((one, i) => (one.weight > 0 ? [weighted.advantages[i]!] : []));
        const firsts = samples.flatMap((one, i) => {
          const before = samples.slice(0, i).reduce((sum, { weight }) => sum + weight, 0);
          return one.weight > 0 ? [copied.advantages[before]!] : [];
        });
        expect(mismatch(kept, firsts, 1e-9)).toBeNull();
      },
    ),
  );
});

test('weights that add up to one sample or less have no spread: finite advantages, not 0/0', () => {
  const options = { ...mgrpo, ddof: 1 } as const;
  for (const weights of [
    [0.5, 0.5],
    [0.25, 0.25],
  ]) {
    const { advantages, center } = groupAdvantages(scoresOf([1, 0], weights), options);
    expect([...advantages]).toEqual([0, 0]);
    expect(center.stds[0]).toBe(0);
  }
});
