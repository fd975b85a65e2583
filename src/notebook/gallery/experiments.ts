import type { ExperimentSpec } from '../../config/experimentSpec';
import { defaultEnvironments } from '../../config/defaults';
import { presets } from '../../config/presets';

/** The experiments of the gallery. Each names its backend: a recording says what ran where, `auto` does not. */

const fiveSeeds = [0, 1, 2, 3, 4];

/** A preset of Dr. MAS as it ships, from a team that solves a quarter of its tasks. */
export const preparedTeam: ExperimentSpec = {
  ...presets['route-search-answer'].spec,
  title: 'Prepared team: start at 25 %',
  backend: 'wasm',
};

/** The same from a team that solves almost nothing: few calls on the rare winning branch. */
export const weakTeam: ExperimentSpec = {
  ...presets['route-search-answer-weakest'].spec,
  title: 'Weak team: start at 2 %',
  backend: 'wasm',
};

export const actOnce: ExperimentSpec = {
  ...presets['solve-verify-null'].spec,
  title: 'Every agent acts once',
  seeds: fiveSeeds,
  backend: 'cpu',
};

export const planExecute: ExperimentSpec = {
  ...presets['plan-execute'].spec,
  title: 'Planner and executors',
  iterations: 80,
  backend: 'wasm',
};

export const designs: ExperimentSpec = {
  ...presets['stable-designs'].spec,
  title: 'Four designs on stale data',
  backend: 'wasm',
};

const { spec: routed } = presets['route-search-answer'];
const { solver: small } = presets['solve-verify-null'].spec.policies;
const quickPolicy = { ...small!, optimizer: { ...small!.optimizer, learningRate: 0.01 } };

/** The routed team, small enough for the `cpu` backend, which gives the same numbers to the last bit. */
export const smallTeam: ExperimentSpec = {
  ...routed,
  title: 'A small team that routes, searches and answers',
  environment: { ...defaultEnvironments.routeSearchAnswer, numKeys: 4, numValues: 4 },
  policies: { router: quickPolicy, search: quickPolicy, answer: quickPolicy },
  groups: { ...routed.groups, tasksPerIteration: 8, groupSize: 16 },
  warmStart: { targetSuccess: 0.25, maxSteps: 40, tasksPerStep: 16, learningRate: 0.01 },
  iterations: 40,
  evaluation: { every: 10, tasks: 64, greedy: false },
  arms: routed.arms.filter(({ name }) => name !== 'globalStep'),
  seeds: fiveSeeds,
  backend: 'cpu',
};
