import * as tf from '@tensorflow/tfjs-core';
import type { OptimizerSpec } from '../config/experimentSpec';
import { flatten, unflatten, type OptimizerState } from './optimizer';
import type { ParameterSpec } from './parameters';

/** Weights and optimizer of tfjs networks, off the device and back. */

/** One network. Axis: P parameters. */
interface TrainedNumbers {
  /** [P] */
  readonly weights: Float32Array;
  readonly moment1: Float32Array;
  /** [P]; [1] for SGD. */
  readonly moment2: Float32Array;
  readonly count: number;
}

interface Trained {
  readonly weights: readonly tf.Tensor[];
  readonly optimizer: OptimizerState;
}

/** [P] all parameters one after another. */
export async function readFlat(weights: readonly tf.Tensor[]): Promise<Float32Array> {
  const flat = tf.tidy(() => flatten(weights));
  try {
    return await flat.data<'float32'>();
  } finally {
    flat.dispose();
  }
}

export async function readTrained({ weights, optimizer }: Trained): Promise<TrainedNumbers> {
  const { moment1, moment2, count } = optimizer;
  const [flat, first, second, [steps]] = await Promise.all([
    readFlat(weights),
    moment1.data<'float32'>(),
    moment2.data<'float32'>(),
    count.data<'float32'>(),
  ]);
  return { weights: flat, moment1: first.slice(), moment2: second.slice(), count: steps! };
}

/** Parameter-shaped tensors, owned by the caller. */
export function tensorsOf(
  flat: Float32Array,
  parameters: readonly ParameterSpec[],
): readonly tf.Tensor[] {
  return tf.tidy(() => unflatten(tf.tensor1d(flat), parameters));
}

/** New tensors, owned by the caller. */
export function writeTrained(
  numbers: TrainedNumbers,
  parameters: readonly ParameterSpec[],
  kind: OptimizerSpec['kind'],
): Trained {
  return {
    weights: tensorsOf(numbers.weights, parameters),
    optimizer: {
      moment1: tf.tensor1d(numbers.moment1),
      moment2: tf.tensor1d(kind === 'sgd' ? numbers.moment2.slice(0, 1) : numbers.moment2),
      count: tf.scalar(numbers.count),
    },
  };
}

/** Several networks of P parameters, one after another. */
interface StackedNumbers {
  /** [R, P] each. */
  readonly weights: Float32Array<ArrayBuffer>;
  readonly moments1: Float32Array<ArrayBuffer>;
  readonly moments2: Float32Array<ArrayBuffer>;
  /** [R] */
  readonly counts: Float32Array<ArrayBuffer>;
}

/** Second moments that SGD does not have are 0. */
export function stackTrained(trained: readonly TrainedNumbers[]): StackedNumbers {
  const size = trained[0]?.weights.length ?? 0;
  const stacked = (of: (numbers: TrainedNumbers) => Float32Array): Float32Array<ArrayBuffer> => {
    const all = new Float32Array(trained.length * size);
    for (const [index, numbers] of trained.entries()) all.set(of(numbers), index * size);
    return all;
  };
  return {
    weights: stacked(({ weights }) => weights),
    moments1: stacked(({ moment1 }) => moment1),
    moments2: stacked(({ moment2 }) => moment2),
    counts: Float32Array.from(trained, ({ count }) => count),
  };
}

/** One of the networks, as a copy. */
export function trainedAt(stacked: StackedNumbers, index: number): TrainedNumbers {
  const size = stacked.weights.length / stacked.counts.length;
  const part = (values: Float32Array): Float32Array =>
    values.slice(index * size, (index + 1) * size);
  return {
    weights: part(stacked.weights),
    moment1: part(stacked.moments1),
    moment2: part(stacked.moments2),
    count: stacked.counts[index]!,
  };
}
