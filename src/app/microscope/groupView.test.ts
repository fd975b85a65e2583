import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultEstimators, defaultFailureTags, defaultGroups } from '../../config/defaults';
import type { TrainingSpec } from '../../config/experimentSpec';
import { replicasOf } from '../../config/overrides';
import { eventsOf, tinySpec } from '../../engine/testing/runInProcess';
import { groupView, tasksOf, type GroupView } from './groupView';
import { comparesGroups, conventionsOf, normalizerInUse } from './normalizers';
import { madeUpGroup } from './testing/madeUpGroup';

const [router, search, answer] = [0, 1, 2];

type Estimation = Pick<TrainingSpec, 'estimator' | 'failureTags'>;
const failureTags = defaultFailureTags.none;
/** Without ε, so that numbers come out exactly; population stds. */
const exact = { ...defaultEstimators.group, ddof: 0, epsilon: 0, minStd: 0 } as const;
const training: Estimation = { estimator: exact, failureTags };

/** Four rollouts, one solved; two of them reach an answer. Another task stands before and after. */
const record = madeUpGroup([
  { agent: router, task: 1, rollout: 0, score: 1 },
  { agent: router, rollout: 0, score: 0 },
  { agent: router, rollout: 1, score: 0 },
  { agent: router, rollout: 2, score: 1 },
  { agent: answer, rollout: 2, score: 1 },
  { agent: router, rollout: 3, score: 0, isLearned: false },
  { agent: answer, rollout: 3, score: 0 },
  { agent: router, task: 1, rollout: 1, score: 0 },
]);

const columnOf = ({ columns }: GroupView, id: string) => [
  ...columns.find((column) => column.id === id)!.advantages,
];

function expectNear(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  for (const [place, value] of actual.entries()) expect(value).toBeCloseTo(expected[place]!, 12);
}

test('statistics of one group by hand', () => {
  const view = groupView(record, 0, training)!;
  // Trajectories 0, 0, 1, 0: mean ¼, variance ¼·¾. Steps 0, 0, 1, 1, 0, 0: mean ⅓, variance ⅓·⅔. The answer's 1, 0: ½ and ¼.
  expect(view.trajectory.numSamples).toBe(4);
  expectNear([view.trajectory.mean, view.trajectory.std], [1 / 4, Math.sqrt(3) / 4]);
  expect(view.step.numSamples).toBe(6);
  expectNear([view.step.mean, view.step.std], [1 / 3, Math.SQRT2 / 3]);
  expect(view.agents.map(({ agent, numSamples }) => [agent, numSamples])).toEqual([
    ['router', 4],
    ['search', 0],
    ['answer', 2],
  ]);
  expectNear([view.agents[answer]!.mean, view.agents[answer]!.std], [1 / 2, 1 / 2]);
  expect(view.agents[search]!.mean).toBeNaN();
});

test('what each normalizer gives to each step, by hand', () => {
  const view = groupView(record, 0, training)!;
  const root = Math.sqrt(3);
  // (1 − ¼)/(√3/4) = √3 and (0 − ¼)/(√3/4) = −1/√3.
  const [up, down] = [root, -1 / root];
  expectNear(columnOf(view, 'globalTrajectory'), [down, down, up, up, down, down]);
  // (1 − ⅓)/(√2/3) = √2 and −1/√2.
  const [high, low] = [Math.SQRT2, -Math.SQRT1_2];
  expectNear(columnOf(view, 'globalStep'), [low, low, high, high, low, low]);
  // The router's 0, 0, 1, 0 are as the trajectories'; the answer's 1, 0 become ±1.
  expectNear(columnOf(view, 'agentWise'), [down, down, up, 1, down, -1]);
  // n/(n − 1)·(r − μ) with n = 4: 1 and −⅓.
  expectNear(columnOf(view, 'leaveOneOut'), [-1 / 3, -1 / 3, 1, 1, -1 / 3, -1 / 3]);
  expect(view.steps[4]).toEqual({
    rollout: 3,
    turnIndex: 0,
    agent: 'router',
    score: 0,
    weight: 1,
    isLearned: false,
  });
});

test('the inflation predicted for the answer, (¼ + (½ − ¼)²)/(3/16) = 5/3, is the second moment that follows', () => {
  const view = groupView(record, 0, training)!;
  expect(view.agents[answer]!.predicted).toBeCloseTo(5 / 3, 12);
  // Columns in their order: (3 + ⅓)/2, (2 + ½)/2, 1, (1 + 1/9)/2.
  expectNear(view.agents[answer]!.secondMoments, [5 / 3, 5 / 4, 1, 5 / 9]);
  expect(view.agents[search]!.predicted).toBeNaN();
  expect(view.agents[search]!.secondMomentInUse).toBeNaN();
});

test('rollouts tell the scores of each agent in the order of its turns', () => {
  const twice = madeUpGroup([
    { agent: search, rollout: 0, score: 1 },
    { agent: answer, rollout: 0, score: 0.5 },
    { agent: search, rollout: 0, score: 0.75 },
  ]);
  expect(groupView(twice, 0, training)!.rollouts).toEqual([
    { rollout: 0, scores: [[], [1, 0.75], [0.5]] },
  ]);
});

test('invocations of a sub-agent are samples of their own', () => {
  const invoked = madeUpGroup([
    { agent: router, rollout: 0, score: 1 },
    { agent: search, rollout: 0, score: 0, invocation: 0 },
    { agent: search, rollout: 0, score: 0, invocation: 0 },
    { agent: search, rollout: 0, score: 1, invocation: 1 },
  ]);
  // One main trajectory and two invocations: 1, 0, 1.
  const { trajectory } = groupView(invoked, 0, training)!;
  expect(trajectory.numSamples).toBe(3);
  expect(trajectory.mean).toBeCloseTo(2 / 3, 12);
});

test('a task without steps has no view, and tasks are listed once', () => {
  expect(groupView(record, 5, training)).toBeNull();
  expect(tasksOf(record)).toEqual([0, 1]);
});

test('the estimator of an arm is recognised by what it compares, not by its conventions', () => {
  const inUse = (estimator: Partial<typeof defaultEstimators.group>) =>
    normalizerInUse({ estimator: { ...defaultEstimators.group, ...estimator }, failureTags });
  expect(inUse({})).toBe('globalTrajectory');
  expect(inUse({ unit: 'step', ddof: 0 })).toBe('globalStep');
  expect(inUse({ scope: 'taskAgent', unit: 'step' })).toBe('agentWise');
  expect(inUse({ center: 'leaveOneOut', scale: 'none' })).toBe('leaveOneOut');
  expect(inUse({ scale: 'none' })).toBeNull();
  expect(inUse({ scope: 'batch' })).toBeNull();
  expect(inUse({ alignment: 'fifo' })).toBeNull();
  const { gae, gigpo, group } = defaultEstimators;
  expect(normalizerInUse({ estimator: gae, failureTags })).toBeNull();
  expect(normalizerInUse({ estimator: group, failureTags: defaultFailureTags.seal })).toBeNull();
  expect([gae, gigpo, group].map(comparesGroups)).toEqual([false, true, true]);
  expect(conventionsOf({ ...gigpo, ddof: 0 })).toEqual({
    ddof: 0,
    epsilon: 1e-6,
    minStd: 1e-6,
    singleton: 'zero',
  });
});

test('advantages of another estimator stand in a column of their own, as they were measured', () => {
  const measured = madeUpGroup([
    { agent: router, rollout: 0, score: 1, advantage: 0.3 },
    { agent: router, rollout: 1, score: 0, advantage: -2 },
  ]);
  const view = groupView(measured, 0, { estimator: defaultEstimators.gae, failureTags })!;
  expect(columnOf(view, 'inUse')).toEqual([0.3, -2]);
  expect(view.columns.filter(({ isInUse }) => isInUse).map(({ id }) => id)).toEqual(['inUse']);
  expect(view.agents[router]!.secondMomentInUse).toBeCloseTo((0.09 + 4) / 2, 12);
});

test('under global normalization the measured second moment is the predicted one, for any scores', () => {
  const step = fc.record({
    agent: fc.integer({ min: 0, max: 2 }),
    rollout: fc.integer({ min: 0, max: 4 }),
    score: fc.integer({ min: -3, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const view = groupView(madeUpGroup(steps), 0, training)!;
      fc.pre(view.trajectory.std > 0);
      const deviations = view.agents
        .filter(({ numSamples }) => numSamples > 0)
        .map(({ predicted, secondMoments }) => (secondMoments[0]! - predicted) / (1 + predicted));
      expect(Math.max(...deviations.map(Math.abs))).toBeLessThan(1e-9);
    }),
  );
});

test('in a real run the advantages worked out here are those that the arms learned with, to the last bit', async () => {
  const spec = tinySpec({
    iterations: 2,
    groups: { ...defaultGroups.parallel, tasksPerIteration: 3, groupSize: 8 },
  });
  const events = await eventsOf(spec);
  const groups = events.flatMap((event) => (event.kind === 'iteration' ? event.groups : []));
  const seen = new Set<string>();
  let numNotZero = 0;
  for (const told of groups) {
    const replica = replicasOf(spec).find(({ arm }) => arm === told.arm)!;
    for (const task of tasksOf(told)) {
      const view = groupView(told, task, replica.training)!;
      const used = view.columns.find(({ isInUse }) => isInUse)!;
      seen.add(`${told.arm} ${used.id}`);
      const measured = told.advantages.filter((_, step) => told.tasks[step] === task);
      expect([...used.advantages]).toEqual([...measured]);
      numNotZero += measured.filter((advantage) => advantage !== 0).length;
    }
  }
  expect([...seen]).toEqual([
    'global globalTrajectory',
    'globalStep globalStep',
    'agentWise agentWise',
  ]);
  expect(numNotZero).toBeGreaterThan(20);
});
