import {
  assertFraction,
  assertValueTrace,
  continuesAfter,
  valueAfter,
  type ValueTrace,
} from './valueTrace';

export interface NStepOptions {
  /** Discount per step, 0..1. */
  readonly gamma: number;
  /** n ≥ 1: rewards that are counted before the critic takes over; Infinity = up to the end of the episode. */
  readonly numSteps: number;
}

/**
 * n-step return: G_t = Σ_{k<n} γᵏ r_{t+k} + γⁿ V(s_{t+n}), with fewer rewards where the episode ends before.
 * Sutton & Barto 2018, Eq. 7.1. After termination nothing is added, after truncation the bootstrap value.
 * [T] in, [T] out, O(T·n). Throws a RangeError on unequal lengths, γ outside [0, 1], or n that is not a whole number ≥ 1.
 */
export function nStepReturns(trace: ValueTrace, { gamma, numSteps }: NStepOptions): Float64Array {
  assertValueTrace(trace);
  assertFraction('gamma', gamma);
  if (numSteps !== Infinity && (!Number.isInteger(numSteps) || numSteps < 1))
    throw new RangeError(`numSteps is ${numSteps}: give a whole number from 1, or Infinity.`);
  return trace.rewards.map((_reward, start) => {
    let sum = 0;
    let discount = 1;
    for (let step = start; ; step++) {
      sum += discount * trace.rewards[step]!;
      discount *= gamma;
      if (step - start + 1 >= numSteps || !continuesAfter(trace, step))
        return sum + discount * valueAfter(trace, step, trace.values);
    }
  });
}
