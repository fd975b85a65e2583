import { expect, test } from 'vitest';
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
function batchUnder(changes: Partial<LossSpec>, ratios: readonly Float32Array[]): ReplicaBatch {
  const loss = Object.assign({}, defaultLosses.clip, { oldLogprobs: 'trainer' }, changes);
  const replica = planExperiment({ ...defaultSpec, loss, seeds: [0] }).replicas[0]!;
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
const factorsUnder = (changes: Partial<LossSpec>): (number[] | null)[] =>
  lossFactors(batchUnder(changes, ratios), [0, 1, 2]).map(
    (factors) => factors && [...factors].map((factor) => Number(factor.toFixed(6))),
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

test('agents are balanced by 1/n, rollouts by their own token mean; both multiply a correction', () => {
  // Two router steps, one answer step: 1/2, 1, 1/2, scaled to mean 1.
  expect(factorsUnder({ balance: 'agentFrequency' })).toEqual([[0.75], [1.5, 1.5], [0.75]]);
  // Four tokens, two rollouts of three and one: 4/(2·3) and 4/(2·1).
  expect(factorsUnder({ balance: 'rollout' })).toEqual([[0.666667], [0.666667, 0.666667], [2]]);
  expect(factorsUnder({ balance: 'agentFrequency', samplerCorrection: 'tokenTruncate' })).toEqual([
    [1.5],
    [3, 0.75],
    [0.1875],
  ]);
});

test('a balance is over the steps that are learned from', () => {
  const batch = batchUnder({ balance: 'agentFrequency' }, ratios);
  expect(lossFactors(batch, [0, 1])).toEqual([Float64Array.of(1), Float64Array.of(1, 1)]);
});

test('a KL penalty in the reward is −β times the sum over a turn’s tokens', () => {
  const loss: LossSpec = { ...defaultLosses.clip, refKlCoef: 0.5, refKlEstimator: 'k1' };
  const reference = [logs(1), logs(1, 1)];
  const rewards = klRewards(loss, [logs(2), logs(2, 0.5)], reference);
  expect(rewards[0]).toBeCloseTo(-0.5 * Math.log(2), 6);
  expect(rewards[1]).toBeCloseTo(0, 6);
});
