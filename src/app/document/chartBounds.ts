import type { ExperimentSpec } from '../../config/experimentSpec';
import type { MetricBounds } from '../charts/MetricChart';

const none: MetricBounds = {};

/**
 * N − 1, the most that global normalization can inflate an agent's second moment when the team shares one outcome reward. Where
 * invocations are samples of their own, a task has more samples than rollouts and the bound is another in every task: none is drawn.
 */
export function chartBounds({ groups, environment }: ExperimentSpec): MetricBounds {
  if (environment.kind === 'planExecute') return none;
  const bound = groups.groupSize - 1;
  const bounds = [{ value: bound, label: `N − 1 = ${bound}` }];
  return { advSecondMoment: bounds, advSecondMomentPredicted: bounds };
}
