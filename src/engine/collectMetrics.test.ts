import { expect, test } from 'vitest';
import {
  defaultEstimators,
  defaultGroups,
  defaultLosses,
  defaultPulses,
  defaultSpec,
} from '../config/defaults';
import type { AgentUpdateStats } from '../protocol/policyApi';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps } from './advantages';
import { planExperiment, type ReplicaPlan } from './cohorts';
import { countTokens, iterationRows, type ReplicaIteration } from './collectMetrics';
import type { Trajectory } from './experience';
import { initialMemory } from './memory';
import { stepsOf } from './steps';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';

const [router, search, answer] = [0, 1, 2];

const turn = madeUpTurn;

/** Two rollouts of one task: one answers at once and is right, one has an invalid router action and ends. */
const trajectories: Trajectory[] = [
  madeUpTrajectory([turn(router), turn(answer)], { teamReward: 1 }),
  madeUpTrajectory([
    turn(router, {
      isValid: false,
      penalty: 0.5,
      judgement: { tag: 'unreadable', localReward: 0 },
    }),
  ]),
];

const stats: AgentUpdateStats = {
  replica: 0,
  agent: router,
  gradNorm: 2,
  gradNormMax: 3,
  gradCosine: null,
  gradCosines: [],
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

function observation(plan: ReplicaPlan, played: readonly Trajectory[]): ReplicaIteration {
  const { baselines } = initialMemory(plan);
  const inputs = { key: keyFromSeed(0), baselines, critic: null };
  const scored = scoreSteps(stepsOf(plan, played), plan.training, inputs);
  return {
    plan,
    iteration: 7,
    scored,
    oldLogprobs: scored.turns.map(({ rolloutLogprobs }) => rolloutLogprobs),
    tagScales: null,
    critic: null,
    pulseSteps: 0,
    updates: new Map([[plan.seats[router]!.cohort, { agents: [stats] }]]),
    learningRates: [0.3, 0.2, 0.1],
    gradients: null,
    tokenCount: 100,
  };
}

const rowsOf = (plan: ReplicaPlan) => iterationRows(observation(plan, trajectories));

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
  expect(row.values).toMatchObject({ passRate: 0.5, unreadableRate: 0.5, wrongCallRate: 0 });
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
  const broken = madeUpTrajectory([turn(router)], { teamReward: NaN });
  const data = { ...observation(plan, [...trajectories, broken]), updates: new Map() };
  const rows = iterationRows(data);
  expect(rows.at(-1)!.values.nonFiniteRewards).toBe(1);
  expect(data.scored.advantages.at(-1)).toBe(0);
  const routed = rows.find(({ agent }) => agent === 'router')!.values;
  expect(routed.advSecondMoment).toBeGreaterThan(0);
  for (const value of Object.values(routed)) expect(value).not.toBeNaN();
});

test('what is logged only where its setting is in use', () => {
  const { estimator: _estimator, ...rest } = defaultSpec;
  const spec = {
    ...rest,
    estimator: defaultEstimators.movingBaseline,
    loss: { ...defaultLosses.clip, dynamicSampling: true, oldLogprobs: 'trainer' as const },
    groups: { ...defaultGroups.parallel, staleIterations: 3 },
    pulses: defaultPulses.period,
    arms: [{ name: 'only', overrides: {} }],
    seeds: [5],
  };
  const [own] = planExperiment(spec).replicas;
  const flat = madeUpTrajectory([turn(router)], { task: 1 });
  const base = observation(own!, [...trajectories, flat]);
  const critic = {
    explainedVariance: 0.5,
    update: { replica: 0, valueLoss: 0.2, gradNorm: 3, updateSkipped: 0 },
  };
  const rows = iterationRows({
    ...base,
    iteration: 2,
    critic,
    pulseSteps: 8,
    tagScales: new Float64Array(base.scored.turns.length).fill(1.5),
    // log 2 above what the sampler recorded: ρ = 2 everywhere, k3 = 2 − 1 − log 2, and no token counts less than another.
    oldLogprobs: base.oldLogprobs.map((tokens) => tokens.map((logprob) => logprob + Math.log(2))),
  });
  expect(rows.at(-1)!.values).toMatchObject({
    // Task 0 has two rewards, task 1 one; version 1 of the policy learns from version 0's rollouts.
    keptTaskFraction: 0.5,
    policyAge: 1,
    pulseSteps: 8,
    valueLoss: 0.2,
    valueGradNorm: 3,
    explainedVariance: 0.5,
  });
  const { values } = rows[router]!;
  expect(values.failureScale).toBe(1.5);
  expect(values.samplerMismatch).toBeCloseTo(1 - Math.log(2), 6);
  expect(values.effectiveSampleSize).toBeCloseTo(1, 6);
  // Rewards 1, −0.5 and 0 of the router, decay 0.95: 0.05, then 0.0225, then 0.021375.
  expect(values.roleBaseline).toBeCloseTo(0.021375, 12);
  // No groups, so no shares of groups.
  expect(values).not.toHaveProperty('zeroStdGroupFraction');
});
