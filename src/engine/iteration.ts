import type { MetricRow } from '../metrics/catalog';
import type { PolicyApi } from '../protocol/policyApi';
import type { StageTimes, Transcript } from '../protocol/trainerApi';
import { scoreSteps } from './advantages';
import { countTokens, iterationRows, successByReplica, withTeamValues } from './collectMetrics';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import { learningRateAt } from './learningRate';
import { playEpisodes, type Trajectory } from './rollout';
import { streamKey } from './randomStreams';
import { evaluationStarts, trainingStarts } from './tasks';
import { sampleTranscripts } from './transcripts';
import { itemsToLearn } from './itemsToLearn';
import { updatePolicies } from './update';

/** What an iteration needs and does not change. */
export interface IterationContext {
  readonly plan: ExperimentPlan;
  readonly policies: readonly PolicyApi[];
  readonly iterations: number;
  readonly evaluation: { readonly every: number; readonly tasks: number; readonly greedy: boolean };
  /** Milliseconds of wall time. */
  readonly now: () => number;
}

export interface IterationResult {
  readonly rows: readonly MetricRow[];
  readonly transcripts: readonly Transcript[];
  /** Sampled tokens of this iteration by replica index. */
  readonly tokens: ReadonlyMap<number, number>;
  readonly times: StageTimes;
}

function learningRatesOf(
  replicas: readonly ReplicaPlan[],
  context: IterationContext,
  iteration: number,
): (cohort: number) => Float64Array {
  const { plan, iterations } = context;
  return (cohort) => {
    const rates = new Float64Array(plan.cohorts[cohort]!.hypers.length);
    for (const { workflow, seats, training } of replicas)
      for (const [index, seat] of seats.entries()) {
        if (seat.cohort !== cohort) continue;
        const policyId = training.agents[workflow.spec.agents[index]!]!.policy;
        rates[seat.slot] = learningRateAt(training.policies[policyId]!, iteration, iterations);
      }
    return rates;
  };
}

/** All stages of one iteration for a part of the replicas. `tokenCounts`: cumulative before this iteration, by replica index. */
export async function runIteration(
  context: IterationContext,
  replicas: readonly ReplicaPlan[],
  iteration: number,
  tokenCounts: ReadonlyMap<number, number>,
): Promise<IterationResult> {
  const { plan, policies, now } = context;
  const startMs = now();
  const starts = trainingStarts(replicas, iteration);
  const trajectories = await playEpisodes(plan, policies, starts, false);
  const rolloutEndMs = now();
  const parts = replicas.map((replica) => {
    const own = trajectories.filter((trajectory) => trajectory.replica === replica.index);
    return {
      replica,
      own,
      scored: scoreSteps(own, replica.training, streamKey(replica.seed, 'alignment', iteration)),
    };
  });
  const advantagesEndMs = now();
  const rates = learningRatesOf(replicas, context, iteration);
  const items = parts.flatMap((part) => itemsToLearn(part, iteration));
  const updates = await updatePolicies(plan, policies, items, {
    objective: 'policyGradient',
    learningRatesOf: rates,
  });
  const updateEndMs = now();
  const tokens = new Map(parts.map(({ replica, own }) => [replica.index, countTokens(own)]));
  const rows = parts.flatMap(({ replica, own, scored }) =>
    iterationRows(iteration, {
      plan: replica,
      trajectories: own,
      scored,
      updates,
      learningRates: replica.seats.map(({ cohort, slot }) => rates(cohort)[slot]!),
      tokenCount: (tokenCounts.get(replica.index) ?? 0) + tokens.get(replica.index)!,
    }),
  );
  return {
    rows: await withEvaluation(context, replicas, iteration, rows),
    transcripts: sampleTranscripts({ ...plan, replicas }, trajectories, iteration),
    tokens,
    times: {
      rolloutMs: rolloutEndMs - startMs,
      advantagesMs: advantagesEndMs - rolloutEndMs,
      updateMs: updateEndMs - advantagesEndMs,
    },
  };
}

/** Evaluation success of each replica, by replica index. */
export async function evaluate(
  { plan, policies, evaluation }: IterationContext,
  replicas: readonly ReplicaPlan[],
): Promise<Map<number, number>> {
  const starts = evaluationStarts(replicas, evaluation.tasks);
  const played: Trajectory[] = await playEpisodes(plan, policies, starts, evaluation.greedy);
  return successByReplica(plan, played);
}

async function withEvaluation(
  context: IterationContext,
  replicas: readonly ReplicaPlan[],
  iteration: number,
  rows: readonly MetricRow[],
): Promise<readonly MetricRow[]> {
  const isDue = iteration % context.evaluation.every === 0 || iteration === context.iterations;
  if (!isDue) return rows;
  const success = await evaluate(context, replicas);
  return replicas.flatMap(({ index, arm, seed }) =>
    withTeamValues(
      rows.filter((row) => row.arm === arm && row.seed === seed),
      { evalSuccess: success.get(index)! },
    ),
  );
}
