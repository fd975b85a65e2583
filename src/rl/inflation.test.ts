import { describe, expect, test } from 'vitest';
import { mismatch } from './golden/mismatch';
import { groupAdvantages, type EstimatorOptions } from './groupAdvantages';
import {
  agentRewardDiagnostics,
  binaryInflation,
  inflationBound,
  predictedInflation,
} from './inflation';
import { foldIn, keyFromSeed, uniform } from './rng';
import type { StepScores } from './stepScores';

/** Standard deviation of a reward that is 1 with probability `mean` and 0 otherwise. */
function bernoulliStd(mean: number): number {
  return Math.sqrt(mean * (1 - mean));
}

test('an agent with the task’s own statistics has inflation 1', () => {
  expect(predictedInflation(0.3, 0.4, 0.3, 0.4)).toBe(1);
});

test('both spread and distance of the mean inflate', () => {
  // (0.3² + (0.8 − 0.4)²)/0.5² = (0.09 + 0.16)/0.25
  expect(predictedInflation(0.8, 0.3, 0.4, 0.5)).toBeCloseTo(1, 12);
  // (0 + (1 − 0.2)²)/0.4² = 0.64/0.16
  expect(predictedInflation(1, 0, 0.2, 0.4)).toBeCloseTo(4, 12);
});

test('an agent that acts only in the one success of N attains the bound', () => {
  // μ = 1/N, σ² = (1/N)(1 − 1/N), μₖ = 1, σₖ = 0: (1 − 1/N)²/((1/N)(1 − 1/N)) = N − 1.
  for (const size of [2, 5, 8, 64]) {
    const std = Math.sqrt((1 / size) * (1 - 1 / size));
    expect(predictedInflation(1, 0, 1 / size, std)).toBeCloseTo(inflationBound(size), 9);
  }
});

test('the closed form for rewards 0 and 1 is the general one with Bernoulli spreads', () => {
  for (const agentMean of [0, 0.2, 0.8, 1])
    for (const taskMean of [0.096, 0.5, 0.9])
      expect(binaryInflation(agentMean, taskMean)).toBeCloseTo(
        predictedInflation(agentMean, bernoulliStd(agentMean), taskMean, bernoulliStd(taskMean)),
        12,
      );
});

describe('a team that rarely routes to its answerer', () => {
  const numTasks = 400;
  const groupSize = 64;
  const scores = routedScores(numTasks, groupSize);
  const answerer = 1;
  const estimator: EstimatorOptions = {
    scope: 'task',
    unit: 'trajectory',
    center: 'mean',
    scale: 'std',
    ddof: 1,
    epsilon: 1e-6,
    minStd: 1e-6,
    singleton: 'zero',
  };

  function answererSecondMoment(options: EstimatorOptions): number {
    const { advantages } = groupAdvantages(scores, options);
    const own = advantages.filter((_, step) => scores.agentIds[step] === answerer);
    return own.reduce((sum, advantage) => sum + advantage ** 2, 0) / own.length;
  }

  test('the closed form is 7.55', () => {
    // μ = 0.12 · 0.8: 0.8 · 0.904/0.096 + 0.2 · 0.096/0.904 = 7.533 + 0.021
    expect(binaryInflation(0.8, 0.12 * 0.8)).toBeCloseTo(7.55, 2);
  });

  test('simulated global advantages have that second moment within 10 %', () => {
    const measured = answererSecondMoment(estimator);
    expect(Math.abs(measured / binaryInflation(0.8, 0.096) - 1)).toBeLessThan(0.1);
  });

  test('agent-wise advantages stay at 1 or below', () => {
    const measured = answererSecondMoment({ ...estimator, scope: 'taskAgent', unit: 'step' });
    expect(measured).toBeGreaterThan(0.5);
    expect(measured).toBeLessThanOrEqual(1);
  });

  test('the diagnostics find the rates and predict the inflation', () => {
    const diagnostics = agentRewardDiagnostics(scores, 2, 1e-6)[answerer]!;
    // About 3,000 answers: 4 standard errors of a rate are 4 · √(0.8 · 0.2/3,000) = 0.03.
    expect(Math.abs(diagnostics.rewardMean - 0.8)).toBeLessThan(0.03);
    expect(Math.abs(diagnostics.predicted / 7.55 - 1)).toBeLessThan(0.1);
    expect(diagnostics.predictedMax).toBeGreaterThan(diagnostics.predicted);
    expect(diagnostics.predictedMax).toBeLessThanOrEqual(inflationBound(groupSize) + 1e-9);
  });
});

/** Each rollout: agent 0 routes, rightly with 12 %; then agent 1 answers, rightly with 80 %. Reward 1 for a right answer. */
function routedScores(numTasks: number, groupSize: number): StepScores {
  const key = foldIn(keyFromSeed(54), 1);
  const steps = Array.from({ length: numTasks * groupSize }, (_, trajectory) => {
    const isRouted = uniform(key, 2 * trajectory) < 0.12;
    const reward = isRouted && uniform(key, 2 * trajectory + 1) < 0.8 ? 1 : 0;
    const task = Math.floor(trajectory / groupSize);
    const agents = isRouted ? [0, 1] : [0];
    return agents.map((agent) => ({ reward, task, trajectory, agent }));
  }).flat();
  return {
    rewards: Float64Array.from(steps, ({ reward }) => reward),
    taskIds: Int32Array.from(steps, ({ task }) => task),
    trajectoryIds: Int32Array.from(steps, ({ trajectory }) => trajectory),
    agentIds: Int32Array.from(steps, ({ agent }) => agent),
  };
}

describe('diagnostics by hand', () => {
  /** Task 0: trajectory 0 earns 1 (agent 0), trajectory 1 earns 0 (agents 0, 1, 1). Task 1: one trajectory, agent 0. */
  const scores: StepScores = {
    rewards: Float64Array.of(1, 0, 0, 0, 1, NaN),
    taskIds: Int32Array.of(0, 0, 0, 0, 1, 1),
    trajectoryIds: Int32Array.of(0, 1, 1, 1, 2, 2),
    agentIds: Int32Array.of(0, 0, 1, 1, 0, 0),
  };
  const [first, second, third] = agentRewardDiagnostics(scores, 3, 1e-6);

  test('means and spreads weigh tasks by the agent’s steps in them', () => {
    // Agent 0: scores 1, 0 in task 0 (σ = ½) and 1 in task 1 (σ = 0); one more step has no finite score.
    // Mean 2/3; spread (2 · ½ + 1 · 0)/3 = 1/3.
    const { numSteps, rewardMean, rewardStd } = first!;
    expect(numSteps).toBe(4);
    expect(mismatch([rewardMean, rewardStd], [2 / 3, 1 / 3], 1e-12)).toBeNull();
  });

  test('a task without spread is left out of the prediction', () => {
    // Task 0 per trajectory: μ = ½, σ = ½. Agent 0 has the same; agent 1 has μₖ = 0, σₖ = 0: (½)²/(½)² = 1.
    expect([first!.predicted, first!.predictedMax]).toEqual([1, 1]);
    expect([second!.predicted, second!.predictedMax]).toEqual([1, 1]);
  });

  test('the factor is the variance ratio plus the squared gap over the task’s variance, averaged alike', () => {
    // Task 0: σ = ½. Agent 0 has the task's own statistics: gap 0, ratio 1. Agent 1: μₖ = 0, σₖ = 0: gap −½, ratio 0.
    expect([first!.meanGap, first!.varianceRatio]).toEqual([0, 1]);
    expect([second!.meanGap, second!.varianceRatio]).toEqual([-0.5, 0]);
  });

  test('a task without spread counts as 0 in the predicted second moment', () => {
    // Agent 0 has two finite steps in the task with factor 1 and one in the task without spread: (2 · 1 + 1 · 0)/3.
    expect(first!.predictedSecondMoment).toBeCloseTo(2 / 3, 12);
  });

  test('a step without a finite score does not count as its trajectory’s mean', () => {
    // Trajectories earn 1, 0, 0: μ = ⅓, σ² = 2/9. Agent 1 has no score in the first and 0 in the second: (⅓)²/(2/9) = ½.
    const withBad: StepScores = {
      rewards: Float64Array.of(1, NaN, 0, 0),
      taskIds: new Int32Array(4),
      trajectoryIds: Int32Array.of(0, 0, 1, 2),
      agentIds: Int32Array.of(0, 1, 1, 0),
    };
    const { numSteps, predicted, predictedMax } = agentRewardDiagnostics(withBad, 2, 1e-6)[1]!;
    expect(numSteps).toBe(2);
    expect(mismatch([predicted, predictedMax], [0.5, 0.5], 1e-12)).toBeNull();
  });

  test('an agent that never acted has no statistics', () => {
    expect(third).toEqual({
      numSteps: 0,
      rewardMean: NaN,
      rewardStd: NaN,
      predicted: NaN,
      predictedSecondMoment: NaN,
      meanGap: NaN,
      varianceRatio: NaN,
      predictedMax: NaN,
    });
  });

  test('an agent id beyond the number of agents is refused', () => {
    expect(() => agentRewardDiagnostics(scores, 1, 1e-6)).toThrow(
      'agentIds holds 1, but there are 1 agents',
    );
  });
});
