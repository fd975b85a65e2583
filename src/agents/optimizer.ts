import * as tf from '@tensorflow/tfjs-core';
import type { OptimizerSpec } from '../config/experimentSpec';
import { sizeOf, type ParameterSpec } from './parameters';

/**
 * AdamW and SGD over one flat vector of all parameters: a dozen ops a step instead of a dozen per tensor.
 * State in, state out, all on the device: whether a step was skipped is decided there, without waiting for a read-back.
 */

/** Tensors that an optimizer carries from step to step; the caller owns them. */
export interface OptimizerState {
  /** [P] AdamW's first moment, or SGD's velocity. */
  readonly moment1: tf.Tensor1D;
  /** [P] AdamW's second moment; [1] and unused for SGD. */
  readonly moment2: tf.Tensor1D;
  /** Steps taken (skipped ones not counted): AdamW's t. */
  readonly count: tf.Scalar;
}

/** Larger squared norms, infinities and NaN all fail `normSquared < this`. */
const largestSquare = 3e38;

export function createOptimizerState(spec: OptimizerSpec, numParameters: number): OptimizerState {
  return {
    moment1: tf.zeros([numParameters]),
    moment2: tf.zeros([spec.kind === 'adamw' ? numParameters : 1]),
    count: tf.scalar(0),
  };
}

/** Concatenates parameter-shaped tensors to one vector [P]. */
export function flatten(tensors: readonly tf.Tensor[]): tf.Tensor1D {
  return tf.concat1d(tensors.map((tensor) => tf.reshape(tensor, [-1])));
}

/** The inverse of `flatten`. */
export function unflatten(vector: tf.Tensor1D, specs: readonly ParameterSpec[]): tf.Tensor[] {
  let offset = 0;
  return specs.map(({ shape }) => {
    const size = sizeOf(shape);
    const part = tf.reshape(tf.slice1d(vector, offset, size), [...shape]);
    offset += size;
    return part;
  });
}

interface Step {
  readonly weights: tf.Tensor1D;
  readonly state: OptimizerState;
}

/** PyTorch's AdamW (Loshchilov and Hutter 2019): decay w ← w(1 − lr·λ), then w ← w − lr·m̂/(√v̂ + ε). Decays every parameter. */
function adamw(
  spec: Extract<OptimizerSpec, { kind: 'adamw' }>,
  learningRate: number,
  current: Step,
  gradient: tf.Tensor1D,
): Step {
  const { beta1, beta2 } = spec;
  const count: tf.Scalar = tf.add(current.state.count, 1);
  const moment1: tf.Tensor1D = tf.add(
    tf.mul(current.state.moment1, beta1),
    tf.mul(gradient, 1 - beta1),
  );
  const square = tf.mul(tf.square(gradient), 1 - beta2);
  const moment2: tf.Tensor1D = tf.add(tf.mul(current.state.moment2, beta2), square);
  const correction1 = tf.sub(1, tf.pow(beta1, count));
  const correction2 = tf.sub(1, tf.pow(beta2, count));
  const denominator = tf.add(tf.sqrt(tf.div(moment2, correction2)), spec.epsilon);
  const direction = tf.div(tf.div(moment1, correction1), denominator);
  const decayed = tf.mul(current.weights, 1 - learningRate * spec.weightDecay);
  const weights: tf.Tensor1D = tf.sub(decayed, tf.mul(direction, learningRate));
  return { weights, state: { moment1, moment2, count } };
}

/** PyTorch's SGD: v ← μv + g, w ← w − lr·v. */
function sgd(
  spec: Extract<OptimizerSpec, { kind: 'sgd' }>,
  learningRate: number,
  current: Step,
  gradient: tf.Tensor1D,
): Step {
  const moment1: tf.Tensor1D = tf.add(tf.mul(current.state.moment1, spec.momentum), gradient);
  const weights: tf.Tensor1D = tf.sub(current.weights, tf.mul(moment1, learningRate));
  const count: tf.Scalar = tf.add(current.state.count, 1);
  return { weights, state: { moment1, moment2: current.state.moment2, count } };
}

/**
 * One step with global-norm clipping (PyTorch's convention: factor min(1, max/(‖g‖ + 1e-6))).
 * A gradient whose norm is not finite changes nothing: weights, moments and step count stay.
 * @param gradient [P]
 * @param normSquared ‖gradient‖², before clipping
 */
export function optimizerStep(
  spec: OptimizerSpec,
  learningRate: number,
  current: Step,
  { gradient, normSquared }: { gradient: tf.Tensor1D; normSquared: tf.Scalar },
): Step {
  const isFinite = tf.less(normSquared, largestSquare);
  const factor =
    spec.maxGradNorm === null
      ? null
      : tf.minimum(1, tf.div(spec.maxGradNorm, tf.add(tf.sqrt(normSquared), 1e-6)));
  const clipped: tf.Tensor1D = factor === null ? gradient : tf.mul(gradient, factor);
  const next =
    spec.kind === 'adamw'
      ? adamw(spec, learningRate, current, clipped)
      : sgd(spec, learningRate, current, clipped);
  const keep = <T extends tf.Tensor>(after: T, before: T): T => tf.where(isFinite, after, before);
  return {
    weights: keep(next.weights, current.weights),
    state: {
      moment1: keep(next.state.moment1, current.state.moment1),
      moment2: keep(next.state.moment2, current.state.moment2),
      count: keep(next.state.count, current.state.count),
    },
  };
}
