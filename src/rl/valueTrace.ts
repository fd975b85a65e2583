/**
 * Steps in order, with what a critic says about them; several episodes may stand back to back. Axis: T steps.
 * An episode that a limit cut off goes on in truth, so its last step bootstraps from the critic; one that the rules ended
 * does not. Pardo et al. 2018, "Time limits in reinforcement learning" (arXiv 1712.00378).
 */
export interface ValueTrace {
  /** [T] what each step brought. */
  readonly rewards: Float64Array;
  /** [T] V of the state that each step acted on. Unit: discounted reward. */
  readonly values: Float64Array;
  /** [T] 1 = the rules ended the episode with this step: what follows is worth 0. Wins over `truncated`. */
  readonly terminated: Uint8Array;
  /** [T] 1 = a limit ended the episode with this step. */
  readonly truncated: Uint8Array;
  /**
   * [T] V of the state that a step led to. Read where the step was truncated, and at the last step unless it terminated;
   * entries elsewhere may hold anything.
   */
  readonly bootstrapValues: Float64Array;
}

/** Throws a RangeError unless all arrays of the trace have T entries. */
export function assertValueTrace(trace: ValueTrace): void {
  const { rewards, ...others } = trace;
  for (const [name, array] of Object.entries(others))
    if (array.length !== rewards.length)
      throw new RangeError(
        `${name} has ${array.length} entries, rewards ${rewards.length}: give one of each per step.`,
      );
}

/** Throws a RangeError unless `fraction` lies in [0, 1]: a discount, or the decay of a trace. */
export function assertFraction(name: string, fraction: number): void {
  if (!(fraction >= 0 && fraction <= 1))
    throw new RangeError(`${name} is ${fraction}: give a number from 0 to 1.`);
}

/** Does the next entry of the trace belong to the same episode? */
export function continuesAfter(trace: ValueTrace, step: number): boolean {
  const isLast = step === trace.rewards.length - 1;
  return !isLast && trace.terminated[step] === 0 && trace.truncated[step] === 0;
}

/**
 * Worth of the state that a step led to: 0 if terminated, the bootstrap value where the trace is cut, else the next
 * entry of `estimates` [T], such as the critic's values or targets made from them.
 */
export function valueAfter(trace: ValueTrace, step: number, estimates: Float64Array): number {
  if (trace.terminated[step] !== 0) return 0;
  return continuesAfter(trace, step) ? estimates[step + 1]! : trace.bootstrapValues[step]!;
}
