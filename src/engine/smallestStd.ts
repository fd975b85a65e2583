import type { EstimatorSpec } from '../config/experimentSpec';
import { defaultEstimators } from '../config/defaults';

/** Below this a group's rewards count as equal; estimators without a setting of their own have that of the others. Unit: reward. */
export function smallestStd(estimator: EstimatorSpec): number {
  return 'minStd' in estimator ? estimator.minStd : defaultEstimators.group.minStd;
}
