import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import keysSource from './attentionKeys.wgsl?raw';
import queriesSource from './attentionQueries.wgsl?raw';
import source from './attention.wgsl?raw';

/**
 * Causal attention over sequences of one length. Queries, keys and values stand in one buffer [R, rows · (heads + 2 key heads) · head size]: of
 * each replica first all queries [rows, heads · head size], then the keys [rows, key heads · head size], then the values; rows =
 * sequences · length. Their gradients likewise.
 */
export interface AttentionShape {
  readonly numReplicas: number;
  readonly numSequences: number;
  readonly length: number;
  readonly numHeads: number;
  /** Divides `numHeads`. */
  readonly numKeyValueHeads: number;
  /** A multiple of 4. */
  readonly headSize: number;
}

/** What the way forward leaves for the way back. */
export interface AttentionOutputs {
  /** [R, rows, heads · headSize] */
  readonly out: GPUBuffer;
  /** [R, rows, heads] log Σ exp of the scores. */
  readonly normalisers: GPUBuffer;
}

function sizesOf(shape: AttentionShape): Pick<KernelCall, 'constants' | 'uniforms'> {
  return {
    constants: {
      HEADS: shape.numHeads,
      KEY_HEADS: shape.numKeyValueHeads,
      HEAD_SIZE: shape.headSize,
    },
    uniforms: [shape.numSequences * shape.length, shape.length],
  };
}

function workgroupsOf(shape: AttentionShape, heads: number): [number, number, number] {
  return [groupsFor(shape.numSequences * shape.length * heads, 64), 1, shape.numReplicas];
}

/** softmax(q·k/√headSize)·v over the keys up to each query's own position. Vaswani et al. 2017; grouped queries: Ainslie et al. 2023. */
export function attention(
  shape: AttentionShape,
  qkv: GPUBuffer,
  { out, normalisers }: AttentionOutputs,
): KernelCall {
  return {
    label: 'attention',
    source,
    ...sizesOf(shape),
    buffers: [qkv, out, normalisers],
    workgroups: workgroupsOf(shape, shape.numHeads),
  };
}

/**
 * Gradients of queries, keys and values from that of the output, scores computed anew; two dispatches. `gradient`: laid out as `qkv`, overwritten;
 * `dots` [R, rows, heads] is scratch.
 */
export function attentionBackward(
  shape: AttentionShape,
  { qkv, out, normalisers }: AttentionOutputs & { readonly qkv: GPUBuffer },
  upstream: GPUBuffer,
  { gradient, dots }: { readonly gradient: GPUBuffer; readonly dots: GPUBuffer },
): KernelCall[] {
  return [
    {
      label: 'attention backward, queries',
      source: queriesSource,
      ...sizesOf(shape),
      buffers: [qkv, out, normalisers, upstream, gradient, dots],
      workgroups: workgroupsOf(shape, shape.numHeads),
    },
    {
      label: 'attention backward, keys',
      source: keysSource,
      ...sizesOf(shape),
      buffers: [qkv, dots, normalisers, upstream, gradient],
      workgroups: workgroupsOf(shape, shape.numKeyValueHeads),
    },
  ];
}
