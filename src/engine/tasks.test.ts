import { expect, test } from 'vitest';
import { defaultSpec } from '../config/defaults';
import { planExperiment } from './cohorts';
import { batchesDue, trainingStarts } from './tasks';

function replicaWith(staleIterations: number) {
  const groups = { ...defaultSpec.groups, staleIterations, tasksPerIteration: 2, groupSize: 3 };
  return planExperiment({ ...defaultSpec, groups, seeds: [5] }).replicas[0]!;
}

test('fresh rollouts: every iteration samples its own batch', () => {
  const fresh = replicaWith(0);
  expect([1, 2, 3].map((iteration) => batchesDue(fresh, iteration, 3))).toEqual([[1], [2], [3]]);
});

test('a pipeline of depth two: the start policy samples three batches, then each one that will be learned from two iterations later', () => {
  const stale = replicaWith(2);
  const due = [1, 2, 3, 4, 5].map((iteration) => batchesDue(stale, iteration, 5));
  expect(due).toEqual([[1, 2, 3], [4], [5], [], []]);
  // Every iteration finds its batch, once.
  expect(due.flat().toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
});

test('a pipeline deeper than the run samples every batch at the start', () => {
  const deep = replicaWith(64);
  expect(batchesDue(deep, 1, 3)).toEqual([1, 2, 3]);
  expect(batchesDue(deep, 2, 3)).toEqual([]);
});

test('tasks and noise belong to the batch, whenever it is sampled: arms of different depth see the same ones', () => {
  expect(trainingStarts(replicaWith(2), 3)).toEqual(trainingStarts(replicaWith(0), 3));
  const starts = trainingStarts(replicaWith(0), 1);
  expect(starts.map(({ task }) => task)).toEqual([0, 0, 0, 1, 1, 1]);
  expect(new Set(starts.map(({ taskKey }) => taskKey.join())).size).toBe(2);
  expect(new Set(starts.map(({ noiseKey }) => noiseKey.join())).size).toBe(6);
});
