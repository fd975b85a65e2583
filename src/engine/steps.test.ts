import { expect, test } from 'vitest';
import { defaultLosses, defaultSpec } from '../config/defaults';
import { planExperiment } from './cohorts';
import { ownRewards, stepsOf, withStepCosts } from './steps';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';

const planWith = (shaping: { overlongTurns?: number; overlongPenalty?: number }) =>
  planExperiment({ ...defaultSpec, loss: { ...defaultLosses.clip, ...shaping }, seeds: [0] })
    .replicas[0]!;
const plan = planWith({});

/** A planner step, an executor that is called twice in parallel, and the planner again. */
const nested = madeUpTrajectory(
  [
    madeUpTurn(0, { penalty: 0.5 }),
    madeUpTurn(1, { invocation: 0 }),
    madeUpTurn(1, { invocation: 1, penalty: 0.25 }),
    madeUpTurn(1, { invocation: 0 }),
    madeUpTurn(0),
  ],
  {
    teamReward: 1,
    rewards: {
      main: 0.9,
      invocations: [
        { agent: 1, invocation: 0, reward: 0.4 },
        { agent: 1, invocation: 1, reward: 0.1 },
      ],
    },
  },
);

test('main trajectories and invocations are samples of their own, across trajectories', () => {
  const { sampleOf, trajectoryOf, sampleRewards } = stepsOf(plan, [nested, nested]);
  expect([...sampleOf]).toEqual([0, 1, 2, 1, 0, 3, 4, 5, 4, 3]);
  expect([...trajectoryOf]).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
  expect([...sampleRewards].slice(0, 5)).toEqual([0.9, 0.4, 0.1, 0.4, 0.9]);
});

test('the steps of a sample sum to its return: the reward at its last step, each penalty at its own', () => {
  const own = ownRewards(stepsOf(plan, [nested]));
  expect([...own]).toEqual([-0.5, 0, 0.1 - 0.25, 0.4, 0.9]);
});

test('a KL penalty in the reward is a cost of its step', () => {
  const steps = withStepCosts(stepsOf(plan, [nested]), Float64Array.of(1, 2, 3, 4, 5));
  expect([...steps.stepCosts]).toEqual([1.5, 2, 3.25, 4, 5]);
});

test('overlong episodes lose reward over the last turns that the world allows', () => {
  // Four turns at most; the penalty of 0.6 grows over the last two: nothing at 2, half at 3, all at 4.
  const shaped = planWith({ overlongTurns: 2, overlongPenalty: 0.6 });
  const ofLength = (numTurns: number): number =>
    stepsOf(shaped, [
      madeUpTrajectory(
        Array.from({ length: numTurns }, () => madeUpTurn(0)),
        { teamReward: 1 },
      ),
    ]).sampleRewards[0]!;
  expect([1, 2, 3, 4].map(ofLength)).toEqual([1, 1, 0.7, 0.4]);
});

test('a turn of an invocation without a reward is a fault of the world, and named', () => {
  const lost = { ...nested, rewards: { main: 1, invocations: [] } };
  expect(() => stepsOf(plan, [lost])).toThrow('Invocation 0 of agent 1');
});

test('a branch of a tree earns for itself', () => {
  const branch = madeUpTrajectory([madeUpTurn(0, { branchReward: 0.3 })], { teamReward: 1 });
  expect(stepsOf(plan, [branch]).sampleRewards[0]).toBe(0.3);
});
