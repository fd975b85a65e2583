import * as tf from '@tensorflow/tfjs-core';
import type {
  AgentUpdateStats,
  CohortSpec,
  PolicyApi,
  PolicyInfo,
  ReplicaHyper,
  SampleCalls,
  SampledTurns,
  UpdateBatch,
  UpdateStats,
} from '../protocol/policyApi';
import { groupRows } from './groupRows';
import { sizeOf } from './parameters';
import {
  createCohortModel,
  createReplica,
  disposeReplica,
  type CohortModel,
  type ReplicaState,
} from './replica';
import { sampleTurns } from './sampleTurns';
import { runSelfTest } from './selfTest';
import { selectBackend } from './tfjsBackend';
import {
  disposeSlices,
  klOfSlices,
  statsPerAgent,
  stepReplica,
  uploadSlices,
  type AgentSlice,
} from './updateReplica';

/** A cohort on the tfjs backend of this thread. Replicas run one after another; the door is that of stacked replicas. */

interface Cohort {
  readonly model: CohortModel;
  /** Replaced entry by entry as updates go by. */
  readonly replicas: ReplicaState[];
}

/** Per-update statistics of one replica, waiting on the device. */
interface PendingStats {
  readonly replica: number;
  readonly slices: readonly AgentSlice[];
  /** One [slices · statsPerAgent] vector per optimizer step. */
  readonly steps: readonly tf.Tensor1D[];
  /** [slices] */
  readonly kl: tf.Tensor1D | null;
}

function updateOne(
  cohort: Cohort,
  batch: UpdateBatch,
  replica: number,
  rows: readonly number[],
): PendingStats {
  const { model, replicas } = cohort;
  const { loss } = replicas[replica]!.hyper;
  const isSupervised = batch.objective === 'supervised';
  const aggregation = isSupervised ? 'tokenMean' : loss.aggregation;
  const slices = uploadSlices(batch, rows, model, aggregation);
  const numSteps = isSupervised ? 1 : loss.numUpdateEpochs;
  const step = { objective: batch.objective, learningRate: batch.learningRates[replica]! };
  const steps = Array.from({ length: numSteps }, () => {
    const before = replicas[replica]!;
    const { replica: after, stats } = stepReplica(model, before, slices, step);
    disposeReplica(before);
    replicas[replica] = after;
    return stats;
  });
  const kl = isSupervised ? null : klOfSlices(model, replicas[replica]!, slices);
  disposeSlices(slices);
  return { replica, slices, steps, kl };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Means over the optimizer steps, from the read-back statistics. */
function toAgentStats(
  pending: PendingStats,
  steps: readonly Float32Array[],
  kl: Float32Array | null,
): AgentUpdateStats[] {
  // One agent's non-finite part makes the policy's whole step non-finite, so all who share it are skipped together.
  const updateSkipped = steps.filter((stats) =>
    pending.slices.some((_, index) => !Number.isFinite(stats[index * statsPerAgent])),
  ).length;
  return pending.slices.map(({ agent }, index) => {
    const column = (offset: number): number[] =>
      steps.map((stats) => stats[index * statsPerAgent + offset]!);
    const norms = column(0);
    const [low, high] = [mean(column(4)), mean(column(5))];
    return {
      replica: pending.replica,
      agent,
      gradNorm: mean(norms),
      gradNormMax: norms.reduce((a, b) => (b > a || Number.isNaN(b) ? b : a)),
      gradCosine: pending.slices.length > 1 ? mean(column(1)) : null,
      updateSkipped,
      policyLoss: mean(column(2)),
      entropy: mean(column(3)),
      approxKl: kl?.[index] ?? 0,
      clipFraction: low + high,
      clipFractionLow: low,
      clipFractionHigh: high,
    };
  });
}

/** Reads a vector back and frees it. */
async function takeData(tensor: tf.Tensor1D): Promise<Float32Array> {
  const data = await tensor.data<'float32'>();
  tensor.dispose();
  return data;
}

async function updateCohort(cohort: Cohort, batch: UpdateBatch): Promise<UpdateStats> {
  const byReplica = groupRows(batch.replicas.keys(), (row) => batch.replicas[row]!);
  const pending = Array.from(byReplica, ([replica, rows]) =>
    updateOne(cohort, batch, replica, rows),
  );
  const perReplica = await Promise.all(
    pending.map(async (entry) => {
      const steps = await Promise.all(entry.steps.map(takeData));
      return toAgentStats(entry, steps, entry.kl && (await takeData(entry.kl)));
    }),
  );
  return { agents: perReplica.flat() };
}

function disposeCohort({ model, replicas }: Cohort): void {
  for (const replica of replicas) disposeReplica(replica);
  tf.dispose(Object.values(model.tables));
}

/**
 * A policy on tfjs. One per thread, because tfjs has one current backend per thread.
 * @throws Error from `sample` and `update` before `create`.
 */
export function createTfjsPolicy(): PolicyApi {
  let cohort: Cohort | null = null;
  const created = (): Cohort => {
    if (cohort === null) throw new Error('The policy was used before create() or after dispose().');
    return cohort;
  };
  return {
    async create(spec: CohortSpec, replicas: readonly ReplicaHyper[]): Promise<PolicyInfo> {
      if (cohort !== null) disposeCohort(cohort);
      // Should one of the next steps fail, there is no policy, rather than one whose tensors are gone.
      cohort = null;
      const device = await selectBackend(spec.backend);
      const selfTest = spec.backend === 'cpu' ? null : await runSelfTest(spec);
      const model = createCohortModel(spec);
      cohort = { model, replicas: replicas.map((hyper) => createReplica(model, hyper)) };
      const numParameters = model.parameters.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
      return { backend: spec.backend, device, numParameters, selfTest };
    },
    sample: (calls: SampleCalls): Promise<SampledTurns> => {
      const { model, replicas } = created();
      return sampleTurns(model, replicas, calls);
    },
    update: (batch: UpdateBatch): Promise<UpdateStats> => updateCohort(created(), batch),
    dispose(): Promise<void> {
      if (cohort !== null) disposeCohort(cohort);
      cohort = null;
      return Promise.resolve();
    },
  };
}
