import * as tf from '@tensorflow/tfjs-core';
import type { SegmentGradients, UpdateBatch } from '../protocol/policyApi';
import { groupRows } from './groupRows';
import { unflatten } from './optimizer';
import { stackScalars } from './policyObjective';
import type { CohortModel } from './replica';
import type { Cohort } from './updateCohort';
import { disposeSlices, innerProducts, sliceGradient, uploadSlices } from './updateReplica';

/** [tensors] squared norm of each parameter tensor's part of a gradient [P]. */
function tensorSquares(gradient: tf.Tensor1D, { parameters }: CohortModel): tf.Tensor1D {
  return stackScalars(
    unflatten(gradient, parameters).map((part) => tf.sum<tf.Scalar>(tf.square(part))),
  );
}

interface PendingGradients {
  readonly replica: number;
  /** [S] */
  readonly segments: readonly number[];
  /** [S · S + S · tensors]; on the device. */
  readonly numbers: tf.Tensor1D;
}

/** All segments of one replica under its present weights; nothing is read back. */
function gradientsOf(
  { model, replicas }: Cohort,
  batch: UpdateBatch,
  replica: number,
  rows: readonly number[],
): PendingGradients {
  const state = replicas[replica]!;
  const isSupervised = batch.objective === 'supervised';
  const aggregation = isSupervised ? 'tokenMean' : state.hyper.loss.aggregation;
  const slices = uploadSlices(batch, rows, model, aggregation);
  const numbers = tf.tidy(() => {
    const parts = slices.map(
      (slice) => sliceGradient(model, state, slice, batch.objective).gradient,
    );
    return tf.concat1d([
      innerProducts(parts),
      ...parts.map((gradient) => tensorSquares(gradient, model)),
    ]);
  });
  disposeSlices(slices);
  return { replica, segments: slices.map(({ agent }) => agent), numbers };
}

async function read({ replica, segments, numbers }: PendingGradients): Promise<SegmentGradients> {
  const values = Float64Array.from(await numbers.data<'float32'>());
  numbers.dispose();
  const numProducts = segments.length ** 2;
  return {
    replica,
    segments,
    products: values.slice(0, numProducts),
    tensorSquares: values.slice(numProducts),
  };
}

/** See `PolicyApi.segmentGradients`. */
export function cohortGradients(
  cohort: Cohort,
  batch: UpdateBatch,
): Promise<readonly SegmentGradients[]> {
  const byReplica = groupRows(batch.replicas.keys(), (row) => batch.replicas[row]!);
  return Promise.all(
    Array.from(byReplica, ([replica, rows]) => read(gradientsOf(cohort, batch, replica, rows))),
  );
}
