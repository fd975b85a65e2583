import type { ArchitectureSpec } from '../config/experimentSpec';
import type { KernelCall } from '../gpu/kernelCall';
import { attention, attentionBackward, type AttentionShape } from '../kernels/attention/attention';
import { embedding, embeddingBackward } from '../kernels/embedding/embedding';
import {
  matmul,
  matmulGroup,
  matmulSum,
  transposed,
  type MatmulOptions,
  type Matrix,
} from '../kernels/matmul/matmul';
import { rmsNorm, rmsNormBackward, type NormRows } from '../kernels/rmsNorm/rmsNorm';
import { rotary } from '../kernels/rotary/rotary';
import { swiglu } from '../kernels/swiglu/swiglu';
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

/** What every product of the pass needs. */
function options({ shape, buffers }: Pass, onto?: MatmulOptions['onto']): MatmulOptions {
  const { numReplicas } = shape;
  return { numReplicas, unused: buffers.unused, ...(onto !== undefined && { onto }) };
}

function norm({ shape, numRows, buffers }: Pass, gain: Matrix): NormRows {
  return { numReplicas: shape.numReplicas, numRows, gain, unused: buffers.unused };
}

/** The last norm: of the rows whose next token is asked for. */
function finalNorm(pass: Pass): NormRows {
  const { siteRows, siteOfRow } = pass.buffers;
  const taken = { numTaken: pass.shape.numSites, rows: siteRows, placeOf: siteOfRow };
  return { ...norm(pass, pass.weights.finalGain), taken };
}

function attentionShape({ shape }: Pass): AttentionShape {
  const { numReplicas, numSequences, length, architecture } = shape;
  const { numHeads, numKeyValueHeads, hiddenSize } = architecture;
  const headSize = hiddenSize / numHeads;
  return { numReplicas, numSequences, length, numHeads, numKeyValueHeads, headSize };
}

/** Blocks [rows, width] that stand one after another in each replica's part of a buffer. */
function blocks(buffer: GPUBuffer, rows: number, widths: readonly number[]): Matrix[] {
  const replicaStride = rows * widths.reduce((sum, width) => sum + width, 0);
  let offset = 0;
  return widths.map((columns) => {
    const block = { buffer, rows, columns, replicaStride, offset };
    offset += rows * columns;
    return block;
  });
}

/** Queries, keys and values of a buffer laid out as a layer's. */
function qkvBlocks({ shape, numRows }: Pass, buffer: GPUBuffer): Matrix[] {
  const { hiddenSize, numHeads, numKeyValueHeads } = shape.architecture;
  const keyValueSize = (hiddenSize / numHeads) * numKeyValueHeads;
  return blocks(buffer, numRows, [hiddenSize, keyValueSize, keyValueSize]);
}

/** The buffers of a layer as matrices. */
function layerMatrices(pass: Pass, layer: LayerBuffers) {
  const { hiddenSize, intermediateSize } = pass.shape.architecture;
  const { numRows } = pass;
  const wide = (buffer: GPUBuffer): Matrix => plain(buffer, numRows, hiddenSize);
  return {
    normed: wide(layer.normed),
    qkv: qkvBlocks(pass, layer.qkv),
    mixed: wide(layer.mixed),
    afterAttention: wide(layer.afterAttention),
    inner: wide(layer.inner),
    gateUp: blocks(layer.gateUp, numRows, [intermediateSize, intermediateSize]),
    activated: plain(layer.activated, numRows, intermediateSize),
    after: wide(layer.after),
  };
}

/** Pairs up right-hand sides and outputs. */
function pairs(bs: readonly Matrix[], outs: readonly Matrix[]): { b: Matrix; out: Matrix }[] {
  return bs.map((b, index) => ({ b, out: outs[index]! }));
}

function layerForward(
  pass: Pass,
  stream: GPUBuffer,
  layer: LayerBuffers,
  views: LayerViews,
): KernelCall[] {
  const { shape, numRows, buffers } = pass;
  const m = layerMatrices(pass, layer);
  const heads = attentionShape(pass);
  const count = numRows * shape.architecture.intermediateSize;
  return [
    rmsNorm(norm(pass, views.attentionGain), stream, layer.normed, layer.attentionInverse),
    ...matmulGroup(
      m.normed,
      pairs([views.queries, views.keys, views.values], m.qkv),
      options(pass),
    ),
    rotary(heads, buffers.angles, layer.qkv, 'forward'),
    attention(heads, layer.qkv, { out: layer.mixed, normalisers: layer.normalisers }),
    matmul(m.mixed, views.output, m.afterAttention, options(pass, stream)),
    rmsNorm(norm(pass, views.mlpGain), layer.afterAttention, layer.inner, layer.mlpInverse),
    ...matmulGroup(m.inner, pairs([views.gate, views.up], m.gateUp), options(pass)),
    swiglu(shape.numReplicas, count, layer.gateUp, layer.activated),
    matmul(m.activated, views.down, m.after, options(pass, layer.afterAttention)),
  ];
}

/** From tokens to next-token logits [R, K, V] at the sites. */
export function forwardCalls(shape: PassShape, buffers: PassBuffers): KernelCall[] {
  const pass = passOf(shape, buffers);
  const { numReplicas, numSites, architecture, vocabularySize } = shape;
  const { weights, numRows } = pass;
  const streams = [buffers.embedded, ...buffers.layers.map(({ after }) => after)];
  const final = plain(buffers.final, numSites, architecture.hiddenSize);
  const logits = plain(buffers.logits, numSites, vocabularySize);
  return [
    embedding({ tokens: buffers.tokens, numRows, numReplicas }, weights.embedding, streams[0]!),
    ...buffers.layers.flatMap((layer, index) =>
      layerForward(pass, streams[index]!, layer, weights.layers[index]!),
    ),
    rmsNorm(finalNorm(pass), streams.at(-1)!, buffers.final, buffers.finalInverse),
    matmul(final, weights.head, logits, options(pass)),
  ];
}

/** The feed-forward part of a layer: adds to the stream's gradient, overwrites gate and up. */
function mlpBackward(
  pass: Pass,
  layer: LayerBuffers,
  views: LayerViews,
  grads: LayerViews,
): KernelCall[] {
  const { numRows, buffers, shape } = pass;
  const m = layerMatrices(pass, layer);
  const d = plain(buffers.streamGradient, numRows, shape.architecture.hiddenSize);
  const dInner = { ...d, buffer: buffers.scratch };
  const dGate = m.gateUp[0]!;
  const dUp = m.gateUp[1]!;
  return [
    matmul(transposed(m.activated), d, grads.down, options(pass)),
    matmul(d, transposed(views.down), dGate, options(pass, 'swiglu')),
    ...matmulGroup(transposed(m.inner), pairs([dGate, dUp], [grads.gate, grads.up]), options(pass)),
    ...matmulSum(
      [
        { a: dGate, b: transposed(views.gate) },
        { a: dUp, b: transposed(views.up) },
      ],
      dInner,
      options(pass),
    ),
    rmsNormBackward(
      norm(pass, views.mlpGain),
      { x: layer.afterAttention, inverse: layer.mlpInverse, upstream: buffers.scratch },
      { gradient: buffers.streamGradient, gainGradient: grads.mlpGain },
      'add',
    ),
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
  const m = layerMatrices(pass, layer);
  const heads = attentionShape(pass);
  const d = plain(buffers.streamGradient, numRows, shape.architecture.hiddenSize);
  const dMixed = { ...d, buffer: buffers.scratch };
  const dQkv = qkvBlocks(pass, buffers.qkvGradient);
  const projections = [views.queries, views.keys, views.values];
  return [
    matmul(d, transposed(views.output), dMixed, options(pass)),
    matmul(transposed(m.mixed), d, grads.output, options(pass)),
    ...attentionBackward(
      heads,
      { qkv: layer.qkv, out: layer.mixed, normalisers: layer.normalisers },
      buffers.scratch,
      { gradient: buffers.qkvGradient, dots: buffers.dots },
    ),
    rotary(heads, buffers.angles, buffers.qkvGradient, 'backward'),
    ...matmulGroup(
      transposed(m.normed),
      pairs(dQkv, [grads.queries, grads.keys, grads.values]),
      options(pass),
    ),
    ...matmulSum(
      dQkv.map((a, index) => ({ a, b: transposed(projections[index]!) })),
      dMixed,
      options(pass),
    ),
    rmsNormBackward(
      norm(pass, views.attentionGain),
      { x: stream, inverse: layer.attentionInverse, upstream: buffers.scratch },
      { gradient: buffers.streamGradient, gainGradient: grads.attentionGain },
      'add',
    ),
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
  const streams = [buffers.embedded, ...buffers.layers.map(({ after }) => after)];
  const dLogits = plain(buffers.logitGradient, numSites, vocabularySize);
  const final = plain(buffers.final, numSites, hiddenSize);
  const layers = [...buffers.layers.entries()].toReversed().flatMap(([index, layer]) => {
    const [views, grads] = [weights.layers[index]!, gradients.layers[index]!];
    return mlpBackward(pass, layer, views, grads).concat(
      attentionPartBackward(pass, streams[index]!, layer, { views, grads }),
    );
  });
  const tokenRows = { tokens: buffers.tokens, numRows, numReplicas };
  return [
    matmul(
      dLogits,
      transposed(weights.head),
      { ...final, buffer: buffers.finalGradient },
      options(pass),
    ),
    rmsNormBackward(
      finalNorm(pass),
      { x: streams.at(-1)!, inverse: buffers.finalInverse, upstream: buffers.finalGradient },
      { gradient: buffers.streamGradient, gainGradient: gradients.finalGain },
      'overwrite',
    ),
    ...layers,
    embeddingBackward(tokenRows, buffers.streamGradient, gradients.embedding),
    tieEmbeddings
      ? matmul(transposed(dLogits), final, gradients.embedding, options(pass, 'add'))
      : matmul(transposed(final), dLogits, gradients.head, options(pass)),
  ];
}
