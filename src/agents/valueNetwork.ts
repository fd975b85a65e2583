import * as tf from '@tensorflow/tfjs-core';
import type { OptimizerSpec } from '../config/experimentSpec';
import type { CriticHyper, CriticSpec } from '../protocol/criticApi';
import { foldIn, keyFromSeed } from '../rl/rng';
import {
  createOptimizerState,
  flatten,
  optimizerStep,
  unflatten,
  type OptimizerState,
} from './optimizer';
import type { PackedValues } from './packValues';
import { initialWeights, valueParameterSpecs, type ParameterSpec } from './parameters';
import { stackScalars } from './policyObjective';
import { createTables, forwardLogits, type ModelTables } from './tfjsModel';

/** Value networks in tfjs ops: the policies' transformer with a head of one number, read at the last token. */

/** What all networks of a critic have in common. */
export interface ValueModel {
  readonly spec: CriticSpec;
  readonly parameters: readonly ParameterSpec[];
  readonly tables: ModelTables;
}

/** One replica's network, on the device. Replaced as a whole by each update. */
export interface ValueNetwork {
  readonly hyper: CriticHyper;
  readonly weights: readonly tf.Tensor[];
  readonly optimizer: OptimizerState;
}

/** PyTorch's AdamW without decay and clipping; the learning rate is the replica's. */
const adam: OptimizerSpec = {
  kind: 'adamw',
  learningRate: 0,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradNorm: null,
};

/** Purpose of the random stream that draws a critic's initial weights; 1 is the policies'. */
const initialWeightsPurpose = 12;

export function createValueModel(spec: CriticSpec): ValueModel {
  return {
    spec,
    parameters: valueParameterSpecs(spec.architecture, spec.vocabularySize),
    tables: createTables(spec.architecture, spec.maxLength),
  };
}

export function createValueNetwork({ parameters }: ValueModel, hyper: CriticHyper): ValueNetwork {
  const key = foldIn(keyFromSeed(hyper.seed), initialWeightsPurpose);
  const weights = initialWeights(parameters, key);
  const numParameters = weights.reduce((sum, values) => sum + values.length, 0);
  return {
    hyper,
    weights: weights.map((values, index) => tf.tensor(values, [...parameters[index]!.shape])),
    optimizer: createOptimizerState(adam, numParameters),
  };
}

export function disposeNetwork({ weights, optimizer }: ValueNetwork): void {
  tf.dispose([...weights, optimizer.moment1, optimizer.moment2, optimizer.count]);
}

/** A packed batch on the device. */
export interface DeviceValues {
  readonly tokens: tf.Tensor2D;
  readonly rows: tf.Tensor1D;
  readonly siteOfRow: tf.Tensor1D;
  /** [N, U] */
  readonly membership: tf.Tensor2D;
  /** [N, 1] each. */
  readonly shares: tf.Tensor2D;
  readonly oldValues: tf.Tensor2D;
  readonly returns: tf.Tensor2D;
}

export function uploadValues(packed: PackedValues): DeviceValues {
  const { numSequences, length, numPacked } = packed;
  const column = (values: Float32Array): tf.Tensor2D => tf.tensor2d(values, [numPacked, 1]);
  return {
    tokens: tf.tensor2d(packed.tokens, [numSequences, length], 'int32'),
    rows: tf.tensor1d(packed.lastRows, 'int32'),
    siteOfRow: tf.tensor1d(packed.sequenceOfRow, 'int32'),
    membership: tf.tensor2d(packed.membership, [numPacked, numSequences]),
    shares: column(packed.shares),
    oldValues: column(packed.oldValues),
    returns: column(packed.returns),
  };
}

/** [N, 1] values of the packed steps. Unit: reward. */
export function valuesOf(
  { spec, tables }: ValueModel,
  weights: readonly tf.Tensor[],
  { tokens, rows, siteOfRow, membership }: DeviceValues,
): tf.Tensor2D {
  const architecture = { ...spec.architecture, tieEmbeddings: false };
  const input = { tokens, sites: { rows, siteOfRow } };
  return tf.matMul(membership, forwardLogits(architecture, tables, weights, input));
}

/** ½ max((V − R)², (clip(V, V_old ± c) − R)²), mean over the steps; `rl/valueLoss` on plain arrays. Unit: reward². */
export function valueObjective(
  values: tf.Tensor2D,
  { shares, oldValues, returns }: DeviceValues,
  valueClip: number | null,
): tf.Scalar {
  const squared = tf.square(tf.sub(values, returns));
  const meanOf = (losses: tf.Tensor): tf.Scalar => tf.mul(tf.sum(tf.mul(losses, shares)), 0.5);
  if (valueClip === null) return meanOf(squared);
  const moved = tf.clipByValue(tf.sub(values, oldValues), -valueClip, valueClip);
  const clipped = tf.square(tf.sub(tf.add(oldValues, moved), returns));
  // At a tie the gradient is that of the first argument.
  return meanOf(tf.maximum(squared, clipped));
}

/** One optimizer step. Statistics [loss, ‖gradient‖²] stay on the device; the old network's tensors stay valid. */
export function stepNetwork(
  model: ValueModel,
  network: ValueNetwork,
  device: DeviceValues,
): { readonly network: ValueNetwork; readonly stats: tf.Tensor1D } {
  const { hyper } = network;
  const [stats, moment1, moment2, count, ...weights] = tf.tidy(() => {
    const { value, grads } = tf.valueAndGrads((...current: tf.Tensor[]) =>
      valueObjective(valuesOf(model, current, device), device, hyper.valueClip),
    )([...network.weights]);
    const gradient = flatten(grads);
    const normSquared = tf.sum<tf.Scalar>(tf.square(gradient));
    const current = { weights: flatten(network.weights), state: network.optimizer };
    const next = optimizerStep(adam, hyper.learningRate, current, { gradient, normSquared });
    const { state } = next;
    const after = unflatten(next.weights, model.parameters);
    const numbers = stackScalars([value, normSquared]);
    return [numbers, state.moment1, state.moment2, state.count, ...after] as const;
  }) as readonly [tf.Tensor1D, tf.Tensor1D, tf.Tensor1D, tf.Scalar, ...tf.Tensor[]];
  return { network: { hyper, weights, optimizer: { moment1, moment2, count } }, stats };
}
