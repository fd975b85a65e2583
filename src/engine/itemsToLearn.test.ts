import { expect, test } from 'vitest';
import { defaultSpec } from '../config/defaults';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps } from './advantages';
import { planExperiment } from './cohorts';
import { dealMinibatches, itemsToLearn } from './itemsToLearn';
import type { Trajectory } from './experience';
import { initialMemory } from './memory';
import { stepsOf } from './steps';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';

test('minibatches are dealt evenly, in an order that only the key decides', () => {
  const dealt = dealMinibatches(10, 4, keyFromSeed(1));
  const sizes = [0, 1, 2, 3].map((part) => dealt.filter((own) => own === part).length);
  // 10 = 3 + 3 + 2 + 2.
  expect(sizes).toEqual([3, 3, 2, 2]);
  expect(dealMinibatches(10, 4, keyFromSeed(1))).toEqual(dealt);
  expect(dealMinibatches(10, 4, keyFromSeed(2))).not.toEqual(dealt);
});

const turn = madeUpTurn;

/** Task 0: one solved and one failed; task 1: both failed. */
const own: Trajectory[] = [
  madeUpTrajectory([turn(0), turn(2)], { teamReward: 1 }),
  madeUpTrajectory([turn(0)]),
  madeUpTrajectory([turn(0)], { task: 1 }),
  madeUpTrajectory([turn(0), turn(1)], { task: 1 }),
];

function itemsOf(changes: Partial<typeof defaultSpec>) {
  const replica = planExperiment({ ...defaultSpec, ...changes, seeds: [0] }).replicas[0]!;
  const memory = initialMemory(replica);
  const scored = scoreSteps(stepsOf(replica, own), replica.training, {
    key: keyFromSeed(0),
    baselines: memory.baselines,
    critic: null,
  });
  const oldLogprobs = scored.turns.map(({ rolloutLogprobs }) => rolloutLogprobs);
  return itemsToLearn({ replica, scored, oldLogprobs, tagScales: null, critic: null, memory }, 1);
}

test('every step is learnt from, unless groups without signal are dropped: then those of the task with one reward are', () => {
  expect(itemsOf({})).toHaveLength(6);
  const dropping = itemsOf({ loss: { ...defaultSpec.loss, dynamicSampling: true } });
  expect(dropping.map(({ turn: { agent } }) => agent)).toEqual([0, 2, 0]);
});

test('a frozen policy learns from nothing, the others as before', () => {
  const { policies } = defaultSpec;
  const frozen = itemsOf({
    policies: { ...policies, router: { ...policies['router']!, isFrozen: true } },
  });
  expect(frozen.map(({ turn: { agent } }) => agent)).toEqual([2, 1]);
});

test('the steps of a trajectory share its minibatch', () => {
  const items = itemsOf({ loss: { ...defaultSpec.loss, numMinibatches: 4 } });
  const [first, second, third, fourth, fifth, sixth] = items.map(({ minibatch }) => minibatch);
  expect(second).toBe(first);
  expect(sixth).toBe(fifth);
  expect(new Set([first, third, fourth, fifth]).size).toBe(4);
});
