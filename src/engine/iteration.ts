import type { DiagnosticsSpec } from '../config/experimentSpec';
import type { MetricRow } from '../metrics/catalog';
import type { UpdateStats } from '../protocol/policyApi';
import type { GradientPair, GroupRecord, StageTimes, Transcript } from '../protocol/trainerApi';
import { act } from './acting';
import type { ReplicaPlan } from './cohorts';
import { watchCollapse } from './collapseWatch';
import {
  countTokens,
  iterationRows,
  meanEntropy,
  successByReplica,
  withTeamValues,
} from './collectMetrics';
import { updateCritics } from './criticStage';
import { measureBlame, type Blames } from './episodeBlame';
import { groupRecord } from './groupRecords';
import { gradientPairs, measureGradients, type GradientReading } from './gradientDiagnostics';
import { itemsToLearn } from './itemsToLearn';
import { prepareBatches, type Learning, type ReplicaBatch } from './learning';
import { learningRateAt } from './learningRate';
import type { ReplicaMemory } from './memory';
import { observeIteration, runPulse } from './pulses';
import { playEpisodes } from './rollout';
import { spikeEpisodes } from './spikeEpisodes';
import { watchSpikes } from './spikeWatch';
import { evaluationStarts } from './tasks';
import type { CriticObservation } from './teamValues';
import { sampleTranscripts } from './transcripts';
import { updatePolicies } from './update';

/** What an iteration needs and does not change. */
export interface IterationContext extends Learning {
  readonly iterations: number;
  readonly evaluation: { readonly every: number; readonly tasks: number; readonly greedy: boolean };
  readonly diagnostics: DiagnosticsSpec;
  /** Milliseconds of wall time. */
  readonly now: () => number;
}

export interface IterationResult {
  readonly rows: readonly MetricRow[];
  readonly transcripts: readonly Transcript[];
  /** One a replica, however many there are. */
  readonly groups: readonly GroupRecord[];
  readonly gradientPairs: readonly GradientPair[];
  /** What the user should know. */
  readonly notices: readonly string[];
  /** By replica index, for the next iteration. */
  readonly memories: ReadonlyMap<number, ReplicaMemory>;
  /** Tokens learned from in this iteration. */
  readonly tokens: number;
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

interface Updated {
  /** By cohort. */
  readonly policies: ReadonlyMap<number, UpdateStats>;
  /** By replica index; measured before the update. */
  readonly gradients: ReadonlyMap<number, GradientReading>;
  /** By replica index. */
  readonly critics: ReadonlyMap<number, CriticObservation>;
  readonly rates: (cohort: number) => Float64Array;
}

/** Policies and critics learn at the same time. */
async function update(
  context: IterationContext,
  batches: readonly ReplicaBatch[],
  iteration: number,
): Promise<Omit<Updated, 'gradients'>> {
  const replicas = batches.map(({ replica }) => replica);
  const rates = learningRatesOf(replicas, context, iteration);
  const items = batches.flatMap((batch) => itemsToLearn(batch, iteration));
  const objective = 'policyGradient' as const;
  const [policies, critics] = await Promise.all([
    updatePolicies(context.plan, context.policies, items, { objective, learningRatesOf: rates }),
    updateCritics(context, batches),
  ]);
  return { policies, critics, rates };
}

interface Finished {
  readonly rows: readonly MetricRow[];
  /** Indices of the agents whose gradient norm spiked. */
  readonly spikingAgents: readonly number[];
  readonly gradientPairs: readonly GradientPair[];
  readonly notices: readonly string[];
  readonly memory: ReplicaMemory;
}

/** One replica after its update: the pulse that may be due, and the numbers of the iteration. */
async function finish(
  context: IterationContext,
  batch: ReplicaBatch,
  updated: Updated,
  iteration: number,
): Promise<Finished> {
  const { replica, scored, oldLogprobs, tagScales, memory } = batch;
  const { trajectories } = scored;
  const gradients = updated.gradients.get(replica.index);
  const entropy = meanEntropy(replica, scored, updated.policies);
  const seen = { iteration, trajectories, entropy };
  const due = observeIteration(replica, memory.pulse, seen);
  const pulse = await runPulse(context, replica, due, iteration);
  const tokenCount = memory.tokenCount + countTokens(trajectories);
  const rows = iterationRows({
    plan: replica,
    iteration,
    scored,
    oldLogprobs,
    tagScales,
    critic: updated.critics.get(replica.index) ?? null,
    pulseSteps: pulse.steps,
    updates: updated.policies,
    gradients: gradients?.values ?? null,
    learningRates: replica.seats.map(({ cohort, slot }) => updated.rates(cohort)[slot]!),
    tokenCount,
  });
  const watched = watchCollapse(replica, memory.collapse, rows);
  const spikes = watchSpikes(replica, memory.spikes, rows);
  const [collapse, kept] = [watched.memory, spikes.memory];
  return {
    rows: watched.rows,
    spikingAgents: spikes.agents,
    gradientPairs: gradientPairs(replica, updated.policies, gradients?.conflict ?? null, iteration),
    notices: watched.notices,
    memory: { ...memory, pulse: pulse.memory, collapse, spikes: kept, tokenCount },
  };
}

/** What the page gets to see of the batches beside numbers: episodes, and the steps in columns. */
function tell(
  { plan }: IterationContext,
  batches: readonly ReplicaBatch[],
  { finished, blames }: { finished: readonly Finished[]; blames: Blames },
  iteration: number,
): Pick<IterationResult, 'transcripts' | 'groups'> {
  const spiking = batches.map((batch, i) => ({ batch, agents: finished[i]!.spikingAgents }));
  const forSpikes = spikeEpisodes(spiking);
  return {
    transcripts: sampleTranscripts(plan.replicas, batches, iteration, { forSpikes, blames }),
    groups: spiking.map(({ batch, agents }) => {
      const ids = agents.map((agent) => batch.replica.workflow.spec.agents[agent]!);
      return groupRecord(batch, iteration, ids);
    }),
  };
}

/** All stages of one iteration for a part of the replicas. `memories`: by replica index, as the last iteration left them. */
export async function runIteration(
  context: IterationContext,
  replicas: readonly ReplicaPlan[],
  iteration: number,
  memories: ReadonlyMap<number, ReplicaMemory>,
): Promise<IterationResult> {
  const { now } = context;
  const startMs = now();
  await act(context, replicas, iteration);
  const rolloutEndMs = now();
  const batches = await prepareBatches(context, replicas, iteration, ({ index }) =>
    memories.get(index)!,
  );
  const advantagesEndMs = now();
  const gradients = await measureGradients(context, context.diagnostics, batches, iteration);
  const blames = await measureBlame(context, context.diagnostics, batches, iteration);
  const updateStartMs = now();
  const updated = { ...(await update(context, batches, iteration)), gradients };
  const finished = await Promise.all(
    batches.map((batch) => finish(context, batch, updated, iteration)),
  );
  const updateEndMs = now();
  const trajectories = batches.flatMap(({ scored }) => scored.trajectories);
  const rows = finished.flatMap((part) => part.rows);
  return {
    rows: await withEvaluation(context, replicas, iteration, rows),
    ...tell(context, batches, { finished, blames }, iteration),
    gradientPairs: finished.flatMap((part) => part.gradientPairs),
    notices: finished.flatMap((part) => part.notices),
    memories: new Map(batches.map(({ replica }, i) => [replica.index, finished[i]!.memory])),
    tokens: countTokens(trajectories),
    times: {
      rolloutMs: rolloutEndMs - startMs,
      advantagesMs: advantagesEndMs - rolloutEndMs,
      diagnosticsMs: updateStartMs - advantagesEndMs,
      updateMs: updateEndMs - updateStartMs,
    },
  };
}

/** Evaluation success of each replica, by replica index. */
export async function evaluate(
  { plan, policies, evaluation }: IterationContext,
  replicas: readonly ReplicaPlan[],
): Promise<Map<number, number>> {
  const starts = evaluationStarts(replicas, evaluation.tasks);
  return successByReplica(plan, await playEpisodes(plan, policies, starts, evaluation.greedy));
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
