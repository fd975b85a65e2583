import type * as tf from '@tensorflow/tfjs-core';
import type { AgentUpdateStats, UpdateBatch, UpdateStats } from '../protocol/policyApi';
import { groupRows } from './groupRows';
import { disposeTrained, type CohortModel, type ReplicaState } from './replica';
import {
  disposeSlices,
  klOfSlices,
  stepReplica,
  uploadSlices,
  type AgentSlice,
} from './updateReplica';
import { toAgentStats } from './updateStats';

/** A cohort on the tfjs backend of this thread: the replicas of one policy, one after another. */
export interface Cohort {
  readonly model: CohortModel;
  /** Replaced entry by entry as updates go by. */
  readonly replicas: ReplicaState[];
}

/** Per-update statistics of one replica, waiting on the device. */
interface PendingStats {
  readonly replica: number;
  readonly hasReference: boolean;
  /** One vector per optimizer step, see `stepReplica`. */
  readonly steps: readonly { slices: readonly AgentSlice[]; stats: tf.Tensor1D }[];
  /** [slices] per minibatch, after the last step. */
  readonly kls: readonly { slices: readonly AgentSlice[]; kl: tf.Tensor1D }[];
}

/** All epochs and minibatches of one replica; nothing is read back. */
function updateOne(
  { model, replicas }: Cohort,
  batch: UpdateBatch,
  replica: number,
  rows: readonly number[],
): PendingStats {
  const { loss } = replicas[replica]!.hyper;
  const isSupervised = batch.objective === 'supervised';
  const aggregation = isSupervised ? 'tokenMean' : loss.aggregation;
  const byMinibatch = groupRows(rows, (row) => batch.minibatches[row]!);
  const minibatches = [...byMinibatch]
    .toSorted(([a], [b]) => a - b)
    .map(([, part]) => uploadSlices(batch, part, model, aggregation));
  const numEpochs = isSupervised ? 1 : loss.numUpdateEpochs;
  const step = { objective: batch.objective, learningRate: batch.learningRates[replica]! };
  const steps = Array.from({ length: numEpochs }, () =>
    minibatches.map((slices) => {
      const before = replicas[replica]!;
      const { replica: after, stats } = stepReplica(model, before, slices, step);
      disposeTrained(before);
      replicas[replica] = after;
      return { slices, stats };
    }),
  ).flat();
  const kls = isSupervised
    ? []
    : minibatches.map((slices) => ({ slices, kl: klOfSlices(model, replicas[replica]!, slices) }));
  for (const slices of minibatches) disposeSlices(slices);
  return { replica, hasReference: !isSupervised && loss.refKlCoef > 0, steps, kls };
}

/** Reads a vector back and frees it. */
async function takeData(tensor: tf.Tensor1D): Promise<Float32Array> {
  const data = await tensor.data<'float32'>();
  tensor.dispose();
  return data;
}

async function readStats(pending: PendingStats): Promise<AgentUpdateStats[]> {
  const steps = await Promise.all(
    pending.steps.map(async ({ slices, stats }) => {
      const data = await takeData(stats);
      const numProducts = slices.length ** 2;
      return {
        agents: slices.map(({ agent }) => agent),
        products: data.subarray(0, numProducts),
        values: data.subarray(numProducts),
      };
    }),
  );
  const kls = await Promise.all(
    pending.kls.map(async ({ slices, kl }) => {
      const values = await takeData(kl);
      return slices.map(({ agent, numTokens }, index) => ({
        agent,
        numTokens,
        kl: values[index]!,
      }));
    }),
  );
  return toAgentStats(pending.replica, steps, kls.flat(), pending.hasReference);
}

/** See `PolicyApi.update`. All steps are issued before the first read-back is awaited. */
export async function updateCohort(cohort: Cohort, batch: UpdateBatch): Promise<UpdateStats> {
  const byReplica = groupRows(batch.replicas.keys(), (row) => batch.replicas[row]!);
  const pending = Array.from(byReplica, ([replica, rows]) =>
    updateOne(cohort, batch, replica, rows),
  );
  return { agents: (await Promise.all(pending.map(readStats))).flat() };
}
