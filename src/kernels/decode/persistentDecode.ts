import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import type { Matrix } from '../matmul/matmul';
import noiseSource from '../sampler/noise.wgsl?raw';
import type { DecodeShape } from './decode';
import keepSource from './keepPrompts.wgsl?raw';
import source from './persistentDecode.wgsl?raw';

/** Many tokens in one dispatch: four rows a workgroup, which goes through tokens and layers by itself. */

export interface PersistentShape extends DecodeShape {
  readonly numLayers: number;
  readonly intermediateSize: number;
  readonly vocabularySize: number;
}

type LayerMatrix =
  'attentionGain' | 'queries' | 'keys' | 'values' | 'output' | 'mlpGain' | 'gate' | 'up' | 'down';

/** Of all layers, at equal distances in one buffer. */
export interface DecoderWeights {
  readonly embedding: Matrix;
  readonly layers: readonly Readonly<Record<LayerMatrix, Matrix>>[];
  readonly finalGain: Matrix;
  readonly head: Matrix;
}

export interface PersistentBuffers {
  /** [positions, head size / 2, 2], of all positions. */
  readonly angles: GPUBuffer;
  /** float32 [R, layers, prompts · length, 2, key heads · head size] */
  readonly promptCache: GPUBuffer;
  /** float32 [R, prompts, vocabulary] logits of each prompt's next token. */
  readonly promptLogits: GPUBuffer;
  /** int32 [R, rows] prompt of each row. */
  readonly promptOf: GPUBuffer;
  /** uint32 [R, rows, 4] key of the row's noise (2), tokens of its prompt, tokens of its action: 0 for a row that only fills up. */
  readonly rowData: GPUBuffer;
  /** float32 [R, layers, rows, width, 2, key heads · head size] */
  readonly suffixCache: GPUBuffer;
  /** float32 [R, rows, width, 2] as of `sampleTokens`. */
  readonly draws: GPUBuffer;
}

/** Keys whose attention scores a workgroup holds at a time. */
const tile = 32;

/** Sizes that a pipeline is compiled for, and the memory of a workgroup. Unit: bytes. */
function sizesOf(shape: PersistentShape): { constants: Record<string, number>; bytes: number } {
  const { numHeads, numKeyValueHeads, headSize, intermediateSize, vocabularySize } = shape;
  const width = numHeads * headSize;
  const threads = Math.min(256, Math.max(64, 64 * Math.ceil(width / 64)));
  const qkvWidth = width + 2 * numKeyValueHeads * headSize;
  const widest = Math.max(qkvWidth, intermediateSize, vocabularySize);
  const scores = Math.max(numHeads * tile, vocabularySize);
  const constants = {
    WIDTH: width,
    HEADS: numHeads,
    KEY_HEADS: numKeyValueHeads,
    HEAD_SIZE: headSize,
    INNER: intermediateSize,
    VOCABULARY: vocabularySize,
    LAYERS: shape.numLayers,
    THREADS: threads,
    WIDEST: widest,
    TILE: tile,
    SCORES: scores,
  };
  return { constants, bytes: 16 * (2 * width + widest + scores + 3 * numHeads + threads + 17) };
}

/** Whether the activations of four rows fit into the memory of a workgroup, and the kernel into the other limits. */
export function fitsPersistent(limits: GPUSupportedLimits, shape: PersistentShape): boolean {
  const { constants, bytes } = sizesOf(shape);
  return (
    bytes <= limits.maxComputeWorkgroupStorageSize &&
    constants['THREADS']! <= limits.maxComputeInvocationsPerWorkgroup &&
    constants['THREADS']! <= limits.maxComputeWorkgroupSizeX &&
    limits.maxStorageBuffersPerShaderStage >= 8
  );
}

/** Puts a layer's keys and values of the prompts, [R, …] as `attention` read them, where all layers' stand together. */
export function keepPrompts(
  shape: PersistentShape,
  layer: number,
  qkv: GPUBuffer,
  promptCache: GPUBuffer,
): KernelCall {
  const { numReplicas, numPrompts, length, numHeads, numKeyValueHeads, headSize } = shape;
  const numRows = numPrompts * length;
  return {
    label: 'keep prompts',
    source: keepSource,
    constants: {
      HEADS: numHeads,
      KEY_HEADS: numKeyValueHeads,
      HEAD_SIZE: headSize,
      LAYERS: shape.numLayers,
    },
    uniforms: [numRows, layer],
    buffers: [qkv, promptCache],
    workgroups: [groupsFor(numRows * numKeyValueHeads * headSize, 64), 1, numReplicas],
  };
}

function placesOf({ embedding, layers, finalGain, head }: DecoderWeights): number[] {
  const first = layers[0]!;
  const isTransposed = head.isTransposed === true;
  return [
    embedding.replicaStride,
    layers.length > 1 ? layers[1]!.queries.offset - first.queries.offset : 0,
    embedding.offset,
    first.attentionGain.offset,
    first.queries.offset,
    first.keys.offset,
    first.values.offset,
    first.output.offset,
    first.mlpGain.offset,
    first.gate.offset,
    first.up.offset,
    first.down.offset,
    finalGain.offset,
    head.offset,
    isTransposed ? 1 : head.columns,
    isTransposed ? head.rows : 1,
  ];
}

/**
 * Draws tokens `first` … `end` − 1 of every row's action; those before are in `draws` and `suffixCache`. The noise and its limits: see `sampleTokens`.
 * Needs a device for which `fitsPersistent` holds.
 */
export function persistentDecode(
  shape: PersistentShape,
  weights: DecoderWeights,
  buffers: PersistentBuffers,
  tokens: { readonly first: number; readonly end: number; readonly isGreedy: boolean },
): KernelCall {
  const { numReplicas, numRows, numPrompts, length, width } = shape;
  const { angles, promptCache, promptLogits, promptOf, rowData, suffixCache, draws } = buffers;
  const { first, end, isGreedy } = tokens;
  return {
    label: `decode tokens ${first} to ${end - 1}`,
    source: noiseSource + source,
    constants: sizesOf(shape).constants,
    uniforms: [numRows, numPrompts, length, width, first, end, isGreedy ? 1 : 0].concat(
      placesOf(weights),
    ),
    buffers: [
      weights.embedding.buffer,
      angles,
      promptCache,
      promptLogits,
      promptOf,
      rowData,
      suffixCache,
      draws,
    ],
    workgroups: [groupsFor(numRows, 4), 1, numReplicas],
  };
}
