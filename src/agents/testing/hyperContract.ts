import { describe, expect, test } from 'vitest';
import type { LossSpec, OptimizerSpec } from '../../config/experimentSpec';
import type { ReplicaHyper } from '../../protocol/policyApi';
import { clippedLoss, smallCohort, toUpdateBatch } from '../golden/smallCohort';
import type { PolicyEngine } from '../policyEngine';
import { adamw, hyper, probe, turnsOf } from './contractTurns';

/** What every policy keeps to about settings that change while it learns. */

const decayed: OptimizerSpec = {
  kind: 'adamw',
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 1,
  maxGradNorm: 1,
};
const penalty: LossSpec = { ...clippedLoss, refKlCoef: 0.1 };
const before = [hyper(1, { loss: penalty }), hyper(2)];
async function learn(policy: PolicyEngine, advantage: number) {
  const turns = [...turnsOf(0, 2, advantage), ...turnsOf(1, 1, advantage)];
  return (await policy.update(toUpdateBatch(turns, 'policyGradient', [0.02, 0.05]))).agents;
}

/** Two updates under `before`, what `between` does, and two more. */
async function learned(policy: PolicyEngine, between: () => Promise<void>) {
  await policy.create(smallCohort, before);
  await policy.keepReference();
  for (const advantage of [2, -1]) await learn(policy, advantage);
  await between();
  const stats = [await learn(policy, 1), await learn(policy, -2)];
  return { stats, weights: [await probe(policy, 0), await probe(policy, 1)] };
}

/** Declares the tests; `current`: the policy under test, made anew for each. */
export function describeHypers(current: () => PolicyEngine): void {
  describe('settings that change while a policy learns', () => {
    test('leave everything as it was where they say what they said before', async () => {
      const plain = await learned(current(), () => Promise.resolve());
      expect(await learned(current(), () => current().setHypers(structuredClone(before)))).toEqual(
        plain,
      );
    });

    test.each<[string, Partial<ReplicaHyper>]>([
      ['another bonus', { loss: { ...clippedLoss, entropyCoef: 0.5 } }],
      ['another loss', { loss: { ...clippedLoss, aggregation: 'sequenceMean' } }],
      ['more epochs', { loss: { ...clippedLoss, numUpdateEpochs: 3 } }],
      ['a tighter clip of the gradient', { optimizer: { ...adamw, maxGradNorm: 1e-3 } }],
      ['weight decay', { optimizer: decayed }],
    ])('%s reaches its replica and no other', async (_what, changes) => {
      const plain = await learned(current(), () => Promise.resolve());
      const changed = await learned(current(), () =>
        current().setHypers([before[0]!, hyper(2, changes)]),
      );
      expect(changed.weights[0]).toEqual(plain.weights[0]);
      expect(changed.weights[1]).not.toEqual(plain.weights[1]);
    });
  });

  describeKeptHypers(current);
}

function describeKeptHypers(current: () => PolicyEngine): void {
  describe('settings that change while a policy learns', () => {
    test('keep the reference, whose penalty can be made stronger or be switched off', async () => {
      const withCoef = (refKlCoef: number) =>
        learned(current(), () =>
          current().setHypers([hyper(1, { loss: { ...penalty, refKlCoef } }), before[1]!]),
        );
      const plain = await learned(current(), () => Promise.resolve());
      const [strong, off] = [await withCoef(1), await withCoef(0)];
      expect(strong.weights[0]).not.toEqual(plain.weights[0]);
      expect(off.weights[0]).not.toEqual(plain.weights[0]);
      const refKl = ({ stats }: typeof plain) =>
        stats[0]!.find(({ replica }) => replica === 0)!.refKl;
      // Two updates from the reference: measured against it as before, as long as there is a penalty.
      expect(refKl(strong)).toBeGreaterThan(0);
      expect(refKl(off)).toBeNull();
    });

    test('go with a checkpoint that is gone back to', async () => {
      await current().create(smallCohort, before);
      await current().keepReference();
      await learn(current(), 1);
      const after = [hyper(1, { loss: { ...penalty, refKlCoef: 0.5 } }), before[1]!];
      await current().setHypers(after);
      const checkpoint = await current().checkpoint();
      const first = [await learn(current(), -2), await learn(current(), 1)];
      await current().restore(checkpoint);
      expect([await learn(current(), -2), await learn(current(), 1)]).toEqual(first);
    });

    test('are refused for other replicas and other kinds of optimizer', async () => {
      await current().create(smallCohort, before);
      await expect(current().setHypers([before[0]!])).rejects.toThrow('the policy has 2');
      await expect(current().setHypers([before[0]!, hyper(3)])).rejects.toThrow('seed 3');
      const sgd = { kind: 'sgd', learningRate: 0.1, momentum: 0, maxGradNorm: null } as const;
      await expect(current().setHypers([before[0]!, hyper(2, { optimizer: sgd })])).rejects.toThrow(
        'a policy keeps both',
      );
    });
  });
}
