import { expect, test } from 'vitest';
import { createExperienceStore } from './experienceStore';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';

const rollout = (replica: number, batch: number, teamReward: number) =>
  madeUpTrajectory([madeUpTurn(0)], { replica, batch, teamReward });

test('rollouts wait for their replica and iteration, in the order of their commits, and are taken once', () => {
  const store = createExperienceStore();
  store.commit([rollout(0, 1, 0.1), rollout(1, 1, 0.2), rollout(0, 2, 0.3)]);
  store.commit([rollout(0, 1, 0.4)]);
  expect(store.size()).toBe(4);
  expect(store.take(0, 1).map(({ teamReward }) => teamReward)).toEqual([0.1, 0.4]);
  expect(store.size()).toBe(2);
  expect(() => store.take(0, 1)).toThrow('no rollouts of replica 0 for iteration 1');
  expect(store.take(0, 2)).toHaveLength(1);
  expect(store.take(1, 1)).toHaveLength(1);
  expect(store.size()).toBe(0);
});
