import type { TrainerEvent } from '../protocol/trainerApi';
import type { PolicyApi } from '../protocol/policyApi';
import { successByReplica } from './collectMetrics';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import { demonstrateEpisodes, playEpisodes } from './rollout';
import type { RunControl } from './runControl';
import { supervisedItems } from './supervisedItems';
import { demonstrationStarts, warmStartStarts } from './tasks';
import { updatePolicies } from './update';

/** What the warm start gave each replica. */
export interface WarmStartResult {
  /** Supervised steps by replica index. */
  readonly steps: ReadonlyMap<number, number>;
  readonly wasStopped: boolean;
}

interface Progress {
  readonly plan: ExperimentPlan;
  readonly policies: readonly PolicyApi[];
  readonly control: RunControl;
  readonly emit: (event: TrainerEvent) => void;
}

function needsWarmStart({ training: { warmStart } }: ReplicaPlan): boolean {
  return warmStart.targetSuccess > 0 && warmStart.maxSteps > 0;
}

/** One supervised step of each replica in `learning` on fresh demonstrations. */
async function supervisedStep(
  { plan, policies }: Progress,
  learning: readonly ReplicaPlan[],
  step: number,
): Promise<void> {
  const trajectories = demonstrateEpisodes(plan, demonstrationStarts(learning, step));
  const items = supervisedItems(trajectories);
  await updatePolicies(plan, policies, items, {
    objective: 'supervised',
    learningRatesOf: (cohort) => {
      const rates = new Float64Array(plan.cohorts[cohort]!.hypers.length);
      for (const { seats, training } of learning)
        for (const seat of seats)
          if (seat.cohort === cohort) rates[seat.slot] = training.warmStart.learningRate;
      return rates;
    },
  });
}

function describe(success: ReadonlyMap<number, number>, step: number): string {
  const [lowest, highest] = [Math.min, Math.max].map((pick) => pick(...success.values()));
  const percents = [lowest, highest].map((value) => (100 * value!).toFixed(1));
  return `supervised step ${step}: team success ${percents.join(' % to ')} %`;
}

/**
 * Supervised steps on scripted demonstrations until each replica's team reaches its start success, measured on sampled episodes.
 * Arms of one seed see the same demonstrations, so where their settings agree they start from equal weights.
 * @param measuredOn episodes per measurement
 */
export async function runWarmStart(
  progress: Progress,
  measuredOn: number,
): Promise<WarmStartResult> {
  const { plan, policies, control, emit } = progress;
  const steps = new Map<number, number>();
  let learning = plan.replicas.filter(needsWarmStart);
  for (let step = 0; learning.length > 0; step++) {
    if ((await control.pass({ onPause: () => emit({ kind: 'paused', iteration: 0 }) })) === 'stop')
      return { steps, wasStopped: true };
    const starts = warmStartStarts(learning, measuredOn);
    const success = successByReplica(plan, await playEpisodes(plan, policies, starts, false));
    const reached = ({ index, training }: ReplicaPlan): boolean =>
      success.get(index)! >= training.warmStart.targetSuccess;
    const shares = learning.map(({ index, training }) =>
      Math.min(1, success.get(index)! / training.warmStart.targetSuccess),
    );
    const share = shares.reduce((sum, value) => sum + value, 0) / shares.length;
    emit({ kind: 'phase', phase: 'warmStart', detail: describe(success, step), share });
    for (const replica of learning) steps.set(replica.index, step);
    const unfinished = learning.filter((replica) => !reached(replica));
    const spent = unfinished.filter(({ training }) => step >= training.warmStart.maxSteps);
    for (const { arm, seed, index, training } of spent)
      emit({
        kind: 'notice',
        message: `Warm start of arm ${arm}, seed ${seed} ended after ${step} steps at success ${success.get(index)!.toFixed(3)}, below its target ${training.warmStart.targetSuccess}.`,
      });
    learning = unfinished.filter((replica) => !spent.includes(replica));
    if (learning.length > 0) await supervisedStep(progress, learning, step);
  }
  return { steps, wasStopped: false };
}
