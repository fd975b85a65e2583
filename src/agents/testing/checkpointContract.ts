import { describe, expect, test } from 'vitest';
import type { LossSpec, OptimizerSpec } from '../../config/experimentSpec';
import { clippedLoss, smallCohort, toUpdateBatch } from '../golden/smallCohort';
import type { PolicyEngine } from '../policyEngine';
import { hyper, probe, turnsOf } from './contractTurns';

/** What every policy keeps to about its checkpoints. */

function isZero(values: Float32Array): boolean {
  return values.every((value) => value === 0);
}

/** Declares the tests; `current`: the policy under test, made anew for each. */
export function describeCheckpoints(current: () => PolicyEngine): void {
  const withPenalty: LossSpec = { ...clippedLoss, refKlCoef: 0.1 };
  const momentum: OptimizerSpec = {
    kind: 'sgd',
    learningRate: 0.1,
    momentum: 0.9,
    maxGradNorm: null,
  };
  const replicas = [hyper(1, { loss: withPenalty }), hyper(2, { optimizer: momentum })];
  const rates = [0.02, 0.05];
  const learn = async (advantage: number) => {
    const turns = [...turnsOf(0, 2, advantage), ...turnsOf(1, 1, advantage)];
    return (await current().update(toUpdateBatch(turns, 'policyGradient', rates))).agents;
  };

  /** Three more updates and what they lead to. */
  async function goOn() {
    const stats = [await learn(1), await learn(-2), await learn(0.5)];
    return { stats, weights: [await probe(current(), 0), await probe(current(), 1)] };
  }

  async function createTrained(): Promise<void> {
    await current().create(smallCohort, replicas);
    const warmUp = [...turnsOf(0, 2), ...turnsOf(1, 1)];
    await current().update(toUpdateBatch(warmUp, 'supervised', rates));
    await current().keepReference();
    for (const advantage of [2, -1]) await learn(advantage);
  }

  describe('a checkpoint', () => {
    test('is gone back to: what follows is the same to the last bit', async () => {
      await createTrained();
      const checkpoint = await current().checkpoint();
      const first = await goOn();
      await current().restore(checkpoint);
      expect(await goOn()).toEqual(first);
      // Also by a policy that has never learned.
      await current().create(smallCohort, replicas);
      await current().restore(checkpoint);
      expect(await goOn()).toEqual(first);
    });

    test('holds weights, moments, steps and the reference of each replica', async () => {
      await createTrained();
      const { weights, moments1, moments2, counts, corrections, reference } =
        await current().checkpoint();
      const size = weights.length / 2;
      for (const values of [moments1, moments2, reference!]) expect(values).toHaveLength(2 * size);
      expect([...counts]).toEqual([3, 3]);
      expect(corrections[0]).toBeCloseTo(1 - 0.9 ** 3, 6);
      expect(corrections[1]! / (1 - 0.999 ** 3)).toBeCloseTo(1, 4);
      expect(isZero(moments2.slice(0, size))).toBe(false);
      expect(isZero(moments1.slice(size))).toBe(false);
      expect(reference!.slice(0, size)).not.toEqual(weights.slice(0, size));
    });

    test('without a reference has none, and going back takes one away', async () => {
      await current().create(smallCohort, replicas);
      const checkpoint = await current().checkpoint();
      expect(checkpoint.reference).toBeNull();
      await current().keepReference();
      await current().restore(checkpoint);
      expect((await current().checkpoint()).reference).toBeNull();
    });
  });
}
