import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import keysSource from './attentionKeys.wgsl?raw';
import queriesSource from './attentionQueries.wgsl?raw';
import source from './attention.wgsl?raw';

/** Sequences of one length of every replica. */
export interface AttentionShape {
  readonly numReplicas: number;
  readonly numSequences: number;
  readonly length: number;
  readonly numHeads: number;
  /** Divides `numHeads`. */
  readonly numKeyValueHeads: number;
  readonly headSize: number;
}

/** Queries [R, rows, heads · headSize], keys and values [R, rows, keyValueHeads · headSize]; rows = sequences · length. */
export interface AttentionInputs {
  readonly queries: GPUBuffer;
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
}

/** What the way forward leaves for the way back. */
export interface AttentionOutputs {
  /** [R, rows, heads · headSize] */
  readonly out: GPUBuffer;
  /** [R, rows, heads] log Σ exp of the scores. */
  readonly normalisers: GPUBuffer;
}

function constantsOf(shape: AttentionShape): Record<string, number> {
  return {
    HEADS: shape.numHeads,
    KEY_HEADS: shape.numKeyValueHeads,
    HEAD_SIZE: shape.headSize,
  };
}

function uniformsOf({ numSequences, length }: AttentionShape): number[] {
  return [numSequences, length];
}

/** softmax(q·k/√headSize)·v over the keys up to each query's own position. Vaswani et al. 2017; grouped queries: Ainslie et al. 2023. */
export function attention(
  shape: AttentionShape,
  { queries, keys, values }: AttentionInputs,
  { out, normalisers }: AttentionOutputs,
): KernelCall {
  const count = shape.numSequences * shape.length * shape.numHeads;
  return {
    label: 'attention',
    source,
    constants: constantsOf(shape),
    uniforms: uniformsOf(shape),
    buffers: [queries, keys, values, out, normalisers],
    workgroups: [groupsFor(count, 64), 1, shape.numReplicas],
  };
}

/** Where the gradients go; overwritten. Shapes of what they belong to; `dots` [R, rows, heads] is scratch. */
export interface AttentionGradients extends AttentionInputs {
  readonly dots: GPUBuffer;
}

/** Gradients of queries, keys and values from that of the output, scores computed anew; two dispatches. */
export function attentionBackward(
  shape: AttentionShape,
  forward: AttentionInputs & AttentionOutputs,
  upstream: GPUBuffer,
  gradients: AttentionGradients,
): KernelCall[] {
  const { queries, keys, values, out, normalisers } = forward;
  const rows = shape.numSequences * shape.length;
  const constants = constantsOf(shape);
  return [
    {
      label: 'attention backward, queries',
      source: queriesSource,
      constants,
      uniforms: uniformsOf(shape),
      buffers: [
        queries,
        keys,
        values,
        out,
        normalisers,
        upstream,
        gradients.queries,
        gradients.dots,
      ],
      workgroups: [groupsFor(rows * shape.numHeads, 64), 1, shape.numReplicas],
    },
    {
      label: 'attention backward, keys',
      source: keysSource,
      constants,
      uniforms: uniformsOf(shape),
      buffers: [
        queries,
        keys,
        values,
        gradients.dots,
        normalisers,
        upstream,
        gradients.keys,
        gradients.values,
      ],
      workgroups: [groupsFor(rows * shape.numKeyValueHeads, 64), 1, shape.numReplicas],
    },
  ];
}
