import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import anySource from './matmulAny.wgsl?raw';
import nnSource from './matmulNN.wgsl?raw';
import ntSource from './matmulNT.wgsl?raw';
import tnSource from './matmulTN.wgsl?raw';

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
  /**
   * `add`: added to what the output holds; a buffer laid out as the output: added to that; `swiglu`: the output holds gate activations
   * and, behind them, up activations of the same shape, the product is the gradient of their SwiGLU, and they become their gradients.
   */
  readonly onto?: 'add' | 'swiglu' | GPUBuffer;
  /** Something to bind where nothing is read. */
  readonly unused: GPUBuffer;
}

/** A product of a group, or a term of a sum. */
interface Item {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly out: Matrix;
}

/** Most products of a group and terms of a sum. */
const maxItems = 3;

/** The matrix as its transpose, without moving anything. */
export function transposed(matrix: Matrix): Matrix {
  const { rows, columns, isTransposed = false } = matrix;
  return { ...matrix, rows: columns, columns: rows, isTransposed: !isTransposed };
}

function assertFits({ a, b, out }: Item): void {
  const [m, k, n] = [a.rows, a.columns, b.columns];
  if (b.rows !== k || out.rows !== m || out.columns !== n || out.isTransposed === true)
    throw new RangeError(
      `[${m}, ${k}] · [${b.rows}, ${n}] into [${out.rows}, ${out.columns}]: give shapes that fit, and an output that is not transposed.`,
    );
}

/** Every row, and every matrix, begins at a multiple of four numbers. */
function isAligned(matrix: Matrix): boolean {
  const { rows, columns, replicaStride, offset, isTransposed = false } = matrix;
  const rowLength = isTransposed ? rows : columns;
  return [rowLength, replicaStride, offset].every((count) => count % 4 === 0);
}

function modeOf({ onto }: MatmulOptions): number {
  if (onto === undefined) return 0;
  return onto === 'add' ? 1 : onto === 'swiglu' ? 3 : 2;
}

function buffersOf({ a, b, out }: Item, { onto, unused }: MatmulOptions): GPUBuffer[] {
  const residual = onto === undefined || typeof onto === 'string' ? unused : onto;
  return [a.buffer, b.buffer, residual, out.buffer];
}

/** Items in one dispatch. `extentOf`: what differs between them. */
function vectorCall(
  source: string,
  items: readonly Item[],
  extentOf: (item: Item) => number,
  options: MatmulOptions,
): KernelCall {
  const first = items[0]!;
  const { a, b, out } = first;
  const widest = items.reduce((most, item) => Math.max(most, item.out.columns), 0);
  const isSum = source === ntSource;
  return {
    label: `matmul ${out.rows} × ${a.columns} × ${widest}`,
    source,
    constants: { MODE: modeOf(options) },
    uniforms: [out.rows, widest, a.columns, items.length]
      .concat([a.replicaStride, b.replicaStride, out.replicaStride, 0])
      .concat(
        items.flatMap((item) => [item.a.offset, item.b.offset, item.out.offset, extentOf(item)]),
        Array.from({ length: 4 * (maxItems - items.length) }, () => 0),
      ),
    buffers: buffersOf(first, options),
    workgroups: [
      groupsFor(widest, 64),
      groupsFor(out.rows, 64),
      options.numReplicas * (isSum ? 1 : items.length),
    ],
  };
}

/** Where the elements of a matrix are: from replica to replica, before the first, from row to row, along a row. */
function placeOf(matrix: Matrix): number[] {
  const { rows, columns, replicaStride, offset, isTransposed = false } = matrix;
  return [replicaStride, offset, ...(isTransposed ? [1, rows] : [columns, 1])];
}

/** One product of any size and alignment. */
function scalarCall(item: Item, options: MatmulOptions): KernelCall {
  const { a, b, out } = item;
  const [m, k, n] = [a.rows, a.columns, b.columns];
  return {
    label: `matmul ${m} × ${k} × ${n}`,
    source: anySource,
    constants: { MODE: modeOf(options) },
    uniforms: [m, n, k].concat(placeOf(a), placeOf(b), [out.replicaStride, out.offset]),
    buffers: buffersOf(item, options),
    workgroups: [groupsFor(n, 32), groupsFor(m, 32), options.numReplicas],
  };
}

/**
 * Products of one matrix with several: out[i] = a · b[i] in every replica, float32. One dispatch where every matrix is aligned to four numbers and a and all b
 * are stored alike, else one each. All b share a buffer, and all out. Throws a RangeError on shapes that do not fit.
 */
export function matmulGroup(
  a: Matrix,
  pairs: readonly { readonly b: Matrix; readonly out: Matrix }[],
  options: MatmulOptions,
): KernelCall[] {
  const items = pairs.map(({ b, out }) => ({ a, b, out }));
  for (const item of items) assertFits(item);
  const isVector = items.every(
    ({ b, out }) => b.isTransposed !== true && [a, b, out].every(isAligned),
  );
  if (!isVector || items.length > maxItems) return items.map((item) => scalarCall(item, options));
  const source = a.isTransposed === true ? tnSource : nnSource;
  return [vectorCall(source, items, ({ out }) => out.columns, options)];
}

/**
 * out = Σ a[i] · b[i] of every replica, float32, every b stored transposed. One dispatch where every matrix is aligned to four numbers, else one a term.
 * All a share a buffer, and all b. Throws a RangeError on shapes that do not fit.
 */
export function matmulSum(
  terms: readonly { readonly a: Matrix; readonly b: Matrix }[],
  out: Matrix,
  options: MatmulOptions,
): KernelCall[] {
  const items = terms.map(({ a, b }) => ({ a, b, out }));
  for (const item of items) assertFits(item);
  const isVector = items.every(
    ({ a, b }) =>
      a.isTransposed !== true && b.isTransposed === true && [a, b, out].every(isAligned),
  );
  if (isVector && items.length <= maxItems)
    return [vectorCall(ntSource, items, ({ a }) => a.columns, options)];
  return items.map((item, index) =>
    scalarCall(item, index === 0 ? options : { ...options, onto: 'add' }),
  );
}

/** out = a · b of every replica, float32; out is not transposed. Throws a RangeError on shapes that do not fit. */
export function matmul(a: Matrix, b: Matrix, out: Matrix, options: MatmulOptions): KernelCall {
  const [call] =
    b.isTransposed === true && a.isTransposed !== true
      ? matmulSum([{ a, b }], out, options)
      : matmulGroup(a, [{ b, out }], options);
  return call!;
}
