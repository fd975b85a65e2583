import { expect, test } from 'vitest';
import { defaultLosses } from '../config/defaults';
import type { LossSpec, OptimizerSpec } from '../config/experimentSpec';
import { requestComputeDevice } from '../gpu/device';
import { dawnGpu } from '../gpu/testing/dawnDevice';
import type {
  AgentUpdateStats,
  ReplicaHyper,
  SegmentGradients,
  UpdateBatch,
} from '../protocol/policyApi';
import { foldIn, keyFromSeed, normal, uniform, uniformInt } from '../rl/rng';
import { createCompiledPolicy } from './compiledPolicy';
import { smallCohort, toUpdateBatch, type PlainTurn } from './golden/smallCohort';
import { adamw } from './testing/contractTurns';
import { toScoreTurns } from './testing/influenceContract';
import { policyContract } from './testing/policyContract';
import type { PolicyEngine } from './policyEngine';
import { createTfjsPolicy } from './tfjsPolicy';

/** The compiled engine against the tfjs policy on `cpu`: what updates report, and where weights go, over ten steps. */

const clippedAdamw: OptimizerSpec = { ...adamw, maxGradNorm: 0.5 };

const cohort = { ...smallCohort, architecture: { ...smallCohort.architecture, numLayers: 2 } };

/** Turns of one iteration of a replica: uneven over agents and minibatches; some alike. Old log-probabilities near uniform. */
function drawnTurns(replica: number): PlainTurn[] {
  const key = foldIn(keyFromSeed(5), replica);
  const turns = Array.from({ length: 14 }, (_, index): PlainTurn => {
    const draw = (at: number, below: number): number => uniformInt(foldIn(key, index), at, below);
    const actionLength = 1 + draw(0, 3);
    return {
      replica,
      agent: draw(2, 3),
      minibatch: draw(3, 2),
      weight: draw(4, 2) === 0 ? 1 : 1.5,
      prompt: Array.from({ length: 1 + draw(5, 4) }, (__, i) => draw(10 + i, 7)),
      action: Array.from({ length: actionLength }, (__, i) => draw(20 + i, 7)),
      oldLogprobs: Array.from(
        { length: actionLength },
        (__, i) => -2 + 0.6 * uniform(foldIn(key, index), 30 + i),
      ),
      lossFactors: Array.from(
        { length: actionLength },
        (__, i) => 0.5 + uniform(foldIn(key, index), 40 + i),
      ),
      advantage: normal(foldIn(key, index), 50),
    };
  });
  return [...turns, ...turns.slice(0, 3)];
}

const placeOf = ({ replica, agent }: AgentUpdateStats): string => `${replica} ${agent}`;

/** Every number by name, the cosines of pairs by the other agent. */
function numbersOf({ gradCosines, ...stats }: AgentUpdateStats): Record<string, number | null> {
  const pairs = gradCosines.map(({ agent, cosine }) => [`cosine with ${agent}`, cosine] as const);
  return { ...stats, ...Object.fromEntries(pairs) };
}

/** What differs by more than 1e-4 + 2e-3·|reference|: the steps before have moved the weights a little apart. */
function differences(actual: AgentUpdateStats, expected: AgentUpdateStats): string[] {
  const reference = Object.entries(numbersOf(expected));
  const own = new Map(Object.entries(numbersOf(actual)));
  return reference.flatMap(([name, value]) => {
    const other = own.get(name) ?? null;
    const isAlike =
      value === null || other === null || Number.isNaN(value)
        ? Object.is(value, other)
        : Math.abs(other - value) <= 1e-4 + 2e-3 * Math.abs(value);
    return isAlike ? [] : [`${placeOf(expected)} ${name}: ${other}, on cpu ${value}`];
  });
}

const losses: Record<string, LossSpec> = {
  clip: { ...defaultLosses.clip, dualClip: 3, entropyCoef: 0.05, numUpdateEpochs: 2 },
  gspo: { ...defaultLosses.gspo, aggregation: 'sequenceMean' },
  gspoToken: { ...defaultLosses.gspoToken, aggregation: 'constantLength' },
  cispoAbsolute: { ...defaultLosses.cispoAbsolute, maxMeanLogRatio: 0.1 },
  cispoBand: defaultLosses.cispoBand,
  sapo: defaultLosses.sapo,
  'a KL penalty': { ...defaultLosses.clip, refKlCoef: 0.3, refKlEstimator: 'k3' },
};

async function bothPolicies(hypers: readonly ReplicaHyper[]) {
  const tfjs = createTfjsPolicy();
  // A device of its own: a policy that is disposed of takes it along.
  const compiled = createCompiledPolicy(
    () => requestComputeDevice(dawnGpu()),
    () => 0,
  );
  const policies: readonly [PolicyEngine, PolicyEngine] = [tfjs, compiled];
  await tfjs.create(cohort, hypers);
  await compiled.create(cohort, hypers);
  for (const policy of policies) await policy.keepReference();
  const both = <T>(call: (policy: PolicyEngine) => Promise<T>): Promise<[T, T]> =>
    Promise.all([call(tfjs), call(compiled)]);
  return { both };
}

test('ten updates under seven losses and two optimizers, stacked, are those of tfjs', async () => {
  const sgd: OptimizerSpec = { kind: 'sgd', learningRate: 0.1, momentum: 0.5, maxGradNorm: 1 };
  const hypers = Object.values(losses).map((loss, seed): ReplicaHyper => ({
    seed,
    optimizer: seed % 2 === 0 ? clippedAdamw : sgd,
    loss,
  }));
  const { both } = await bothPolicies(hypers);
  const rates = hypers.map(({ optimizer }) => (optimizer.kind === 'sgd' ? 0.1 : 0.003));
  const turns = hypers.flatMap((_, replica) => drawnTurns(replica));
  for (let step = 0; step < 10; step++) {
    const objective: UpdateBatch['objective'] = step === 0 ? 'supervised' : 'policyGradient';
    const batch = () => toUpdateBatch(turns, objective, rates);
    const [expected, actual] = await both((policy) => policy.update(batch()));
    expect(actual.agents.map(placeOf)).toEqual(expected.agents.map(placeOf));
    expect(expected.agents.flatMap((stats, i) => differences(actual.agents[i]!, stats))).toEqual(
      [],
    );
  }
  const [expected, actual] = await both((policy) =>
    policy.score(toUpdateBatch(turns, 'policyGradient', rates), 'current'),
  );
  for (const [cell, value] of expected.entries())
    expect(Math.abs(actual[cell]! - value)).toBeLessThan(1e-3 * (1 + Math.abs(value)));
  await both((policy) => policy.dispose());
});

/** Gradients of a replica are compared as a whole: an angle of two small ones may lie anywhere. */
function expectAlike(actual: SegmentGradients, expected: SegmentGradients): void {
  expect([actual.replica, actual.segments]).toEqual([expected.replica, expected.segments]);
  for (const name of ['products', 'tensorSquares'] as const) {
    const scale = Math.max(...expected[name].map(Math.abs));
    expect(scale).toBeGreaterThan(0);
    expect(actual[name]).toHaveLength(expected[name].length);
    for (const [place, value] of expected[name].entries())
      expect(Math.abs(actual[name][place]! - value)).toBeLessThan(1e-4 * scale);
  }
}

test('gradients that are measured and not applied are those of tfjs under seven losses, also after an update', async () => {
  const hypers = Object.values(losses).map((loss, seed): ReplicaHyper => ({
    seed,
    optimizer: clippedAdamw,
    loss,
  }));
  const { both } = await bothPolicies(hypers);
  const rates = hypers.map(() => 0.003);
  const turns = hypers.flatMap((_, replica) => drawnTurns(replica));
  const batch = () => toUpdateBatch(turns, 'policyGradient', rates);
  for (let round = 0; round < 2; round++) {
    const [expected, actual] = await both((policy) => policy.segmentGradients(batch()));
    expect(actual).toHaveLength(hypers.length);
    for (const [index, own] of actual.entries()) expectAlike(own, expected[index]!);
    await both((policy) => policy.update(batch()));
  }
  await both((policy) => policy.dispose());
});

test('the influence of prompts under seven losses, stacked, is that of tfjs, also after an update', async () => {
  const hypers = Object.values(losses).map((loss, seed): ReplicaHyper => ({
    seed,
    optimizer: clippedAdamw,
    loss,
  }));
  const { both } = await bothPolicies(hypers);
  const rates = hypers.map(() => 0.003);
  const turns = hypers.flatMap((_, replica) => drawnTurns(replica));
  for (let round = 0; round < 2; round++) {
    const [expected, actual] = await both((policy) => policy.promptInfluence(toScoreTurns(turns)));
    expect(actual).toHaveLength(expected.length);
    expect(Math.max(...expected)).toBeGreaterThan(0);
    const far = [...expected.keys()].filter(
      (place) => !(Math.abs(actual[place]! - expected[place]!) <= 1e-3 * expected[place]!),
    );
    expect(far).toEqual([]);
    await both((policy) => policy.update(toUpdateBatch(turns, 'policyGradient', rates)));
  }
  await both((policy) => policy.dispose());
});

test('measuring gradients again and again takes no more memory', async () => {
  const policy = createCompiledPolicy(
    () => requestComputeDevice(dawnGpu()),
    () => 0,
  );
  await policy.create(cohort, [{ seed: 1, optimizer: clippedAdamw, loss: losses['clip']! }]);
  const measured: number[] = [];
  for (let round = 0; round < 4; round++) {
    const turns = drawnTurns(0);
    await policy.segmentGradients(toUpdateBatch(turns, 'policyGradient', [0.003]));
    await policy.promptInfluence(toScoreTurns(turns));
    await policy.update(toUpdateBatch(turns, 'policyGradient', [0.003]));
    const { bytes, numBuffers } = policy.deviceUsage()!.counts();
    measured.push(bytes, numBuffers);
  }
  const [bytes, numBuffers] = measured;
  expect(measured).toEqual(Array.from({ length: 4 }, () => [bytes, numBuffers]).flat());
  await policy.dispose();
});

policyContract(() =>
  createCompiledPolicy(
    () => requestComputeDevice(dawnGpu()),
    () => 0,
  ),
);
