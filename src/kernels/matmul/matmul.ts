import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import source from './matmul.wgsl?raw';

/** A matrix [rows, columns] of every replica inside a buffer. */
export interface Matrix {
  readonly buffer: GPUBuffer;
  readonly rows: number;
  readonly columns: number;
  /** Elements from one replica's to the next's. */
  readonly replicaStride: number;
  /** Elements before the first replica's. */
  readonly offset: number;
  /** The buffer holds its transpose, [columns, rows]. */
  readonly isTransposed?: boolean;
}

export interface MatmulOptions {
  readonly numReplicas: number;
  /** `add`: added to what the output holds; a buffer laid out as the output: added to that. */
  readonly onto?: 'add' | GPUBuffer;
  /** Something to bind where nothing is read. */
  readonly unused: GPUBuffer;
}

/** The matrix as its transpose, without moving anything. */
export function transposed(matrix: Matrix): Matrix {
  const { rows, columns, isTransposed = false } = matrix;
  return { ...matrix, rows: columns, columns: rows, isTransposed: !isTransposed };
}

/** out[r] = a[r] · b[r], float32; out is not transposed. Throws a RangeError on shapes that do not fit. */
export function matmul(a: Matrix, b: Matrix, out: Matrix, options: MatmulOptions): KernelCall {
  const [m, k, n] = [a.rows, a.columns, b.columns];
  if (b.rows !== k || out.rows !== m || out.columns !== n || out.isTransposed === true)
    throw new RangeError(
      `[${m}, ${k}] · [${b.rows}, ${n}] into [${out.rows}, ${out.columns}]: give shapes that fit, and an output that is not transposed.`,
    );
  const { numReplicas, onto, unused } = options;
  const widthOf = ({ rows, columns, isTransposed = false }: Matrix): number =>
    isTransposed ? rows : columns;
  return {
    label: `matmul ${m} × ${k} × ${n}`,
    source,
    constants: {
      A_TRANSPOSED: a.isTransposed === true ? 1 : 0,
      B_TRANSPOSED: b.isTransposed === true ? 1 : 0,
      MODE: onto === undefined ? 0 : onto === 'add' ? 1 : 2,
    },
    uniforms: [m, n, k]
      .concat([a.replicaStride, a.offset, widthOf(a)], [b.replicaStride, b.offset, widthOf(b)])
      .concat([out.replicaStride, out.offset]),
    buffers: [a.buffer, b.buffer, onto === undefined || onto === 'add' ? unused : onto, out.buffer],
    workgroups: [groupsFor(n, 32), groupsFor(m, 32), numReplicas],
  };
}
