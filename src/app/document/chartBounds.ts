import { samuelsonBound } from '../../config/effectGiven';
import type { ExperimentSpec } from '../../config/experimentSpec';
import type { MetricBounds } from '../charts/MetricChart';

const none: MetricBounds = {};

/** Lines to read the metrics of an experiment against. */
export function chartBounds(spec: ExperimentSpec): MetricBounds {
  const bound = samuelsonBound(spec);
  if (bound === null) return none;
  const bounds = [{ value: bound, label: `N − 1 = ${bound}` }];
  return { advSecondMoment: bounds, advSecondMomentPredicted: bounds };
}
