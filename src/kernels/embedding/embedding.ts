import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import type { Matrix } from '../matmul/matmul';
import backwardSource from './embeddingBackward.wgsl?raw';
import source from './embedding.wgsl?raw';

/** Rows of token ids of every replica. */
export interface TokenRows {
  /** int32 [R, rows] ids below the table's number of rows. */
  readonly tokens: GPUBuffer;
  readonly numRows: number;
  readonly numReplicas: number;
}

function uniformsOf({ numRows }: TokenRows, table: Matrix): number[] {
  return [numRows, table.replicaStride, table.offset];
}

/** out [R, rows, width] = the table's row of each token. `table`: [vocabulary, width], width a multiple of 4. */
export function embedding(rows: TokenRows, table: Matrix, out: GPUBuffer): KernelCall {
  return {
    label: 'embedding',
    source,
    constants: { WIDTH: table.columns },
    uniforms: uniformsOf(rows, table),
    buffers: [rows.tokens, table.buffer, out],
    workgroups: [groupsFor((rows.numRows * table.columns) / 4, 64), 1, rows.numReplicas],
  };
}

/** Overwrites `gradient` [vocabulary, width] with the sums of the rows of `upstream` [R, rows, width] by token, in a fixed order. */
export function embeddingBackward(
  rows: TokenRows,
  upstream: GPUBuffer,
  gradient: Matrix,
): KernelCall {
  return {
    label: 'embedding backward',
    source: backwardSource,
    constants: { WIDTH: gradient.columns, VOCABULARY: gradient.rows },
    uniforms: uniformsOf(rows, gradient),
    buffers: [rows.tokens, upstream, gradient.buffer],
    workgroups: [groupsFor((gradient.rows * gradient.columns) / 4, 64), 1, rows.numReplicas],
  };
}
