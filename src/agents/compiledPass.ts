import type { ArchitectureSpec } from '../config/experimentSpec';
import type { KernelCall } from '../gpu/kernelCall';
import { attention, attentionBackward } from '../kernels/attention/attention';
import { embedding, embeddingBackward } from '../kernels/embedding/embedding';
import { matmul, transposed, type Matrix } from '../kernels/matmul/matmul';
import { rmsNorm, rmsNormBackward, rmsNormGain, type NormRows } from '../kernels/rmsNorm/rmsNorm';
import { rotary } from '../kernels/rotary/rotary';
import { placeRows, takeRows } from '../kernels/rows/rows';
import { swiglu, swigluBackward } from '../kernels/swiglu/swiglu';
import type { LayerBuffers, PassBuffers } from './compiledBuffers';
import { parameterViews, type LayerViews, type ParameterViews } from './parameterViews';

/**
 * The policy of `tfjsModel` as a fixed list of dispatches over all replicas of a cohort, forwards and backwards by hand. The number of
 * dispatches depends on the layers alone. Axes: R replicas, U sequences, T tokens, K sites, D width, V vocabulary, P parameters.
 */

export interface PassShape {
  readonly architecture: ArchitectureSpec;
  readonly vocabularySize: number;
  readonly numReplicas: number;
  readonly numSequences: number;
  readonly length: number;
  readonly numSites: number;
}

/** Everything a call needs to know. */
interface Pass {
  readonly shape: PassShape;
  readonly buffers: PassBuffers;
  readonly weights: ParameterViews;
  readonly gradients: ParameterViews;
  readonly numRows: number;
}

function passOf(shape: PassShape, buffers: PassBuffers): Pass {
  const { architecture, vocabularySize } = shape;
  return {
    shape,
    buffers,
    weights: parameterViews(architecture, vocabularySize, buffers.weights),
    gradients: parameterViews(architecture, vocabularySize, buffers.gradients),
    numRows: shape.numSequences * shape.length,
  };
}

/** [rows, columns] of every replica, one after another. */
function plain(buffer: GPUBuffer, rows: number, columns: number): Matrix {
  return { buffer, rows, columns, replicaStride: rows * columns, offset: 0 };
}

/** out = a · b */
function product({ shape, buffers }: Pass, a: Matrix, b: Matrix, out: Matrix): KernelCall {
  return matmul(a, b, out, { numReplicas: shape.numReplicas, unused: buffers.unused });
}

/** out = a · b added to what out holds, or to another buffer of its layout. */
function productOnto(
  { shape, buffers }: Pass,
  [a, b]: readonly [Matrix, Matrix],
  out: Matrix,
  onto: 'add' | GPUBuffer,
): KernelCall {
  return matmul(a, b, out, { numReplicas: shape.numReplicas, unused: buffers.unused, onto });
}

function norm({ shape, numRows }: Pass, gain: Matrix): NormRows {
  return { numReplicas: shape.numReplicas, numRows, gain };
}

function attentionShape({ shape }: Pass) {
  const { numReplicas, numSequences, length, architecture } = shape;
  const { numHeads, numKeyValueHeads, hiddenSize } = architecture;
  const headSize = hiddenSize / numHeads;
  return { numReplicas, numSequences, length, numHeads, numKeyValueHeads, headSize };
}

function turned(pass: Pass, x: GPUBuffer, heads: number, way: 'forward' | 'backward'): KernelCall {
  const { numReplicas, length } = pass.shape;
  const { headSize } = attentionShape(pass);
  const { numRows, buffers } = pass;
  return rotary(
    { numReplicas, numRows, length, numHeads: heads, headSize, angles: buffers.angles },
    x,
    way,
  );
}

/** The buffers of a layer as matrices. */
function layerMatrices({ shape, numRows }: Pass, layer: LayerBuffers) {
  const { hiddenSize, intermediateSize, numHeads, numKeyValueHeads } = shape.architecture;
  const keyValueSize = (hiddenSize / numHeads) * numKeyValueHeads;
  const wide = (buffer: GPUBuffer): Matrix => plain(buffer, numRows, hiddenSize);
  return {
    normed: wide(layer.normed),
    queries: wide(layer.queries),
    keys: plain(layer.keys, numRows, keyValueSize),
    values: plain(layer.values, numRows, keyValueSize),
    mixed: wide(layer.mixed),
    afterAttention: wide(layer.afterAttention),
    inner: wide(layer.inner),
    gate: plain(layer.gate, numRows, intermediateSize),
    up: plain(layer.up, numRows, intermediateSize),
    activated: plain(layer.activated, numRows, intermediateSize),
    after: wide(layer.after),
  };
}

function layerForward(
  pass: Pass,
  stream: GPUBuffer,
  layer: LayerBuffers,
  views: LayerViews,
): KernelCall[] {
  const { shape, numRows } = pass;
  const { numHeads, numKeyValueHeads, intermediateSize } = shape.architecture;
  const m = layerMatrices(pass, layer);
  const count = shape.numReplicas * numRows * intermediateSize;
  return [
    rmsNorm(norm(pass, views.attentionGain), stream, layer.normed, layer.attentionInverse),
    product(pass, m.normed, views.queries, m.queries),
    product(pass, m.normed, views.keys, m.keys),
    product(pass, m.normed, views.values, m.values),
    turned(pass, layer.queries, numHeads, 'forward'),
    turned(pass, layer.keys, numKeyValueHeads, 'forward'),
    attention(attentionShape(pass), layer, { out: layer.mixed, normalisers: layer.normalisers }),
    productOnto(pass, [m.mixed, views.output], m.afterAttention, stream),
    rmsNorm(norm(pass, views.mlpGain), layer.afterAttention, layer.inner, layer.mlpInverse),
    product(pass, m.inner, views.gate, m.gate),
    product(pass, m.inner, views.up, m.up),
    swiglu(count, layer.gate, layer.up, layer.activated),
    productOnto(pass, [m.activated, views.down], m.after, layer.afterAttention),
  ];
}

/** From tokens to next-token logits [R, K, V] at the sites. */
export function forwardCalls(shape: PassShape, buffers: PassBuffers): KernelCall[] {
  const pass = passOf(shape, buffers);
  const { numReplicas, numSites, architecture, vocabularySize } = shape;
  const { hiddenSize } = architecture;
  const { weights, numRows } = pass;
  const rows = { tokens: buffers.tokens, numRows, numReplicas };
  const choice = { numReplicas, numRows, numTaken: numSites, width: hiddenSize };
  const streams = [buffers.embedded, ...buffers.layers.map(({ after }) => after)];
  const final = plain(buffers.final, numSites, hiddenSize);
  return [
    embedding(rows, weights.embedding, buffers.embedded),
    ...buffers.layers.flatMap((layer, index) =>
      layerForward(pass, streams[index]!, layer, weights.layers[index]!),
    ),
    takeRows(choice, streams.at(-1)!, buffers.siteRows, buffers.taken),
    rmsNorm(
      { numReplicas, numRows: numSites, gain: weights.finalGain },
      buffers.taken,
      buffers.final,
      buffers.finalInverse,
    ),
    product(pass, final, weights.head, plain(buffers.logits, numSites, vocabularySize)),
  ];
}

/** The feed-forward part of a layer: adds to the stream's gradient, overwrites gate and up. */
function mlpBackward(
  pass: Pass,
  layer: LayerBuffers,
  views: LayerViews,
  grads: LayerViews,
): KernelCall[] {
  const { shape, numRows, buffers } = pass;
  const { hiddenSize, intermediateSize } = shape.architecture;
  const m = layerMatrices(pass, layer);
  const d = plain(buffers.streamGradient, numRows, hiddenSize);
  const dActivated = plain(buffers.wideScratch, numRows, intermediateSize);
  const dInner = plain(buffers.scratch, numRows, hiddenSize);
  const count = shape.numReplicas * numRows * intermediateSize;
  const back = { x: layer.afterAttention, inverse: layer.mlpInverse, upstream: buffers.scratch };
  return [
    product(pass, d, transposed(views.down), dActivated),
    product(pass, transposed(m.activated), d, grads.down),
    swigluBackward(count, buffers.wideScratch, layer.gate, layer.up),
    product(pass, transposed(m.inner), m.gate, grads.gate),
    product(pass, transposed(m.inner), m.up, grads.up),
    product(pass, m.gate, transposed(views.gate), dInner),
    productOnto(pass, [m.up, transposed(views.up)], dInner, 'add'),
    rmsNormGain(norm(pass, grads.mlpGain), back),
    rmsNormBackward(norm(pass, views.mlpGain), back, buffers.streamGradient, 'add'),
  ];
}

/** The attention part of a layer: adds to the stream's gradient. */
function attentionPartBackward(
  pass: Pass,
  stream: GPUBuffer,
  layer: LayerBuffers,
  { views, grads }: { views: LayerViews; grads: LayerViews },
): KernelCall[] {
  const { shape, numRows, buffers } = pass;
  const { hiddenSize, numHeads, numKeyValueHeads } = shape.architecture;
  const m = layerMatrices(pass, layer);
  const d = plain(buffers.streamGradient, numRows, hiddenSize);
  const dMixed = plain(buffers.scratch, numRows, hiddenSize);
  const dq = plain(buffers.queryGradient, numRows, hiddenSize);
  const dk = { ...m.keys, buffer: buffers.keyGradient };
  const dv = { ...m.values, buffer: buffers.valueGradient };
  const gradients = { queries: dq.buffer, keys: dk.buffer, values: dv.buffer, dots: buffers.dots };
  const forward = {
    queries: layer.queries,
    keys: layer.keys,
    values: layer.values,
    out: layer.mixed,
    normalisers: layer.normalisers,
  };
  const back = { x: stream, inverse: layer.attentionInverse, upstream: buffers.scratch };
  return [
    product(pass, d, transposed(views.output), dMixed),
    product(pass, transposed(m.mixed), d, grads.output),
    ...attentionBackward(attentionShape(pass), forward, buffers.scratch, gradients),
    turned(pass, dq.buffer, numHeads, 'backward'),
    turned(pass, dk.buffer, numKeyValueHeads, 'backward'),
    product(pass, transposed(m.normed), dq, grads.queries),
    product(pass, transposed(m.normed), dk, grads.keys),
    product(pass, transposed(m.normed), dv, grads.values),
    product(pass, dq, transposed(views.queries), dMixed),
    productOnto(pass, [dk, transposed(views.keys)], dMixed, 'add'),
    productOnto(pass, [dv, transposed(views.values)], dMixed, 'add'),
    rmsNormGain(norm(pass, grads.attentionGain), back),
    rmsNormBackward(norm(pass, views.attentionGain), back, buffers.streamGradient, 'add'),
  ];
}

/**
 * From ∂loss/∂logits in `logitGradient` to ∂loss/∂parameters in `gradients`, all of it overwritten. After a forward pass, whose gate and
 * up activations it uses up.
 */
export function backwardCalls(shape: PassShape, buffers: PassBuffers): KernelCall[] {
  const pass = passOf(shape, buffers);
  const { numReplicas, numSites, architecture, vocabularySize } = shape;
  const { hiddenSize, tieEmbeddings } = architecture;
  const { weights, gradients, numRows } = pass;
  const rows = { tokens: buffers.tokens, numRows, numReplicas };
  const choice = { numReplicas, numRows, numTaken: numSites, width: hiddenSize };
  const streams = [buffers.embedded, ...buffers.layers.map(({ after }) => after)];
  const dLogits = plain(buffers.logitGradient, numSites, vocabularySize);
  const final = plain(buffers.final, numSites, hiddenSize);
  const dFinal = plain(buffers.finalGradient, numSites, hiddenSize);
  const finalNorm = { numReplicas, numRows: numSites };
  const back = {
    x: buffers.taken,
    inverse: buffers.finalInverse,
    upstream: buffers.finalGradient,
  };
  const layers: KernelCall[] = [];
  for (const [index, layer] of [...buffers.layers.entries()].toReversed()) {
    const [views, grads] = [weights.layers[index]!, gradients.layers[index]!];
    layers.push(
      ...mlpBackward(pass, layer, views, grads),
      ...attentionPartBackward(pass, streams[index]!, layer, { views, grads }),
    );
  }
  const headGradient = tieEmbeddings
    ? productOnto(pass, [transposed(dLogits), final], gradients.embedding, 'add')
    : product(pass, transposed(final), dLogits, gradients.head);
  return [
    product(pass, dLogits, transposed(weights.head), dFinal),
    rmsNormGain({ ...finalNorm, gain: gradients.finalGain }, back),
    rmsNormBackward(
      { ...finalNorm, gain: weights.finalGain },
      back,
      buffers.takenGradient,
      'overwrite',
    ),
    placeRows(choice, buffers.takenGradient, buffers.siteOfRow, buffers.streamGradient),
    ...layers,
    embeddingBackward(rows, buffers.streamGradient, gradients.embedding),
    headGradient,
  ];
}
