import * as tf from '@tensorflow/tfjs-core';
import type { ArchitectureSpec } from '../config/experimentSpec';

/**
 * The policy in tfjs ops: decoder-only, pre-RMSNorm, rotary positions, grouped-query attention, SwiGLU, no biases.
 * It is the reference for every faster implementation. Axes: U sequences, T tokens, K sites, D width, V vocabulary.
 */

const normEpsilon = 1e-6;
/** Finite, because −∞ turns a fully masked row into NaN. */
const maskedScore = -1e9;

/** Tables that depend on shapes only; kept on the device for the life of a cohort. */
export interface ModelTables {
  /** [T, 1, headSize] */
  readonly cos: tf.Tensor3D;
  readonly sin: tf.Tensor3D;
  /** [headSize, headSize] x · rotateHalf = (−x₂, x₁) for the halves x = (x₁, x₂). */
  readonly rotateHalf: tf.Tensor2D;
  /** [T, T] 0 where a token may look, −1e9 in its future. */
  readonly causalMask: tf.Tensor2D;
}

/** Rotary angles as in Hugging Face Llama: frequency i of headSize/2 is θ^(−2i/headSize), halves rotated together. */
export function createTables(architecture: ArchitectureSpec, maxLength: number): ModelTables {
  const headSize = architecture.hiddenSize / architecture.numHeads;
  const half = headSize / 2;
  const angles = Array.from({ length: maxLength * headSize }, (_, index) => {
    const frequency = architecture.ropeTheta ** ((-2 * (index % half)) / headSize);
    return Math.floor(index / headSize) * frequency;
  });
  const rotation = new Float32Array(headSize * headSize);
  for (let column = 0; column < headSize; column++) {
    const row = (column + half) % headSize;
    rotation[row * headSize + column] = column < half ? -1 : 1;
  }
  const mask = Float32Array.from({ length: maxLength * maxLength }, (_, index) =>
    index % maxLength > Math.floor(index / maxLength) ? maskedScore : 0,
  );
  return {
    cos: tf.tensor3d(angles.map(Math.cos), [maxLength, 1, headSize]),
    sin: tf.tensor3d(angles.map(Math.sin), [maxLength, 1, headSize]),
    rotateHalf: tf.tensor2d(rotation, [headSize, headSize]),
    causalMask: tf.tensor2d(mask, [maxLength, maxLength]),
  };
}

/** Root-mean-square norm over the last axis with a gain. [N, D] in and out. Zhang and Sennrich 2019. */
function rmsNorm(x: tf.Tensor2D, gain: tf.Tensor): tf.Tensor2D {
  const inverse = tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), normEpsilon));
  return tf.mul(tf.mul(x, inverse), gain);
}

/** [U·T, heads·headSize] → rotated by position, same shape. Su et al. 2021. */
function rotate(x: tf.Tensor2D, shape: AttentionShape, tables: ModelTables): tf.Tensor4D {
  const { numSequences, length, headSize } = shape;
  const heads = x.shape[1] / headSize;
  const turned = tf.matMul(tf.reshape(x, [-1, headSize]), tables.rotateHalf);
  const cos = tf.slice(tables.cos, [0, 0, 0], [length, 1, headSize]);
  const sin = tf.slice(tables.sin, [0, 0, 0], [length, 1, headSize]);
  const as4d = (y: tf.Tensor): tf.Tensor4D =>
    tf.reshape(y, [numSequences, length, heads, headSize]);
  return tf.add(tf.mul(as4d(x), cos), tf.mul(as4d(turned), sin));
}

interface AttentionShape {
  readonly numSequences: number;
  readonly length: number;
  readonly numHeads: number;
  readonly numKeyValueHeads: number;
  readonly headSize: number;
}

/**
 * Causal grouped-query attention. The queries that share a key head are stacked along the token axis, so no key is copied and
 * no batch axis is broadcast (a broadcast batch product has no gradient in tfjs). [U·T, D] in and out.
 */
function attention(
  projections: { q: tf.Tensor2D; k: tf.Tensor2D; v: tf.Tensor2D },
  shape: AttentionShape,
  tables: ModelTables,
): tf.Tensor2D {
  const { numSequences: u, length: t, numKeyValueHeads: kv, headSize } = shape;
  const perKey = shape.numHeads / kv;
  const q = tf.reshape(rotate(projections.q, shape, tables), [u, t, kv, perKey, headSize]);
  const queries = tf.reshape(tf.transpose(q, [0, 2, 3, 1, 4]), [u * kv, perKey * t, headSize]);
  // Transposed here once: the wasm kernel is slow at transposed operands.
  const keysByHead = tf.transpose(rotate(projections.k, shape, tables), [0, 2, 3, 1]);
  const keys = tf.reshape(keysByHead, [u * kv, headSize, t]);
  const valuesByHead = tf.transpose(tf.reshape(projections.v, [u, t, kv, headSize]), [0, 2, 1, 3]);
  const values = tf.reshape(valuesByHead, [u * kv, t, headSize]);
  const scores = tf.mul(tf.matMul(queries, keys), 1 / Math.sqrt(headSize));
  const mask = tf.slice(tables.causalMask, [0, 0], [t, t]);
  const masked = tf.add(tf.reshape(scores, [u * kv, perKey, t, t]), mask);
  const weights = tf.reshape(tf.softmax(masked), [u * kv, perKey * t, t]);
  const mixed = tf.reshape(tf.matMul(weights, values), [u, kv, perKey, t, headSize]);
  return tf.reshape(tf.transpose(mixed, [0, 3, 1, 2, 4]), [u * t, -1]);
}

/** The sites' rows of x, each taken at most once: then the gradient is a gather too, and exists on every backend. */
function takeRows(x: tf.Tensor2D, sites: Sites): tf.Tensor2D {
  const take = tf.customGrad<tf.Tensor2D>(() => ({
    value: tf.gather(x, sites.rows),
    gradFunc: (dy) =>
      tf.gather(tf.concat([dy, tf.zeros<tf.Rank.R2>([1, x.shape[1]])], 0), sites.siteOfRow),
  }));
  return take(x);
}

/** float32 [N, depth]. Cast afterwards: asked for floats directly, tfjs's wasm kernel writes integers into them. */
export function oneHotRows(indices: tf.Tensor1D, depth: number): tf.Tensor2D {
  return tf.cast(tf.reshape<tf.Rank.R2>(tf.oneHot(indices, depth), [-1, depth]), 'float32');
}

/** Where logits are wanted. */
export interface Sites {
  /** int32 [K] distinct indices into the U·T token rows. */
  readonly rows: tf.Tensor1D;
  /** int32 [U·T] the site of each token row, K where there is none. */
  readonly siteOfRow: tf.Tensor1D;
}

/**
 * [U·T, D] what the first layer reads: the embedding of each token.
 * @param weights in the order of `parameterSpecs`
 * @param tokens int32 [U, T]
 */
export function embedTokens(weights: readonly tf.Tensor[], tokens: tf.Tensor2D): tf.Tensor2D {
  const [embedding] = weights;
  if (embedding === undefined)
    throw new RangeError('embedTokens got no weights: pass one per parameterSpecs entry.');
  const [vocabularySize = 0] = embedding.shape;
  // One-hot product instead of a gather: the gradient of gather is missing on wasm and adds floats in random order on webgpu.
  const oneHot = oneHotRows(tf.reshape(tokens, [-1]), vocabularySize);
  return tf.matMul(oneHot, embedding);
}

/**
 * Next-token logits [K, V] at the given sites.
 * @param weights in the order of `parameterSpecs`
 * @param tokens int32 [U, T]; padding may stand at the right end, where no site looks at it
 */
export function forwardLogits(
  architecture: ArchitectureSpec,
  tables: ModelTables,
  weights: readonly tf.Tensor[],
  input: { tokens: tf.Tensor2D; sites: Sites },
): tf.Tensor2D {
  const [numSequences, length] = input.tokens.shape;
  const embedded = embedTokens(weights, input.tokens);
  const { sites } = input;
  return embeddedLogits(architecture, tables, weights, { embedded, numSequences, length, sites });
}

/** The same from tokens that are already embedded [U·T, D], in U sequences of T tokens. */
export function embeddedLogits(
  architecture: ArchitectureSpec,
  tables: ModelTables,
  weights: readonly tf.Tensor[],
  input: { embedded: tf.Tensor2D; numSequences: number; length: number; sites: Sites },
): tf.Tensor2D {
  const { numLayers, numHeads, numKeyValueHeads, hiddenSize } = architecture;
  const { numSequences, length } = input;
  const headSize = hiddenSize / numHeads;
  const shape = { numSequences, length, numHeads, numKeyValueHeads, headSize };
  let next = 0;
  const take = (): tf.Tensor => {
    const weight = weights[next++];
    if (weight === undefined)
      throw new RangeError(
        `forwardLogits got ${weights.length} weights: pass one per parameterSpecs entry.`,
      );
    return weight;
  };
  const embedding = take();
  let stream = input.embedded;
  for (let layer = 0; layer < numLayers; layer++) {
    const normed = rmsNorm(stream, take());
    const q: tf.Tensor2D = tf.matMul(normed, take());
    const k: tf.Tensor2D = tf.matMul(normed, take());
    const v: tf.Tensor2D = tf.matMul(normed, take());
    stream = tf.add(stream, tf.matMul(attention({ q, k, v }, shape, tables), take()));
    const inner = rmsNorm(stream, take());
    const gate = tf.matMul(inner, take());
    const up = tf.matMul(inner, take());
    const activated = tf.mul(tf.mul(gate, tf.sigmoid(gate)), up);
    stream = tf.add(stream, tf.matMul(activated, take()));
  }
  const final = rmsNorm(takeRows(stream, input.sites), take());
  return architecture.tieEmbeddings
    ? tf.matMul(final, embedding, false, true)
    : tf.matMul(final, take());
}
