import type { PolicySpec } from '../config/experimentSpec';
import { scheduledShare } from '../config/scheduledRate';

/** Learning rate of iteration 1 … iterations, as scheduled. Unit: parameter change per unit of direction. */
export function learningRateAt(
  { optimizer, schedule }: PolicySpec,
  iteration: number,
  iterations: number,
): number {
  return optimizer.learningRate * scheduledShare(schedule, iteration, iterations);
}
