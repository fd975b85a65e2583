import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LossSpec, OptimizerSpec } from '../../config/experimentSpec';
import type { AgentUpdateStats } from '../../protocol/policyApi';
import {
  clippedLoss,
  plainSgd,
  smallCohort,
  toSampleCalls,
  toUpdateBatch,
  type PlainTurn,
} from '../golden/smallCohort';
import type { PolicyEngine } from '../policyEngine';
import { describeCheckpoints } from './checkpointContract';
import { hyper, probe, turnsOf } from './contractTurns';
import { describeGradients } from './gradientContract';
import { describeHypers } from './hyperContract';
import { describeInfluence } from './influenceContract';

/** What every policy keeps to, whatever it runs on. */

/** The policy under test, made anew for each. */
let policy: PolicyEngine;

async function update(
  turns: readonly PlainTurn[],
  learningRates: readonly number[] = [0.01],
): Promise<readonly AgentUpdateStats[]> {
  return (await policy.update(toUpdateBatch(turns, 'policyGradient', learningRates))).agents;
}

function describeStatistics(): void {
  describe('the statistics of an update', () => {
    test('come once for each replica and agent that has turns', async () => {
      await policy.create(smallCohort, [hyper(1), hyper(2)]);
      const agents = await update([...turnsOf(1, 2), ...turnsOf(0, 3)], [0.01, 0.01]);
      const places = agents.map(({ replica, agent }) => [replica, agent]);
      expect(places.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]!)).toEqual([
        [0, 0],
        [0, 1],
        [0, 2],
        [1, 0],
        [1, 1],
      ]);
      for (const stats of agents) {
        expect(stats.gradNorm).toBeGreaterThan(0);
        expect(stats.gradNormMax).toBe(stats.gradNorm);
        expect(stats.updateSkipped).toBe(0);
        // Near-uniform over seven tokens, and no policy is more uncertain than that.
        expect(stats.entropy).toBeGreaterThan(Math.log(7) - 0.05);
        expect(stats.entropy).toBeLessThanOrEqual(Math.log(7) + 1e-6);
        // The policy moved away from the one that sampled.
        expect(stats.approxKl).toBeGreaterThan(0);
        expect(stats.approxKl).toBeLessThan(0.5);
      }
    });

    test('over three update epochs are means, and the later epochs can clip', async () => {
      const optimizer: OptimizerSpec = { ...plainSgd, learningRate: 5 };
      const threeEpochs = hyper(1, { optimizer, loss: { ...clippedLoss, numUpdateEpochs: 3 } });
      await policy.create(smallCohort, [threeEpochs]);
      const [stats] = await update(turnsOf(0, 1), [5]);
      // Right after create no ratio is near a bound, so what is clipped was clipped in epoch two or three: at most 2/3.
      expect(stats!.clipFraction).toBeGreaterThan(0);
      expect(stats!.clipFraction).toBeLessThanOrEqual(2 / 3 + 1e-6);
      expect(stats!.clipFraction).toBeCloseTo(stats!.clipFractionLow + stats!.clipFractionHigh, 12);
      expect(stats!.gradNormMax).toBeGreaterThan(stats!.gradNorm);
    });
  });
}

function describeAngles(): void {
  describe('the angles between agents', () => {
    test('have a cosine between −1 and 1 where agents share the policy, and null where one is alone', async () => {
      await policy.create(smallCohort, [hyper(1)]);
      const shared = await update(turnsOf(0, 3));
      for (const { agent, gradCosines } of shared) {
        expect(gradCosines.map((pair) => pair.agent)).toEqual([0, 1, 2].filter((a) => a !== agent));
        for (const { agent: other, cosine } of gradCosines) {
          expect(Math.abs(cosine)).toBeLessThan(1 + 1e-6);
          const back = shared.find((stats) => stats.agent === other)!.gradCosines;
          expect(back.find((pair) => pair.agent === agent)!.cosine).toBe(cosine);
        }
      }
      for (const { gradCosine } of shared) {
        expect(gradCosine).toBeGreaterThan(-1 - 1e-6);
        expect(gradCosine).toBeLessThan(1 + 1e-6);
      }
      const [alone] = await update(turnsOf(0, 1));
      expect(alone!.gradCosine).toBeNull();
      expect(alone!.gradCosines).toEqual([]);
    });

    test('have cosine 1 for two agents with the same turns, and −1 for opposite advantages', async () => {
      const noBonus: LossSpec = { ...clippedLoss, entropyCoef: 0 };
      await policy.create(smallCohort, [hyper(1, { loss: noBonus })]);
      const turn = { prompt: [1, 2], action: [3, 4], oldLogprobs: [-2, -2] };
      const first = { ...turn, agent: 0, advantage: 1 };
      for (const sign of [1, -1]) {
        const agents = await update([first, { ...turn, agent: 1, advantage: sign }], [0]);
        expect(agents).toHaveLength(2);
        for (const { gradCosine, gradCosines } of agents) {
          expect(gradCosine).toBeCloseTo(sign, 5);
          expect(gradCosines[0]!.cosine).toBeCloseTo(sign, 5);
        }
      }
    });
  });
}

function testEmptyUpdate(): void {
  test('the statistics of a batch without turns are empty, and it changes nothing', async () => {
    await policy.create(smallCohort, [hyper(1)]);
    const before = await probe(policy, 0);
    expect(await update([])).toEqual([]);
    expect(await probe(policy, 0)).toEqual(before);
  });
}

function describeReplicas(): void {
  describe('the replicas of a policy', () => {
    test('without turns in the batch keep their weights to the last bit, while the others move', async () => {
      await policy.create(smallCohort, [hyper(1), hyper(2)]);
      const before = [await probe(policy, 0), await probe(policy, 1)];
      const agents = await update(turnsOf(1, 2), [0.01, 0.01]);
      expect(agents.map(({ replica }) => replica)).toEqual([1, 1]);
      expect(await probe(policy, 0)).toEqual(before[0]);
      expect(await probe(policy, 1)).not.toEqual(before[1]);
    });

    test('move by their own learning rate', async () => {
      await policy.create(smallCohort, [hyper(1), hyper(1)]);
      const before = await probe(policy, 0);
      await update([...turnsOf(0, 1), ...turnsOf(1, 1)], [0, 0.01]);
      expect(await probe(policy, 0)).toEqual(before);
      expect(await probe(policy, 1)).not.toEqual(before);
    });

    test('start equal for arms of one seed, and stay equal under equal turns', async () => {
      await policy.create(smallCohort, [hyper(1), hyper(2), hyper(1)]);
      const [first, other, twin] = [
        await probe(policy, 0),
        await probe(policy, 1),
        await probe(policy, 2),
      ];
      expect(twin).toEqual(first);
      expect(other).not.toEqual(first);
      await update([...turnsOf(0, 2), ...turnsOf(1, 2), ...turnsOf(2, 2)], [0.01, 0.01, 0.01]);
      expect(await probe(policy, 2)).toEqual(await probe(policy, 0));
      expect(await probe(policy, 2)).not.toEqual(first);
    });

    test('of two policies differ though their seed is one', async () => {
      await policy.create(smallCohort, [hyper(1)]);
      const solver = await probe(policy, 0);
      await policy.create({ ...smallCohort, policyId: 'verifier' }, [hyper(1)]);
      expect(await probe(policy, 0)).not.toEqual(solver);
      await policy.create(smallCohort, [hyper(1)]);
      expect(await probe(policy, 0)).toEqual(solver);
    });

    test('learn the same from one batch as alone', async () => {
      await policy.create(smallCohort, [hyper(1), hyper(2)]);
      const together = await update([...turnsOf(0, 2), ...turnsOf(1, 2)], [0.01, 0.01]);
      const weights = await probe(policy, 1);
      await policy.create(smallCohort, [hyper(1), hyper(2)]);
      const alone = await update(turnsOf(1, 2), [0.01, 0.01]);
      expect(together.filter(({ replica }) => replica === 1)).toEqual(alone);
      expect(await probe(policy, 1)).toEqual(weights);
    });
  });
}

function describeNonFinite(): void {
  describe.each([NaN, Infinity])('an advantage of %d', (advantage) => {
    test('skips the update: the norm says so, the weights stay, the next update works', async () => {
      await policy.create(smallCohort, [hyper(1)]);
      const before = await probe(policy, 0);
      const [stats] = await update(turnsOf(0, 1, advantage));
      expect(stats!.updateSkipped).toBe(1);
      expect(Number.isFinite(stats!.gradNorm)).toBe(false);
      expect(await probe(policy, 0)).toEqual(before);
      const [next] = await update(turnsOf(0, 1));
      expect(next!.updateSkipped).toBe(0);
      expect(await probe(policy, 0)).not.toEqual(before);
    });

    test('skips one replica alone: the others learn as if it were not there', async () => {
      const replicas = [hyper(1), hyper(2), hyper(3)];
      const rates = [0.01, 0.01, 0.01];
      const healthy = [...turnsOf(0, 2), ...turnsOf(2, 2)];
      await policy.create(smallCohort, replicas);
      const untouched = await probe(policy, 1);
      const alone = await update(healthy, rates);
      const expected = [await probe(policy, 0), await probe(policy, 2)];
      await policy.create(smallCohort, replicas);
      const together = await update([...healthy, ...turnsOf(1, 2, advantage)], rates);
      expect(together.filter(({ replica }) => replica !== 1)).toEqual(alone);
      expect([await probe(policy, 0), await probe(policy, 2)]).toEqual(expected);
      expect(await probe(policy, 1)).toEqual(untouched);
      for (const { updateSkipped } of together.filter(({ replica }) => replica === 1))
        expect(updateSkipped).toBe(1);
    });

    test('counts every update epoch that it cost', async () => {
      const threeEpochs = hyper(1, { loss: { ...clippedLoss, numUpdateEpochs: 3 } });
      await policy.create(smallCohort, [threeEpochs]);
      const [stats] = await update(turnsOf(0, 1, advantage));
      expect(stats!.updateSkipped).toBe(3);
      expect(Number.isFinite(stats!.gradNormMax)).toBe(false);
    });
  });
}

function testSupervised(): void {
  test('ten supervised updates lower the cross-entropy from near ln 7 at every step', async () => {
    await policy.create(smallCohort, [hyper(1)]);
    const losses: number[] = [];
    for (let step = 0; step < 10; step++) {
      const batch = toUpdateBatch(turnsOf(0, 1), 'supervised', [0.03]);
      const [stats] = (await policy.update(batch)).agents;
      losses.push(stats!.policyLoss);
      expect(stats!.approxKl).toBe(0);
    }
    expect(losses[0]).toBeCloseTo(Math.log(7), 1);
    for (const [step, loss] of losses.slice(1).entries()) expect(loss).toBeLessThan(losses[step]!);
    expect(losses.at(-1)).toBeLessThan(losses[0]! / 2);
  });
}

function testGradient(): void {
  test('a policy gradient makes a rewarded token likelier and a punished one less likely', async () => {
    const loss: LossSpec = { ...clippedLoss, entropyCoef: 0 };
    await policy.create(smallCohort, [hyper(1, { optimizer: plainSgd, loss })]);
    const logprob = Math.log(1 / 7);
    const turn = { agent: 0, prompt: [1], oldLogprobs: [logprob] };
    const chosenLogprob = async (action: number): Promise<number> => {
      // An update with learning rate 0 and no momentum reads the cross-entropy of one token and changes nothing.
      const turns = [{ ...turn, action: [action], advantage: 0 }];
      const { agents } = await policy.update(toUpdateBatch(turns, 'supervised', [0]));
      return -agents[0]!.policyLoss;
    };
    const before = [await chosenLogprob(2), await chosenLogprob(5)];
    await update(
      [
        { ...turn, action: [2], advantage: 1 },
        { ...turn, action: [5], advantage: -1 },
      ],
      [0.1],
    );
    expect(await chosenLogprob(2)).toBeGreaterThan(before[0]! + 0.01);
    expect(await chosenLogprob(5)).toBeLessThan(before[1]! - 0.01);
  });
}

function describeUnusable(): void {
  describe('before create and after dispose', () => {
    const message = 'used before create() or after dispose()';

    async function expectUnusable(): Promise<void> {
      const calls = toSampleCalls([{ prompt: [1], actionLength: 1, noise: 1 }]);
      await expect(async () => policy.sample(calls)).rejects.toThrow(message);
      await expect(async () => update(turnsOf(0, 1))).rejects.toThrow(message);
    }

    test('sampling and updating are errors that say so', async () => {
      await expectUnusable();
      await policy.create(smallCohort, [hyper(1)]);
      await expect(probe(policy, 0)).resolves.toHaveLength(24);
      await policy.dispose();
      await expectUnusable();
    });
  });
}

/** Declares the tests of one kind of policy. */
export function policyContract(createPolicy: () => PolicyEngine): void {
  beforeEach(() => {
    policy = createPolicy();
  });
  afterEach(() => policy.dispose());
  describeStatistics();
  describeAngles();
  testEmptyUpdate();
  describeReplicas();
  describeNonFinite();
  describeCheckpoints(() => policy);
  describeHypers(() => policy);
  describeGradients(() => policy);
  describeInfluence(() => policy);
  testSupervised();
  testGradient();
  describeUnusable();
}
