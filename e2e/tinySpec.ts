import type { ExperimentSpec } from '../src/config/experimentSpec';
import { presets } from '../src/config/presets';
import { tinyArchitecture } from '../src/engine/testing/tinyArchitecture';

const control = presets['solve-verify-null'].spec;
const team = presets['route-search-answer'].spec;

/**
 * Two agents with 16-wide policies, 8 episodes an iteration and no warm start: about 20 iterations a second on the CPU
 * backend.
 */
export const tinySpec: ExperimentSpec = {
  ...control,
  title: 'Tiny',
  arms: control.arms.filter(({ name }) => name !== 'globalStep'),
  seeds: [0, 1],
  iterations: 6,
  warmStart: { ...control.warmStart, targetSuccess: 0 },
  groups: { ...control.groups, tasksPerIteration: 2, groupSize: 4 },
  evaluation: { every: 3, tasks: 8, greedy: false },
};

/** Long enough to look at while it runs. */
export const longSpec: ExperimentSpec = { ...tinySpec, title: 'Long', iterations: 5000 };

const smallPolicy = {
  ...team.policies['router']!,
  architecture: tinyArchitecture,
};

/** The searcher is called seldom, and its gradient norm spikes four times: on the CPU backend, on every machine. */
export const spikingSpec: ExperimentSpec = {
  ...team,
  title: 'Spiking',
  policies: { router: smallPolicy, search: smallPolicy, answer: smallPolicy },
  arms: team.arms.filter(({ name }) => name === 'globalStep'),
  seeds: [1],
  iterations: 60,
  warmStart: { targetSuccess: 0.9, maxSteps: 2, tasksPerStep: 8, learningRate: 0.01 },
  groups: { ...control.groups, tasksPerIteration: 2, groupSize: 4 },
  evaluation: { every: 60, tasks: 8, greedy: false },
  backend: 'cpu',
};
