import { expect, test } from 'vitest';
import { estimatorPresets } from '../rl/estimatorPresets';
import { groupAdvantages } from '../rl/groupAdvantages';
import { keyFromSeed } from '../rl/rng';
import { alignSteps } from './alignment';
import type { Turn } from './experience';
import { madeUpTurn } from './testing/madeUpTurns';

const turn = (agent: number, invocation: number | null): Turn => madeUpTurn(agent, { invocation });

/** Two rollouts of task 0: one planner step and one call of two steps; one planner step and three calls of a step. */
const steps = {
  turns: [turn(0, null), turn(1, 0), turn(1, 0), turn(0, null), turn(1, 0), turn(1, 1), turn(1, 2)],
  trajectoryOf: Int32Array.of(0, 0, 0, 1, 1, 1, 1),
  scores: {
    rewards: new Float64Array(7),
    taskIds: new Int32Array(7),
    trajectoryIds: Int32Array.of(0, 1, 1, 2, 3, 4, 5),
    agentIds: Int32Array.of(0, 1, 1, 0, 1, 1, 1),
  },
};
const key = keyFromSeed(1);

test('without an alignment every step counts once in its task', () => {
  const { weights, taskIds } = alignSteps(steps, { alignment: 'none', alignTo: 2 }, 4, key);
  expect([...weights]).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect([...taskIds]).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test('weighted: a call counts d/d_k, for each of its steps; planners count once', () => {
  const { weights } = alignSteps(steps, { alignment: 'weighted', alignTo: 2 }, 4, key);
  // d = 2: the only call of the first rollout twice, each of three calls 2/3.
  expect([...weights]).toEqual([1, 2, 2, 1, 2 / 3, 2 / 3, 2 / 3]);
});

test('duplicate or drop: the only call twice, two of three calls once', () => {
  const { weights } = alignSteps(steps, { alignment: 'duplicateDrop', alignTo: 2 }, 4, key);
  expect([...weights.subarray(0, 4)]).toEqual([1, 2, 2, 1]);
  expect(weights.slice(4).toSorted()).toEqual(Float64Array.of(0, 1, 1));
});

test('first in, first out: calls are grouped by two as they come, away from the task; an unfilled group does not count', () => {
  const threeCalls = {
    turns: steps.turns.slice(0, 6),
    trajectoryOf: steps.trajectoryOf.slice(0, 6),
    scores: {
      rewards: new Float64Array(6),
      taskIds: new Int32Array(6),
      trajectoryIds: steps.scores.trajectoryIds.slice(0, 6),
      agentIds: steps.scores.agentIds.slice(0, 6),
    },
  };
  const { weights, taskIds } = alignSteps(threeCalls, { alignment: 'fifo', alignTo: 2 }, 2, key);
  expect([...weights]).toEqual([1, 1, 1, 1, 1, 0]);
  const [planner, first, sameCall, other, second] = taskIds;
  expect([planner, other]).toEqual([0, 0]);
  expect(sameCall).toBe(first);
  expect(second).toBe(first);
  expect(first).not.toBe(0);
});

test('an unfilled queue group alone gives finite advantages: its calls have 0', () => {
  const rewards = Float64Array.of(1, 0.5, 0.5, 0, 0.1, 0.9, 0.4);
  const scores = { ...steps.scores, rewards };
  // Four calls, groups of eight: none is filled.
  const { weights, taskIds } = alignSteps(
    { ...steps, scores },
    { alignment: 'fifo', alignTo: 2 },
    8,
    key,
  );
  for (const { options } of [
    estimatorPresets.mgrpo,
    estimatorPresets.drGrpo,
    estimatorPresets.drMasCode,
  ]) {
    const { advantages } = groupAdvantages({ ...scores, taskIds, weights }, options);
    expect(advantages.every(Number.isFinite)).toBe(true);
    expect(steps.turns.every((one, step) => one.agent === 0 || advantages[step] === 0)).toBe(true);
  }
});
