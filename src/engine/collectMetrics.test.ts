import { expect, test } from 'vitest';
import { defaultSpec } from '../config/defaults';
import type { AgentUpdateStats } from '../protocol/policyApi';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps } from './advantages';
import { planExperiment, type ReplicaPlan } from './cohorts';
import { countTokens, iterationRows } from './collectMetrics';
import type { Trajectory, Turn } from './rollout';

const [router, search, answer] = [0, 1, 2];

function turn(agent: number, changes: Partial<Turn> = {}): Turn {
  return {
    agent,
    turnIndex: 0,
    promptTokens: Int32Array.of(1, 2, 3),
    actionTokens: Int32Array.of(4),
    rolloutLogprobs: Float32Array.of(-1),
    isValid: true,
    penalty: 0,
    anchor: 0,
    invocation: null,
    ...changes,
  };
}

/** Two rollouts of one task: one answers at once and is right, one has an invalid router action and ends. */
const trajectories: Trajectory[] = [
  { replica: 0, task: 0, teamReward: 1, rewards: null, turns: [turn(router), turn(answer)] },
  {
    replica: 0,
    task: 0,
    teamReward: 0,
    rewards: null,
    turns: [turn(router, { isValid: false, penalty: 0.5 })],
  },
];

const stats: AgentUpdateStats = {
  replica: 0,
  agent: router,
  gradNorm: 2,
  gradNormMax: 3,
  gradCosine: null,
  updateSkipped: 0,
  policyLoss: 0.1,
  entropy: 0.2,
  approxKl: 0.01,
  clipFraction: 0,
  clipFractionLow: 0,
  clipFractionHigh: 0,
  refKl: null,
  samplerMismatch: 1e-9,
  effectiveSampleSize: 1,
};

function rowsOf(plan: ReplicaPlan) {
  return iterationRows(7, {
    plan,
    trajectories,
    scored: scoreSteps(trajectories, plan.training, keyFromSeed(0)),
    updates: new Map([[plan.seats[router]!.cohort, { agents: [stats] }]]),
    learningRates: [0.3, 0.2, 0.1],
    tokenCount: 100,
  });
}

const plan = planExperiment({ ...defaultSpec, seeds: [5] }).replicas[0]!;

test('an agent’s row holds its own steps: counts, validity, rewards and the squares of its advantages', () => {
  const row = rowsOf(plan).find(({ agent }) => agent === 'router')!;
  expect(row).toMatchObject({ iteration: 7, arm: 'global', seed: 5 });
  // Scores 1 and 0 − 0.5. Per trajectory: means 1 and −0.5, mean 0.25, sample std 1.5/√2; A = ± 0.75 · √2/1.5 = ± 1/√2.
  expect(row.values).toMatchObject({ numTurns: 2, validActionRate: 0.5, rewardMean: 0.25 });
  expect(row.values.advSecondMoment).toBeCloseTo(0.5, 5);
  expect(row.values.advAbsMax).toBeCloseTo(Math.SQRT1_2, 5);
  // Nearest rank of two values: the second.
  expect(row.values.advAbsP99).toBe(row.values.advAbsMax);
  expect(row.values).toMatchObject({ meanGap: 0, varianceRatio: 1 });
  // Every trajectory has one router step, so the router's statistics are the task's: factor 1.
  expect(row.values.advSecondMomentPredicted).toBeCloseTo(1, 9);
  expect(row.values).toMatchObject({
    gradNorm: 2,
    gradNormMax: 3,
    entropy: 0.2,
    learningRate: 0.3,
  });
  expect(row.values).not.toHaveProperty('gradCosine');
});

test('an agent that acts only on the winning branch is predicted to be inflated', () => {
  const row = rowsOf(plan).find(({ agent }) => agent === 'answer')!;
  // σₖ = 0, μₖ − μ = 1 − 0.25, σ = 0.75 (population): (0 + 0.75²)/0.75² = 1, the bound N − 1 for N = 2.
  expect(row.values.advSecondMomentPredicted).toBeCloseTo(1, 9);
  expect(row.values.rewardStd).toBe(0);
  expect(row.values).not.toHaveProperty('gradNorm');
});

test('an agent without a turn has no statistics, and nothing is NaN', () => {
  const rows = rowsOf(plan);
  expect(rows.find(({ agent }) => agent === 'search')!.values).toEqual({ numTurns: 0 });
  expect(rows).toHaveLength(4);
  for (const { values } of rows)
    for (const value of Object.values(values)) expect(value).not.toBeNaN();
  expect(search).toBe(1);
});

test('the team’s row counts outcomes, penalties and turns', () => {
  const row = rowsOf(plan).find(({ agent }) => agent === 'team')!;
  // One of two solved; return (1 + 0 − 0.5)/2; three turns in two episodes.
  expect(row.values).toEqual({
    success: 0.5,
    teamReward: 0.25,
    episodeTurns: 1.5,
    nonFiniteRewards: 0,
    tokenCount: 100,
  });
  // Three turns of three prompt tokens and one action token.
  expect(countTokens(trajectories)).toBe(12);
});

test('scores that are not finite are counted, have advantage 0 and leave no NaN', () => {
  const broken: Trajectory = {
    replica: 0,
    task: 0,
    teamReward: NaN,
    rewards: null,
    turns: [turn(router)],
  };
  const all = [...trajectories, broken];
  const { training } = plan;
  const scored = scoreSteps(all, training, keyFromSeed(0));
  const rows = iterationRows(1, {
    plan,
    trajectories: all,
    scored,
    updates: new Map(),
    learningRates: [0, 0, 0],
    tokenCount: 0,
  });
  expect(rows.at(-1)!.values.nonFiniteRewards).toBe(1);
  expect(scored.result.advantages.at(-1)).toBe(0);
  const routed = rows.find(({ agent }) => agent === 'router')!.values;
  expect(routed.advSecondMoment).toBeGreaterThan(0);
  for (const value of Object.values(routed)) expect(value).not.toBeNaN();
});
