import { expect, test } from 'vitest';
import { presets } from '../config/presets';
import { planExperiment } from './cohorts';
import { createExperienceStore } from './experienceStore';
import { demonstrateEpisodes } from './rollout';
import { trainingStarts } from './tasks';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';
import { tinyPolicies, tinySpec } from './testing/runInProcess';

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

test('a copy has the same rollouts, and goes its own way', () => {
  const store = createExperienceStore();
  store.commit([rollout(0, 1, 0.1), rollout(1, 1, 0.2), rollout(0, 1, 0.4)]);
  const copy = store.copy();
  expect(copy.take(0, 1).map(({ teamReward }) => teamReward)).toEqual([0.1, 0.4]);
  copy.commit([rollout(1, 1, 0.5)]);
  expect(store.size()).toBe(3);
  expect(store.take(1, 1)).toHaveLength(1);
  expect(copy.take(1, 1)).toHaveLength(2);
});

/** Names and types of everything inside a value, typed arrays as a whole. */
function contentsOf(value: unknown, name = ''): [string, string][] {
  if (ArrayBuffer.isView(value)) return [[name, value.constructor.name]];
  if (Array.isArray(value)) return value.flatMap((entry) => contentsOf(entry, name));
  if (typeof value !== 'object' || value === null)
    return [[name, value === null ? 'null' : typeof value]];
  return Object.entries(value).flatMap(([key, entry]) => contentsOf(entry, key));
}

test('between planner and executor pass tokens and where they come from, ids, log-probabilities, validity and rewards, and nothing else', () => {
  const { environment, agents, estimator } = presets['plan-execute'].spec;
  const plan = planExperiment(
    tinySpec({ environment, agents, estimator, policies: tinyPolicies(['planner', 'executor']) }),
  );
  const store = createExperienceStore();
  // The expert calls executors, which an untrained planner hardly does; what is remembered is the same.
  store.commit(demonstrateEpisodes(plan, trainingStarts(plan.replicas[0]!, 1)));
  const contents = contentsOf(store.take(0, 1));
  const kinds = new Map<string, Set<string>>();
  for (const [name, kind] of contents) kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
  const ofKind = (kind: string): string[] =>
    [...kinds].filter(([, own]) => own.has(kind)).map(([name]) => name);
  expect(ofKind('Int32Array').toSorted()).toEqual(['actionTokens', 'origins', 'promptTokens']);
  expect(ofKind('Float32Array')).toEqual(['rolloutLogprobs']);
  expect(ofKind('boolean')).toEqual(['isValid']);
  expect(ofKind('string')).toEqual(['tag']);
  const numbers = ['replica', 'batch', 'task', 'teamReward', 'main', 'agent', 'turnIndex'];
  const rewards = ['penalty', 'localReward', 'anchor', 'invocation', 'reward'];
  expect(new Set(ofKind('number'))).toEqual(new Set([...numbers, ...rewards]));
  expect([...kinds.values()].some((own) => own.has('function') || own.has('undefined'))).toBe(
    false,
  );
});
