import { expect, test } from 'vitest';
import { groupAdvantages, type EstimatorOptions } from './groupAdvantages';
import { agentGroupFractions } from './groupFractions';
import type { StepScores } from './stepScores';

/** Task 0: agent 0 earns 1, 0, agent 1 earns 0, 0. Task 1: agent 0 earns 1 once. Task 2: agent 0 has no finite score. */
const scores: StepScores = {
  rewards: Float64Array.of(1, 0, 0, 0, 1, NaN),
  taskIds: Int32Array.of(0, 0, 0, 0, 1, 2),
  trajectoryIds: Int32Array.of(0, 1, 1, 1, 2, 3),
  agentIds: Int32Array.of(0, 0, 1, 1, 0, 0),
};

const drMas: EstimatorOptions = {
  scope: 'taskAgent',
  unit: 'step',
  center: 'mean',
  scale: 'std',
  ddof: 1,
  epsilon: 1e-6,
  minStd: 1e-6,
  singleton: 'zero',
};

test('agent-wise, each agent is judged on its own groups', () => {
  // Agent 0: task 0 has spread, task 1 is a group of one without spread, task 2 has no statistics. Agent 1: task 0, all equal.
  expect(agentGroupFractions(groupAdvantages(scores, drMas), scores.agentIds, 2, 1e-6)).toEqual([
    { zeroStdGroupFraction: 1 / 2, singletonFraction: 1 / 2 },
    { zeroStdGroupFraction: 1, singletonFraction: 0 },
  ]);
});

test('globally, a group belongs to every agent that acted in it', () => {
  // Per trajectory: task 0 has values 1 and 0, task 1 one value.
  const result = groupAdvantages(scores, { ...drMas, scope: 'task', unit: 'trajectory' });
  expect(agentGroupFractions(result, scores.agentIds, 2, 1e-6)).toEqual([
    { zeroStdGroupFraction: 1 / 2, singletonFraction: 1 / 2 },
    { zeroStdGroupFraction: 0, singletonFraction: 0 },
  ]);
});

test('a raw singleton has its assumed std of 1 and is still a singleton', () => {
  const result = groupAdvantages(scores, { ...drMas, singleton: 'raw' });
  expect(agentGroupFractions(result, scores.agentIds, 2, 1e-6)[0]).toEqual({
    zeroStdGroupFraction: 0,
    singletonFraction: 1 / 2,
  });
});

test('a std of 0 is no signal even where minStd is 0', () => {
  const result = groupAdvantages(scores, { ...drMas, minStd: 0 });
  expect(agentGroupFractions(result, scores.agentIds, 2, 0)[1]?.zeroStdGroupFraction).toBe(1);
});

test('in a mixed scope spread is judged per task, size per agent', () => {
  const options = { ...drMas, scope: 'taskAgentMeanOnly', unit: 'trajectory' } as const;
  const [, second] = agentGroupFractions(
    groupAdvantages(scores, options),
    scores.agentIds,
    2,
    1e-6,
  );
  // Agent 1: the task's std is above 0; its own group has two samples.
  expect(second).toEqual({ zeroStdGroupFraction: 0, singletonFraction: 0 });
});

test('an agent that never acted has no fractions', () => {
  expect(agentGroupFractions(groupAdvantages(scores, drMas), scores.agentIds, 3, 0)[2]).toEqual({
    zeroStdGroupFraction: NaN,
    singletonFraction: NaN,
  });
});
