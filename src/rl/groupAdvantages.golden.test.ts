import { expect, test } from 'vitest';
import { loadAdvantageBounds, loadDrGrpo, loadDrMas, loadGrpo, loadRloo } from './golden/load';
import { mismatch } from './golden/mismatch';
import { groupAdvantages, type EstimatorOptions } from './groupAdvantages';
import { predictedInflation } from './inflation';
import { lossBalanceWeights } from './lossBalance';

/** GRPO as the vectors state it; minStd 0 because they divide by ε alone where the std is 0. */
const grpo: EstimatorOptions = {
  scope: 'task',
  unit: 'trajectory',
  center: 'mean',
  scale: 'std',
  ddof: 1,
  epsilon: 1e-6,
  minStd: 0,
  singleton: 'zero',
};

/** Added to σ² in the diagnostics of the Dr. MAS repository. */
const varianceGuard = 1e-12;

for (const golden of loadGrpo())
  test(`GRPO advantages and group statistics agree with the independent ones: ${golden.id}`, () => {
    const result = groupAdvantages(golden.scores, { ...grpo, ...golden.options });
    expect(mismatch(result.advantages, golden.advantages, golden.tolerance)).toBeNull();
    expect(mismatch(result.center.means, golden.means, golden.tolerance)).toBeNull();
    expect(mismatch(result.center.stds, golden.stds, golden.tolerance)).toBeNull();
    expect(mismatch(result.center.numSamples, golden.numSamples, 0)).toBeNull();
    const numNonFinite = golden.scores.rewards.filter((reward) => Number.isNaN(reward)).length;
    expect(result.numNonFinite).toBe(numNonFinite);
  });

for (const { groupSize, sample, population } of loadAdvantageBounds())
  test(`one success among ${groupSize} attains the largest |A| that Samuelson allows`, () => {
    const scores = {
      rewards: Float64Array.from({ length: groupSize }, (_, index) => (index === 0 ? 1 : 0)),
      taskIds: new Int32Array(groupSize),
      trajectoryIds: Int32Array.from({ length: groupSize }, (_, index) => index),
      agentIds: new Int32Array(groupSize),
    };
    const largest = (ddof: 0 | 1): number =>
      Math.max(...groupAdvantages(scores, { ...grpo, ddof, epsilon: 0 }).advantages.map(Math.abs));
    expect(mismatch([largest(1), largest(0)], [sample, population], 1e-9)).toBeNull();
  });

for (const golden of loadDrMas()) {
  for (const { estimator, expected } of golden.advantages) {
    const { scope, unit, ddof } = estimator;
    test(`Dr. MAS advantages agree: ${golden.id}, ${scope}, ${unit}, ddof ${ddof}`, () => {
      const options = { ...grpo, ...golden.options, ...estimator };
      const { advantages } = groupAdvantages(golden.scores, options);
      expect(mismatch(advantages, expected, golden.tolerance)).toBeNull();
    });
  }

  for (const diagnostic of golden.diagnostics)
    test(`Dr. MAS diagnostics agree: ${golden.id}, task ${diagnostic.task}, agent ${diagnostic.agent}, ddof ${diagnostic.ddof}`, () => {
      const options = { ...grpo, ...golden.options, ddof: diagnostic.ddof };
      const task = groupAdvantages(golden.scores, options).center;
      const agent = groupAdvantages(golden.scores, {
        ...options,
        scope: 'taskAgent',
        unit: 'step',
      }).center;
      const step = golden.scores.taskIds.findIndex(
        (id, index) => id === diagnostic.task && golden.scores.agentIds[index] === diagnostic.agent,
      );
      const taskMean = task.means[task.groupIndices[step]!]!;
      const taskStd = task.stds[task.groupIndices[step]!]!;
      const agentMean = agent.means[agent.groupIndices[step]!]!;
      const agentStd = agent.stds[agent.groupIndices[step]!]!;
      const guardedStd = Math.sqrt(taskStd ** 2 + varianceGuard);
      const actual = [
        agent.numSamples[agent.groupIndices[step]!]!,
        agentMean,
        agentStd,
        taskMean,
        taskStd,
        agentMean - taskMean,
        predictedInflation(taskMean, agentStd, taskMean, guardedStd),
        predictedInflation(agentMean, agentStd, taskMean, guardedStd),
      ];
      const expected = [
        diagnostic.numSteps,
        diagnostic.agentMean,
        diagnostic.agentStd,
        diagnostic.taskMean,
        diagnostic.taskStd,
        diagnostic.meanGap,
        diagnostic.varianceRatio,
        diagnostic.inflation,
      ];
      expect(mismatch(actual, expected, golden.tolerance)).toBeNull();
    });

  test(`loss weights that balance the agents agree: ${golden.id}`, () => {
    const weights = lossBalanceWeights(golden.scores.taskIds, golden.scores.agentIds);
    expect(mismatch(weights, golden.lossBalanceWeights, golden.tolerance)).toBeNull();
  });
}

for (const golden of loadRloo())
  test(`leave-one-out advantages agree: ${golden.id}`, () => {
    const options = { ...grpo, center: 'leaveOneOut', scale: 'none' } as const;
    const { advantages } = groupAdvantages(golden.scores, options);
    expect(mismatch(advantages, golden.advantages, golden.tolerance)).toBeNull();
  });

for (const golden of loadDrGrpo())
  test(`Dr. GRPO and GRPO advantages agree: ${golden.id}`, () => {
    const meanOnly = groupAdvantages(golden.scores, { ...grpo, scale: 'none' }).advantages;
    const standardized = groupAdvantages(golden.scores, grpo).advantages;
    expect(mismatch(meanOnly, golden.meanOnly, golden.tolerance)).toBeNull();
    expect(mismatch(standardized, golden.standardized, golden.tolerance)).toBeNull();
  });
