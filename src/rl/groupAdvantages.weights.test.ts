import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { casesOf, toList, toNumber, toNumbers, toRecord, type Json } from './golden/cases';
import { mismatch } from './golden/mismatch';
import { estimatorPresets } from './estimatorPresets';
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

const sample = fc.record({ reward: fc.constantFrom(0, 0.1, 0.4, 0.5, 1), weight: fc.nat(3) });
const samples = fc.array(sample, { minLength: 1, maxLength: 12 });
/** The scope of turns wants turn indices, which add nothing here. */
const estimators = Object.entries(estimatorPresets).filter(([name]) => name !== 'atGrpo');

test.each(estimators)(
  '%s: a weight of m is m equal samples, a weight of 0 is none',
  (_name, { options }) => {
    fc.assert(
      fc.property(samples, (list) => {
        const { advantages } = groupAdvantages(
          scoresOf(
            list.map((one) => one.reward),
            list.map((one) => one.weight),
          ),
          options,
        );
        const copies = list.flatMap((one) => Array.from({ length: one.weight }, () => one.reward));
        const copied = groupAdvantages(scoresOf(copies), options).advantages;
        let before = 0;
        const expected = list.map(({ weight }) => {
          const first = weight > 0 ? copied[before]! : 0;
          before += weight;
          return first;
        });
        expect(mismatch(advantages, expected, 1e-9)).toBeNull();
      }),
    );
  },
);

test('hand case: with weights 2 and 1, leave one out compares each copy with the two others', () => {
  // Samples 1, 1, 0: 1 − ½ = ½ and 0 − 1 = −1.
  const { advantages } = groupAdvantages(scoresOf([1, 0], [2, 1]), estimatorPresets.rloo.options);
  expect(mismatch(advantages, [0.5, -1], 1e-12)).toBeNull();
});

const best = { ...estimatorPresets.drGrpo.options, center: 'max' } as const;

test('hand case: what does not count is no maximum', () => {
  const { advantages } = groupAdvantages(scoresOf([0, 1, 9], [1, 1, 0]), best);
  expect([...advantages]).toEqual([-1, 0, 0]);
});

test('a group of one keeps its raw reward under that rule, whatever is subtracted or divided by', () => {
  for (const options of [best, estimatorPresets.maxRl.options]) {
    const { advantages } = groupAdvantages(scoresOf([0.7]), { ...options, singleton: 'raw' });
    expect([...advantages]).toEqual([0.7]);
  }
});

test.each([NaN, -1, Infinity])('a weight of %s is refused with its place', (weight) => {
  expect(() => groupAdvantages(scoresOf([1, 0], [1, weight]), mgrpo)).toThrow(
    `weights[1] is ${weight}`,
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
