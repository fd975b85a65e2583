import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import type { AttentionShape } from '../attention/attention';
import attentionSource from './decodeAttention.wgsl?raw';
import placeSource from './placeStep.wgsl?raw';

/** One new token for each of some rows, every row behind a prompt that others may share. */
export interface DecodeShape extends Pick<
  AttentionShape,
  'numReplicas' | 'numHeads' | 'numKeyValueHeads' | 'headSize'
> {
  readonly numRows: number;
  readonly numPrompts: number;
  /** Tokens of a prompt, with padding. */
  readonly length: number;
  /** Tokens that are kept of a row: at least the longest action's less one. */
  readonly width: number;
}

/** Which prompt a row continues. int32 [R, rows] */
export interface DecodeRows {
  readonly promptOf: GPUBuffer;
  readonly promptLengths: GPUBuffer;
}

function headsOf(shape: DecodeShape): Record<string, number> {
  return { HEADS: shape.numHeads, KEY_HEADS: shape.numKeyValueHeads, HEAD_SIZE: shape.headSize };
}

/**
 * Turns queries and keys of token `step` of every row's action to their position, and keeps keys and values. `qkv`: laid out as for
 * `attention`, of one token a row; `suffix` float32 [R, rows, width, 2, key heads · head size]; `angles` as for `rotary`, of all
 * positions.
 */
export function placeStep(
  shape: DecodeShape,
  {
    angles,
    qkv,
    suffix,
    promptLengths,
  }: DecodeRows & Record<'angles' | 'qkv' | 'suffix', GPUBuffer>,
  step: number,
): KernelCall {
  const { numReplicas, numRows, numHeads, numKeyValueHeads, headSize, width } = shape;
  return {
    label: 'place step',
    source: placeSource,
    constants: headsOf(shape),
    uniforms: [numRows, step, width],
    buffers: [angles, promptLengths, qkv, suffix],
    workgroups: [
      groupsFor((numRows * (numHeads + numKeyValueHeads) * headSize) / 2, 64),
      1,
      numReplicas,
    ],
  };
}

/**
 * out [R, rows, heads · head size] = attention of the new tokens over their prompts, whose queries, keys and values `prompts` holds as `attention`
 * read them, and over tokens 0 … step of their actions.
 */
export function decodeAttention(
  shape: DecodeShape,
  buffers: DecodeRows & Record<'qkv' | 'prompts' | 'suffix' | 'out', GPUBuffer>,
  step: number,
): KernelCall {
  const { numReplicas, numRows, numHeads, numPrompts, length, width } = shape;
  const { qkv, prompts, suffix, promptOf, promptLengths, out } = buffers;
  return {
    label: 'decode attention',
    source: attentionSource,
    constants: headsOf(shape),
    uniforms: [numRows, numPrompts * length, length, step, width],
    buffers: [qkv, prompts, suffix, promptOf, promptLengths, out],
    workgroups: [groupsFor(numRows * numHeads, 64), 1, numReplicas],
  };
}
