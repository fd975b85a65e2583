import { expect, test } from 'vitest';
import { defaultSpec } from '../config/defaults';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps } from './advantages';
import { planExperiment } from './cohorts';
import { dealMinibatches, itemsToLearn } from './itemsToLearn';
import type { Trajectory, Turn } from './rollout';

test('minibatches are dealt evenly, in an order that only the key decides', () => {
  const dealt = dealMinibatches(10, 4, keyFromSeed(1));
  const sizes = [0, 1, 2, 3].map((part) => dealt.filter((own) => own === part).length);
  // 10 = 3 + 3 + 2 + 2.
  expect(sizes).toEqual([3, 3, 2, 2]);
  expect(dealMinibatches(10, 4, keyFromSeed(1))).toEqual(dealt);
  expect(dealMinibatches(10, 4, keyFromSeed(2))).not.toEqual(dealt);
});

const turn = (agent: number): Turn => ({
  agent,
  turnIndex: 0,
  promptTokens: Int32Array.of(1),
  actionTokens: Int32Array.of(2),
  rolloutLogprobs: Float32Array.of(-1),
  isValid: true,
  penalty: 0,
  anchor: 0,
  invocation: null,
});

/** Task 0: one solved and one failed; task 1: both failed. */
const own: Trajectory[] = [
  { replica: 0, task: 0, teamReward: 1, rewards: null, turns: [turn(0), turn(2)] },
  { replica: 0, task: 0, teamReward: 0, rewards: null, turns: [turn(0)] },
  { replica: 0, task: 1, teamReward: 0, rewards: null, turns: [turn(0)] },
  { replica: 0, task: 1, teamReward: 0, rewards: null, turns: [turn(0), turn(1)] },
];

function itemsOf(changes: Partial<typeof defaultSpec>) {
  const replica = planExperiment({ ...defaultSpec, ...changes, seeds: [0] }).replicas[0]!;
  const scored = scoreSteps(own, replica.training, keyFromSeed(0));
  return itemsToLearn({ replica, own, scored }, 1);
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
