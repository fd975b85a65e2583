import type { ArchitectureSpec } from '../config/experimentSpec';
import type { BufferMaker } from '../gpu/bufferBudget';
import { createStorage, uploadStorage } from '../gpu/buffers';
import type { KernelCall } from '../gpu/kernelCall';
import { decodeAttention, placeStep, type DecodeShape } from '../kernels/decode/decode';
import { embedding } from '../kernels/embedding/embedding';
import { matmul, matmulGroup, type Matrix } from '../kernels/matmul/matmul';
import { rmsNorm, type NormRows } from '../kernels/rmsNorm/rmsNorm';
import { rotaryAngles } from '../kernels/rotary/rotary';
import { sampleTokens, type SamplingRows } from '../kernels/sampler/sampleTokens';
import { swiglu } from '../kernels/swiglu/swiglu';
import type { PassBuffers } from './compiledBuffers';
import { parameterViews, type LayerViews } from './parameterViews';

/**
 * One token after another for rows behind prompts that a forward pass has read: its layers' keys and values are the cache of the prompts,
 * and each row keeps those of its own action. Axes: R replicas, B rows, V vocabulary, D width, I inner width, L tokens of the longest action.
 */

export interface SamplingShape {
  readonly architecture: ArchitectureSpec;
  readonly vocabularySize: number;
  readonly numReplicas: number;
  readonly numRows: number;
  /** Of the pass that read the prompts. */
  readonly numPrompts: number;
  readonly length: number;
  /** L */
  readonly width: number;
}

export interface DecodeBuffers {
  /** int32 [R, B] prompt of each row, and its tokens. */
  readonly promptOf: GPUBuffer;
  readonly promptLengths: GPUBuffer;
  /** uint32 [R, B, 2] */
  readonly keys: GPUBuffer;
  /** int32 [R, B] the newest tokens. */
  readonly tokens: GPUBuffer;
  /** float32 [R, B, L, 2] tokens and log-probabilities. */
  readonly draws: GPUBuffer;
  /** [longest sequence, head size / 2, 2] */
  readonly angles: GPUBuffer;
  /** Per layer [R, B, L, 2, key heads · head size]. */
  readonly suffixes: readonly GPUBuffer[];
  /** [R, B, D] two of the residual stream, and the norm's and attention's output. */
  readonly stream: GPUBuffer;
  readonly middle: GPUBuffer;
  readonly normed: GPUBuffer;
  readonly mixed: GPUBuffer;
  /** [R, B] */
  readonly inverse: GPUBuffer;
  /** As in a layer of a pass, of one token a row. */
  readonly qkv: GPUBuffer;
  readonly gateUp: GPUBuffer;
  readonly activated: GPUBuffer;
  /** [R, B, V] */
  readonly logits: GPUBuffer;
}

export function createDecodeBuffers(
  device: BufferMaker,
  shape: SamplingShape,
  maxLength: number,
): DecodeBuffers {
  const { architecture, vocabularySize, numReplicas, numRows, width } = shape;
  const { hiddenSize, intermediateSize, numHeads, numKeyValueHeads, ropeTheta } = architecture;
  const headSize = hiddenSize / numHeads;
  const keyValueSize = headSize * numKeyValueHeads;
  const empty = (label: string, perRow: number): GPUBuffer =>
    createStorage(device, numReplicas * numRows * perRow, label);
  const angles = rotaryAngles(maxLength, headSize, ropeTheta);
  return {
    promptOf: empty('prompt of row', 1),
    promptLengths: empty('prompt lengths', 1),
    keys: empty('noise keys', 2),
    tokens: empty('newest tokens', 1),
    draws: empty('draws', 2 * width),
    angles: uploadStorage(device, angles, 'decode angles'),
    suffixes: Array.from({ length: architecture.numLayers }, () =>
      empty('suffix', 2 * width * keyValueSize),
    ),
    stream: empty('decode stream', hiddenSize),
    middle: empty('decode middle', hiddenSize),
    normed: empty('decode normed', hiddenSize),
    mixed: empty('decode mixed', hiddenSize),
    inverse: empty('decode inverse', 1),
    qkv: empty('decode qkv', hiddenSize + 2 * keyValueSize),
    gateUp: empty('decode gate and up', 2 * intermediateSize),
    activated: empty('decode activated', intermediateSize),
    logits: empty('decode logits', vocabularySize),
  };
}

export function destroyDecodeBuffers({ suffixes, ...rest }: DecodeBuffers): void {
  for (const buffer of [...Object.values(rest), ...suffixes]) buffer.destroy();
}

interface Decoding {
  readonly shape: SamplingShape;
  readonly pass: PassBuffers;
  readonly own: DecodeBuffers;
  readonly step: number;
}

function plain({ numRows }: SamplingShape, buffer: GPUBuffer, columns: number): Matrix {
  return { buffer, rows: numRows, columns, replicaStride: numRows * columns, offset: 0 };
}

/** Matrices [B, width] that stand one after another in each replica's part of a buffer. */
function blocks(shape: SamplingShape, buffer: GPUBuffer, widths: readonly number[]): Matrix[] {
  const total = widths.reduce((sum, width) => sum + width, 0);
  let before = 0;
  return widths.map((columns) => {
    const offset = shape.numRows * before;
    before += columns;
    const replicaStride = shape.numRows * total;
    return { buffer, rows: shape.numRows, columns, replicaStride, offset };
  });
}

function decodeShape({ architecture, ...sizes }: SamplingShape): DecodeShape {
  const { numHeads, numKeyValueHeads, hiddenSize } = architecture;
  return { ...sizes, numHeads, numKeyValueHeads, headSize: hiddenSize / numHeads };
}

function norm({ shape, pass }: Decoding, gain: Matrix): NormRows {
  const { numReplicas, numRows } = shape;
  return { numReplicas, numRows, gain, unused: pass.unused };
}

/** The stream goes through one layer, in place. */
function layerStep(decoding: Decoding, layer: number, views: LayerViews): KernelCall[] {
  const { shape, pass, own, step } = decoding;
  const { hiddenSize, intermediateSize, numHeads, numKeyValueHeads } = shape.architecture;
  const keyValueSize = (hiddenSize / numHeads) * numKeyValueHeads;
  const options = { numReplicas: shape.numReplicas, unused: pass.unused };
  const wide = (buffer: GPUBuffer): Matrix => plain(shape, buffer, hiddenSize);
  const projections = [views.queries, views.keys, views.values];
  const qkv = blocks(shape, own.qkv, [hiddenSize, keyValueSize, keyValueSize]);
  const gateUp = blocks(shape, own.gateUp, [intermediateSize, intermediateSize]);
  const kept = { ...own, suffix: own.suffixes[layer]! };
  const sizes = decodeShape(shape);
  return [
    rmsNorm(norm(decoding, views.attentionGain), own.stream, own.normed, own.inverse),
    ...matmulGroup(
      wide(own.normed),
      projections.map((b, index) => ({ b, out: qkv[index]! })),
      options,
    ),
    placeStep(sizes, kept, step),
    decodeAttention(sizes, { ...kept, prompts: pass.layers[layer]!.qkv, out: own.mixed }, step),
    matmul(wide(own.mixed), views.output, wide(own.middle), { ...options, onto: own.stream }),
    rmsNorm(norm(decoding, views.mlpGain), own.middle, own.normed, own.inverse),
    ...matmulGroup(
      wide(own.normed),
      [views.gate, views.up].map((b, index) => ({ b, out: gateUp[index]! })),
      options,
    ),
    swiglu(shape.numReplicas, shape.numRows * intermediateSize, own.gateUp, own.activated),
    matmul(plain(shape, own.activated, intermediateSize), views.down, wide(own.stream), {
      ...options,
      onto: own.middle,
    }),
  ];
}

function drawing(
  { shape, own, step }: Decoding,
  logits: GPUBuffer,
  numSites: number,
  way: { readonly isDirect: boolean; readonly isGreedy: boolean },
): KernelCall {
  const { numReplicas, numRows, vocabularySize, width } = shape;
  const rows: SamplingRows = { numReplicas, numRows, numSites, vocabularySize, width };
  return sampleTokens(rows, { ...own, logits, siteOf: own.promptOf }, step, way);
}

/**
 * All tokens of all rows, after a forward pass over the prompts with one site each, its last token, in their order. The results are in
 * `draws`. The number of dispatches does not depend on replicas or rows: 1 + (L − 1)(4 + 9 layers).
 */
export function samplingCalls(
  shape: SamplingShape,
  pass: PassBuffers,
  own: DecodeBuffers,
  isGreedy: boolean,
): KernelCall[] {
  const { architecture, vocabularySize, numReplicas, numRows } = shape;
  const weights = parameterViews(architecture, vocabularySize, pass.weights);
  const first = { shape, pass, own, step: 0 };
  const calls = [drawing(first, pass.logits, shape.numPrompts, { isDirect: false, isGreedy })];
  for (let token = 1; token < shape.width; token++) {
    // What the token before is read as: place token − 1 of the action.
    const decoding = { shape, pass, own, step: token - 1 };
    const final = norm(decoding, weights.finalGain);
    const head = plain(shape, own.logits, vocabularySize);
    calls.push(
      embedding({ tokens: own.tokens, numRows, numReplicas }, weights.embedding, own.stream),
      ...weights.layers.flatMap((views, layer) => layerStep(decoding, layer, views)),
      rmsNorm(final, own.stream, own.normed, own.inverse),
      matmul(plain(shape, own.normed, architecture.hiddenSize), weights.head, head, {
        numReplicas,
        unused: pass.unused,
      }),
      drawing({ ...decoding, step: token }, own.logits, numRows, { isDirect: true, isGreedy }),
    );
  }
  return calls;
}
