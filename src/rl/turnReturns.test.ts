import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadJointTurns } from './golden/loadAdvantages';
import { mismatch } from './golden/mismatch';
import { groupAdvantages, type EstimatorOptions } from './groupAdvantages';
import { turnReturnAdvantages } from './turnReturns';

const magrpo: Omit<EstimatorOptions, 'scope' | 'unit'> = {
  center: 'mean',
  scale: 'none',
  ddof: 1,
  epsilon: 1e-6,
  minStd: 1e-6,
  singleton: 'zero',
};

/** Joint samples of one task, all of `numTurns` turns, [G × turns]. */
function jointSamples(rewards: Float64Array, numTurns: number) {
  const place = (step: number): [number, number] => [Math.floor(step / numTurns), step % numTurns];
  return {
    rewards,
    taskIds: new Int32Array(rewards.length),
    trajectoryIds: Int32Array.from(rewards, (_, step) => place(step)[0]),
    agentIds: Int32Array.from(rewards, (_, step) => step % 2),
    turnIndices: Int32Array.from(rewards, (_, step) => place(step)[1]),
  };
}

test('MAGRPO: the joint return of a turn against its mean over the joint samples, as an independent implementation', () => {
  const { rewards, numTurns, gamma, advantages, tolerance } = loadJointTurns();
  const result = turnReturnAdvantages(jointSamples(rewards, numTurns), { ...magrpo, gamma });
  expect(mismatch(result.advantages, advantages, tolerance)).toBeNull();
});

test('MARLOO and MAREMAX: the mean of the others, and the best', () => {
  const steps = jointSamples(Float64Array.of(1, 0, 0.5), 1);
  const loo = turnReturnAdvantages(steps, { ...magrpo, gamma: 1, center: 'leaveOneOut' });
  expect([...loo.advantages]).toEqual([0.75, -0.75, 0]);
  const best = turnReturnAdvantages(steps, { ...magrpo, gamma: 1, center: 'max' });
  expect([...best.advantages]).toEqual([0, -1, -0.5]);
});

test('an outcome at the end without a discount is GRPO’s comparison within the turn', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(0, 1, 0.5), { minLength: 2, maxLength: 6 }),
      (outcomes) => {
        const rewards = Float64Array.from(outcomes.flatMap((outcome) => [0, 0, outcome]));
        const steps = jointSamples(rewards, 3);
        const { advantages } = turnReturnAdvantages(steps, { ...magrpo, gamma: 1 });
        const spread = rewards.map((_, step) => outcomes[Math.floor(step / 3)]!);
        const grpo = groupAdvantages(
          { ...steps, rewards: spread },
          { ...magrpo, scope: 'task', unit: 'trajectory' },
        );
        expect(mismatch(advantages, grpo.advantages, 1e-12)).toBeNull();
      },
    ),
  );
});

test('a reward that is not finite takes out the turns that lead to it, and is counted', () => {
  const steps = jointSamples(Float64Array.of(0, NaN, 1, 0, 1, 1), 2);
  const { advantages, numNonFinite } = turnReturnAdvantages(steps, { ...magrpo, gamma: 1 });
  expect(numNonFinite).toBe(2);
  expect([...advantages.subarray(0, 2)]).toEqual([0, 0]);
  expect(advantages.every(Number.isFinite)).toBe(true);
});

test('turn indices are needed', () => {
  const { turnIndices: _turnIndices, ...steps } = jointSamples(Float64Array.of(1, 0), 1);
  expect(() => turnReturnAdvantages(steps, { ...magrpo, gamma: 1 })).toThrow('needs turnIndices');
});
