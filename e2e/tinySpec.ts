import type { ExperimentSpec } from '../src/config/experimentSpec';
import { presets } from '../src/config/presets';

const control = presets['solve-verify-null'].spec;

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
