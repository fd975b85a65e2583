/**
 * Alternation of reinforcement learning and supervised pulses on the run's own successes, which gives entropy back.
 * Entropulse of ComputerRL (arXiv 2508.14040), as described in secondary sources; formula not verified against the primary text.
 */

/** When a pulse begins. */
type PulseTrigger =
  /** Mean token entropy below `hMin`. Unit: nats. */
  | { readonly kind: 'entropy'; readonly hMin: number }
  /** After so many iterations of reinforcement learning since the last pulse, ≥ 1. */
  | { readonly kind: 'period'; readonly numIterations: number };

export interface PulseSchedule {
  readonly trigger: PulseTrigger;
  /** Cross-entropy steps of one pulse, ≥ 1. */
  readonly sftSteps: number;
  /**
   * Iterations of reinforcement learning, ≥ 1, before an entropy trigger may fire (again): a pulse that did not lift the entropy
   * above hMin must not be followed by pulses only.
   */
  readonly minRlIterations: number;
}

/** What comes next. Plain data, so that a checkpoint can hold it. */
export type PhaseState =
  | {
      readonly phase: 'rl';
      /** Iterations done in this phase. */
      readonly numIterations: number;
      readonly numPulses: number;
    }
  | {
      readonly phase: 'sft';
      /** Steps still to do, ≥ 1. */
      readonly remainingSteps: number;
      /** This one included. */
      readonly numPulses: number;
    };

/** The state before the first iteration. */
export const initialPhase: PhaseState = { phase: 'rl', numIterations: 0, numPulses: 0 };

/** What was seen in the iteration just done. */
export interface PhaseObservation {
  /** Mean over the sampled tokens. Unit: nats. null = not measured, such as an agent that did not act. */
  readonly entropy: number | null;
  /** Successful rollouts to learn from, over all earlier policies. */
  readonly numSuccesses: number;
}

/**
 * The state after one unit of work in `state.phase`: an iteration of reinforcement learning, or one supervised step.
 * A pulse begins when the trigger fires and there is a success to learn from, lasts `sftSteps`, and gives way to reinforcement learning.
 * An entropy that is null or NaN does not fire. Throws a RangeError on counts that are not whole numbers ≥ 1, or hMin not finite.
 */
export function nextPhase(
  state: PhaseState,
  observation: PhaseObservation,
  schedule: PulseSchedule,
): PhaseState {
  assertSchedule(schedule);
  if (state.phase === 'sft')
    return state.remainingSteps > 1
      ? { ...state, remainingSteps: state.remainingSteps - 1 }
      : { phase: 'rl', numIterations: 0, numPulses: state.numPulses };
  const numIterations = state.numIterations + 1;
  const isDue = observation.numSuccesses > 0 && fires(numIterations, observation, schedule);
  return isDue
    ? { phase: 'sft', remainingSteps: schedule.sftSteps, numPulses: state.numPulses + 1 }
    : { ...state, numIterations };
}

function fires(
  numIterations: number,
  { entropy }: PhaseObservation,
  { trigger, minRlIterations }: PulseSchedule,
): boolean {
  switch (trigger.kind) {
    case 'entropy':
      return numIterations >= minRlIterations && entropy !== null && entropy < trigger.hMin;
    case 'period':
      return numIterations >= trigger.numIterations;
  }
}

function assertSchedule({ trigger, sftSteps, minRlIterations }: PulseSchedule): void {
  const counts: Record<string, number> = { sftSteps, minRlIterations };
  if (trigger.kind === 'period') counts['numIterations'] = trigger.numIterations;
  else if (!Number.isFinite(trigger.hMin))
    throw new RangeError(`hMin is ${trigger.hMin}: give a finite number of nats.`);
  for (const [name, count] of Object.entries(counts))
    if (!Number.isInteger(count) || count < 1)
      throw new RangeError(`${name} is ${count}: give a whole number from 1.`);
}
