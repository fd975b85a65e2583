import type { ExperimentSpec } from '../../config/experimentSpec';
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
  seeds: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  backend: 'wasm',
};

export const designs: ExperimentSpec = {
  ...presets['stable-designs'].spec,
  title: 'Four designs on stale data',
  backend: 'wasm',
};

const { spec: solveVerify } = presets['solve-verify'];
const { policies: smallPolicies, warmStart: shortWarmStart } = presets['solve-verify-null'].spec;

/** Small enough for the `cpu` backend, which gives the same numbers to the last bit. */
export const smallTeam: ExperimentSpec = {
  ...solveVerify,
  title: 'A small team that solves and verifies',
  policies: smallPolicies,
  groups: { ...solveVerify.groups, tasksPerIteration: 8, groupSize: 8 },
  warmStart: shortWarmStart,
  iterations: 40,
  evaluation: { every: 5, tasks: 64, greedy: false },
  arms: solveVerify.arms.filter(({ name }) => name !== 'globalStep'),
  seeds: fiveSeeds,
  backend: 'cpu',
};
