import type { PulsesSpec } from '../config/experimentSpec';
import type { PolicyApi } from '../protocol/policyApi';
import { nextPhase, type PhaseState, type PulseSchedule } from '../rl/phaseSchedule';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import type { Trajectory } from './experience';
import { frozenAgents } from './itemsToLearn';
import { streamKey } from './randomStreams';
import {
  drawSuccesses,
  emptyBuffer,
  numSuccesses,
  withSuccesses,
  type SuccessBuffer,
} from './successBuffer';
import { supervisedItems } from './supervisedItems';
import { updatePolicies } from './update';

/** Supervised pulses between iterations of reinforcement learning. */

type ActiveSpec = Exclude<PulsesSpec, { kind: 'none' }>;

export interface PulseMemory {
  readonly phase: PhaseState;
  readonly successes: SuccessBuffer;
}

export const noPulses: PulseMemory = {
  phase: { phase: 'rl', numIterations: 0, numPulses: 0 },
  successes: emptyBuffer,
};

/** One replica's iteration, as the schedule sees it. */
interface PulseObservation {
  readonly iteration: number;
  readonly trajectories: readonly Trajectory[];
  /** Mean over the team's sampled tokens. Unit: nats. Null where nothing was learned. */
  readonly entropy: number | null;
}

function scheduleOf(spec: ActiveSpec): PulseSchedule {
  return spec.kind === 'entropy'
    ? {
        trigger: { kind: 'entropy', hMin: spec.minEntropy },
        sftSteps: spec.sftSteps,
        minRlIterations: spec.minRlIterations,
      }
    : {
        trigger: { kind: 'period', numIterations: spec.numIterations },
        sftSteps: spec.sftSteps,
        minRlIterations: 1,
      };
}

/** The memory after an iteration of reinforcement learning; its phase says whether a pulse is due. */
export function observeIteration(
  { seed, training: { pulses } }: ReplicaPlan,
  memory: PulseMemory,
  { iteration, trajectories, entropy }: PulseObservation,
): PulseMemory {
  if (pulses.kind === 'none') return memory;
  const before = pulses.source === 'all' ? memory.successes : emptyBuffer;
  const key = streamKey(seed, 'pulse', iteration);
  const successes = withSuccesses(before, trajectories, pulses.maxPerTask, key);
  const observation = { entropy, numSuccesses: numSuccesses(successes) };
  return { successes, phase: nextPhase(memory.phase, observation, scheduleOf(pulses)) };
}

/** Cross-entropy of one replica's policies on rollouts; frozen ones take no step. */
async function imitate(
  { plan, policies }: { plan: ExperimentPlan; policies: readonly PolicyApi[] },
  replica: ReplicaPlan,
  rollouts: readonly Trajectory[],
  learningRate: number,
): Promise<void> {
  const isFrozen = frozenAgents(replica);
  const items = supervisedItems(rollouts).filter(({ turn }) => !isFrozen[turn.agent]);
  await updatePolicies(plan, policies, items, {
    objective: 'supervised',
    learningRatesOf: (cohort) => {
      const rates = new Float64Array(plan.cohorts[cohort]!.hypers.length);
      for (const seat of replica.seats) if (seat.cohort === cohort) rates[seat.slot] = learningRate;
      return rates;
    },
  });
}

/**
 * The steps of the pulse that `memory` says is due, if any, all of them at once.
 * @returns the memory afterwards, and how many steps were taken
 */
export async function runPulse(
  run: { plan: ExperimentPlan; policies: readonly PolicyApi[] },
  replica: ReplicaPlan,
  memory: PulseMemory,
  iteration: number,
): Promise<{ readonly memory: PulseMemory; readonly steps: number }> {
  const { pulses } = replica.training;
  let { phase } = memory;
  let steps = 0;
  if (pulses.kind === 'none') return { memory, steps };
  while (phase.phase === 'sft') {
    const key = streamKey(replica.seed, 'pulse', iteration, steps);
    const rollouts = drawSuccesses(memory.successes, pulses.rolloutsPerStep, key);
    await imitate(run, replica, rollouts, pulses.learningRate);
    steps += 1;
    const observation = { entropy: null, numSuccesses: numSuccesses(memory.successes) };
    phase = nextPhase(phase, observation, scheduleOf(pulses));
  }
  return { memory: { ...memory, phase }, steps };
}
