import { describe, expect, test } from 'vitest';
import { defaultLosses, defaultSpec } from '../config/defaults';
import type { LossSpec } from '../config/experimentSpec';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps } from './advantages';
import { planExperiment } from './cohorts';
import type { ReplicaBatch } from './learning';
import { klRewards, lossFactors } from './lossFactors';
import { initialMemory } from './memory';
import { stepsOf } from './steps';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';

const logs = (...ratios: number[]): Float32Array => Float32Array.from(ratios, Math.log);

/** Two rollouts: router and answer of two tokens; router. The sampler gave every token probability 1, the trainer what `ratios` say. */
function batchUnder(
  changes: Partial<LossSpec>,
  ratios: readonly Float32Array[],
  agents = defaultSpec.agents,
): ReplicaBatch {
  const loss = Object.assign({}, defaultLosses.clip, { oldLogprobs: 'trainer' }, changes);
  const replica = planExperiment({ ...defaultSpec, agents, loss, seeds: [0] }).replicas[0]!;
  const two = { actionTokens: Int32Array.of(4, 5), rolloutLogprobs: Float32Array.of(0, 0) };
  const one = { rolloutLogprobs: Float32Array.of(0) };
  const steps = stepsOf(replica, [
    madeUpTrajectory([madeUpTurn(0, one), madeUpTurn(2, two)], { teamReward: 1 }),
    madeUpTrajectory([madeUpTurn(0, one)]),
  ]);
  const memory = initialMemory(replica);
  const inputs = { key: keyFromSeed(0), baselines: memory.baselines, critic: null };
  const scored = scoreSteps(steps, replica.training, inputs);
  return { replica, scored, oldLogprobs: ratios, tagScales: null, critic: null, memory };
}

const ratios = [logs(3), logs(2, 0.5), logs(0.25)];
const oneMinibatch = new Int32Array(2);
const rounded = (factors: readonly (Float64Array | null)[]): (number[] | null)[] =>
  factors.map((turn) => turn && [...turn].map((factor) => Number(factor.toFixed(6))));
const factorsUnder = (changes: Partial<LossSpec>): (number[] | null)[] =>
  rounded(lossFactors(batchUnder(changes, ratios), [0, 1, 2], oneMinibatch));

/** All agents of the default world on one policy. */
const shared = Object.fromEntries(
  Object.entries(defaultSpec.agents).map(([agent, setting]) => [
    agent,
    { ...setting, policy: 'router' },
  ]),
);

test('without a correction and a balance there are no factors', () => {
  expect(factorsUnder({})).toEqual([null, null, null]);
});

test('truncated importance weights: min(π_old/π_sampler, 2), by token or by the product over the turn', () => {
  const limits = { samplerWeightHigh: 2, samplerWeightLow: 0.4 };
  expect(factorsUnder({ samplerCorrection: 'tokenTruncate', ...limits })).toEqual([
    [2],
    [2, 0.5],
    [0.25],
  ]);
  expect(factorsUnder({ samplerCorrection: 'sequenceTruncate', ...limits })).toEqual([
    [2],
    [1, 1],
    [0.25],
  ]);
});

test('masked importance weights: 0 outside the band', () => {
  const limits = { samplerWeightHigh: 2.5, samplerWeightLow: 0.4 };
  expect(factorsUnder({ samplerCorrection: 'tokenMask', ...limits })).toEqual([[0], [2, 0.5], [0]]);
  expect(factorsUnder({ samplerCorrection: 'sequenceMask', ...limits })).toEqual([
    [0],
    [1, 1],
    [0],
  ]);
});

test('agents are balanced by 1/n, which multiplies a correction', () => {
  // Two router steps, one answer step: 1/2, 1, 1/2, scaled to mean 1.
  expect(factorsUnder({ balance: 'agentFrequency' })).toEqual([[0.75], [1.5, 1.5], [0.75]]);
  expect(factorsUnder({ balance: 'agentFrequency', samplerCorrection: 'tokenTruncate' })).toEqual([
    [1.5],
    [3, 0.75],
    [0.1875],
  ]);
});

describe('rollouts are balanced by their own token means', () => {
  test('of all turns that one policy wrote in one minibatch', () => {
    const batch = batchUnder({ balance: 'rollout' }, ratios, shared);
    // Four tokens, two rollouts of three and one: 4/(2·3) and 4/(2·1).
    expect(rounded(lossFactors(batch, [0, 1, 2], oneMinibatch))).toEqual([
      [0.666667],
      [0.666667, 0.666667],
      [2],
    ]);
  });

  test('but apart in two minibatches: each has one rollout, whose token mean its divisor gives already', () => {
    const batch = batchUnder({ balance: 'rollout' }, ratios, shared);
    expect(rounded(lossFactors(batch, [0, 1, 2], Int32Array.of(0, 1)))).toEqual([[1], [1, 1], [1]]);
  });

  test('and apart by policy: the router wrote one token in either rollout, the answerer in one alone', () => {
    expect(factorsUnder({ balance: 'rollout' })).toEqual([[1], [1, 1], [1]]);
  });

  test('a turn of weight 3 is three turns: 6 tokens, rollouts of three and three', () => {
    const plain = batchUnder({ balance: 'rollout' }, ratios, shared);
    const batch = { ...plain, scored: { ...plain.scored, weights: Float64Array.of(1, 1, 3) } };
    expect(rounded(lossFactors(batch, [0, 1, 2], oneMinibatch))).toEqual([[1], [1, 1], [1]]);
  });
});

test('a turn of weight 3 is three turns of its agent: 4 router turns and 1 answer turn', () => {
  const plain = batchUnder({ balance: 'agentFrequency' }, ratios);
  const batch = { ...plain, scored: { ...plain.scored, weights: Float64Array.of(1, 1, 3) } };
  // 1/4 and 1; five turns of two groups, so the mean of 1/n is 2/5.
  expect(rounded(lossFactors(batch, [0, 1, 2], oneMinibatch))).toEqual([
    [0.625],
    [2.5, 2.5],
    [0.625],
  ]);
});

test('a balance is over the steps that are learned from', () => {
  const batch = batchUnder({ balance: 'agentFrequency' }, ratios);
  expect(lossFactors(batch, [0, 1], oneMinibatch)).toEqual([
    Float64Array.of(1),
    Float64Array.of(1, 1),
  ]);
});

test('a KL penalty in the reward is −β times the sum over a turn’s tokens', () => {
  const loss: LossSpec = { ...defaultLosses.clip, refKlCoef: 0.5, refKlEstimator: 'k1' };
  const reference = [logs(1), logs(1, 1)];
  const rewards = klRewards(loss, [logs(2), logs(2, 0.5)], reference);
  expect(rewards[0]).toBeCloseTo(-0.5 * Math.log(2), 6);
  expect(rewards[1]).toBeCloseTo(0, 6);
});

test('a token that the reference hardly takes costs at most what a log-ratio of 20 does', () => {
  const loss: LossSpec = { ...defaultLosses.clip, refKlCoef: 1, refKlEstimator: 'k1' };
  const rewards = klRewards(loss, [Float32Array.of(-1)], [Float32Array.of(-500)]);
  expect(rewards[0]).toBeCloseTo(-20, 4);
});
