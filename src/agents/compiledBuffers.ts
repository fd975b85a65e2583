import type { ArchitectureSpec } from '../config/experimentSpec';
import type { BufferMaker } from '../gpu/bufferBudget';
import { createStorage, uploadStorage } from '../gpu/buffers';
import { rotaryAngles } from '../kernels/rotary/rotary';
import type { PassShape } from './compiledPass';

/** Device memory of a pass; all float32 but the ids. Axes as in `compiledPass`, and I the width of the feed-forward part. */

/** Of one layer, kept from the way forward for the way back. */
export interface LayerBuffers {
  /** [R, U·T, D] */
  readonly normed: GPUBuffer;
  readonly mixed: GPUBuffer;
  readonly afterAttention: GPUBuffer;
  readonly inner: GPUBuffer;
  readonly after: GPUBuffer;
  /** [R, U·T · (heads + 2 key heads) · head size] queries, keys and values, see `AttentionShape`. */
  readonly qkv: GPUBuffer;
  /** [R, 2, U·T, I] gate and up; on the way back they become their own gradients. */
  readonly gateUp: GPUBuffer;
  /** [R, U·T, I] */
  readonly activated: GPUBuffer;
  /** [R, U·T] */
  readonly attentionInverse: GPUBuffer;
  readonly mlpInverse: GPUBuffer;
  /** [R, U·T, heads] */
  readonly normalisers: GPUBuffer;
}

export interface PassBuffers {
  /** int32 [R, U·T] */
  readonly tokens: GPUBuffer;
  /** int32 [R, K] token row of each site, and [R, U·T] site of each row, K where there is none. */
  readonly siteRows: GPUBuffer;
  readonly siteOfRow: GPUBuffer;
  /** [R, P] */
  readonly weights: GPUBuffer;
  readonly gradients: GPUBuffer;
  /** [T, head size / 2, 2] */
  readonly angles: GPUBuffer;
  /** [R, U·T, D] */
  readonly embedded: GPUBuffer;
  readonly layers: readonly LayerBuffers[];
  /** [R, K, D] */
  readonly final: GPUBuffer;
  /** [R, K] */
  readonly finalInverse: GPUBuffer;
  /** [R, K, V] */
  readonly logits: GPUBuffer;
  readonly logitGradient: GPUBuffer;
  /** [R, K, D] */
  readonly finalGradient: GPUBuffer;
  /** [R, U·T, D] of the residual stream, and scratch of the same size. */
  readonly streamGradient: GPUBuffer;
  readonly scratch: GPUBuffer;
  /** As a layer's `qkv`. */
  readonly qkvGradient: GPUBuffer;
  /** [R, U·T, heads] */
  readonly dots: GPUBuffer;
  /** Bound where a kernel has nothing to read. */
  readonly unused: GPUBuffer;
}

/** Numbers of a row's queries, keys and values together. */
function qkvWidth({ hiddenSize, numHeads, numKeyValueHeads }: ArchitectureSpec): number {
  return (hiddenSize / numHeads) * (numHeads + 2 * numKeyValueHeads);
}

function createLayer(
  empty: (label: string, length: number) => GPUBuffer,
  rows: number,
  { architecture }: PassShape,
): LayerBuffers {
  const { hiddenSize, intermediateSize, numHeads } = architecture;
  return {
    normed: empty('normed', rows * hiddenSize),
    mixed: empty('mixed', rows * hiddenSize),
    afterAttention: empty('after attention', rows * hiddenSize),
    inner: empty('inner', rows * hiddenSize),
    after: empty('after', rows * hiddenSize),
    qkv: empty('qkv', rows * qkvWidth(architecture)),
    gateUp: empty('gate and up', 2 * rows * intermediateSize),
    activated: empty('activated', rows * intermediateSize),
    attentionInverse: empty('attention inverse', rows),
    mlpInverse: empty('mlp inverse', rows),
    normalisers: empty('normalisers', rows * numHeads),
  };
}

/** What all passes of a cohort share, [R, P]. */
export interface Arenas {
  readonly weights: GPUBuffer;
  readonly gradients: GPUBuffer;
}

export function createArenas(
  device: GPUDevice,
  numReplicas: number,
  numParameters: number,
): Arenas {
  const count = numReplicas * numParameters;
  return {
    weights: createStorage(device, count, 'weights'),
    gradients: createStorage(device, count, 'gradients'),
  };
}

/** All other buffers of a pass, zeros but the rotary table. */
export function createPassBuffers(
  device: BufferMaker,
  shape: PassShape,
  arenas: Arenas,
): PassBuffers {
  const { architecture, vocabularySize, numReplicas, numSequences, length, numSites } = shape;
  const { hiddenSize, numHeads, ropeTheta } = architecture;
  const headSize = hiddenSize / numHeads;
  const empty = (label: string, count: number): GPUBuffer => createStorage(device, count, label);
  const rows = numReplicas * numSequences * length;
  const sites = numReplicas * numSites;
  return {
    tokens: empty('tokens', rows),
    siteRows: empty('site rows', sites),
    siteOfRow: empty('site of row', rows),
    ...arenas,
    angles: uploadStorage(device, rotaryAngles(length, headSize, ropeTheta), 'angles'),
    embedded: empty('embedded', rows * hiddenSize),
    layers: Array.from({ length: architecture.numLayers }, () => createLayer(empty, rows, shape)),
    final: empty('final', sites * hiddenSize),
    finalInverse: empty('final inverse', sites),
    logits: empty('logits', sites * vocabularySize),
    logitGradient: empty('logit gradient', sites * vocabularySize),
    finalGradient: empty('final gradient', sites * hiddenSize),
    streamGradient: empty('stream gradient', rows * hiddenSize),
    scratch: empty('scratch', rows * hiddenSize),
    qkvGradient: empty('qkv gradient', rows * qkvWidth(architecture)),
    dots: empty('dots', rows * numHeads),
    // One vec4.
    unused: empty('unused', 4),
  };
}

/** Frees all but the arenas. The plans made on it are useless afterwards. */
export function destroyPassBuffers(buffers: PassBuffers): void {
  const { layers, weights, gradients, ...rest } = buffers;
  const shared = new Set([weights, gradients]);
  for (const buffer of [...Object.values(rest), ...layers.flatMap((layer) => Object.values(layer))])
    if (!shared.has(buffer)) buffer.destroy();
}
