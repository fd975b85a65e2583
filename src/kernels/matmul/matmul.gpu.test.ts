import { beforeAll, expect, test } from 'vitest';
import { createStorage, readFloats, uploadStorage } from '../../gpu/buffers';
import { dawnDevice } from '../../gpu/testing/dawnDevice';
import { runCalls } from '../../gpu/testing/runCalls';
import { mismatch } from '../../rl/golden/mismatch';
import { foldIn, keyFromSeed, normal } from '../../rl/rng';
import { matmul, matmulGroup, matmulSum, transposed, type Matrix } from './matmul';

let device: GPUDevice;
beforeAll(async () => {
  device = await dawnDevice();
});

const numReplicas = 3;

function drawn(seed: number, length: number): Float32Array<ArrayBuffer> {
  const key = foldIn(keyFromSeed(1), seed);
  return Float32Array.from({ length }, (_, i) => normal(key, i));
}

/** A matrix with a gap before it and between replicas, as in an arena. */
function placed(
  seed: number,
  rows: number,
  columns: number,
): { matrix: Matrix; values: Float32Array } {
  // Aligned where the size is, so that the kernels that read four at once are met too.
  const isOdd = rows % 4 !== 0 || columns % 4 !== 0;
  const [offset, replicaStride] = [isOdd ? 3 : 4, rows * columns + (isOdd ? 5 : 8)];
  const values = drawn(seed, offset + numReplicas * replicaStride);
  const buffer = uploadStorage(device, values, `matrix ${seed}`);
  return { values, matrix: { buffer, rows, columns, replicaStride, offset } };
}

/** Plain loops in float64. */
function product(
  a: { values: Float32Array; matrix: Matrix },
  b: { values: Float32Array; matrix: Matrix },
): Float64Array {
  const at = ({ values, matrix }: typeof a, r: number, i: number, j: number): number => {
    const { offset, replicaStride, rows, columns, isTransposed } = matrix;
    const place = isTransposed === true ? j * rows + i : i * columns + j;
    return values[offset + r * replicaStride + place]!;
  };
  const [m, k, n] = [a.matrix.rows, a.matrix.columns, b.matrix.columns];
  return Float64Array.from({ length: numReplicas * m * n }, (_, cell) => {
    const [r, i, j] = [Math.floor(cell / (m * n)), Math.floor(cell / n) % m, cell % n];
    let sum = 0;
    for (let depth = 0; depth < k; depth++) sum += at(a, r, i, depth) * at(b, r, depth, j);
    return sum;
  });
}

const outOf = (rows: number, columns: number): Matrix => ({
  buffer: createStorage(device, numReplicas * rows * columns, 'out'),
  rows,
  columns,
  replicaStride: rows * columns,
  offset: 0,
});

const sizes = [
  [1, 1, 1],
  [31, 7, 33],
  [32, 16, 32],
  [33, 17, 5],
  [64, 65, 63],
  [4, 4, 4],
  [68, 12, 60],
  [60, 128, 132],
  [128, 200, 64],
] as const;
// Rounding of a float32 sum of k products of order 1.
const tolerance = (k: number): number => 2 ** -23 * 4 * k;

/** A stored matrix [rows, columns], or its transpose seen as one. */
function stored(seed: number, rows: number, columns: number, isTransposed: boolean) {
  const { values, matrix } = isTransposed
    ? placed(seed, columns, rows)
    : placed(seed, rows, columns);
  return { values, matrix: isTransposed ? transposed(matrix) : matrix };
}

const ways = [
  [false, false],
  [false, true],
  [true, false],
] as const;

test.each(sizes.flatMap(([m, k, n]) => ways.map(([aWay, bWay]) => ({ m, k, n, aWay, bWay }))))(
  '$m × $k × $n, transposed $aWay and $bWay: every replica is the plain product',
  async ({ m, k, n, aWay, bWay }) => {
    const [a, b, out] = [stored(1, m, k, aWay), stored(2, k, n, bWay), outOf(m, n)];
    const unused = createStorage(device, 4, 'unused');
    await runCalls(device, [matmul(a.matrix, b.matrix, out, { numReplicas, unused })]);
    expect(mismatch(await readFloats(device, out.buffer), product(a, b), tolerance(k))).toBeNull();
  },
);

test('onto what is there, and onto another buffer', async () => {
  const [a, b] = [placed(1, 9, 4), placed(2, 4, 6)];
  const unused = createStorage(device, 4, 'unused');
  const before = drawn(3, numReplicas * 54);
  const expected = product(a, b).map((value, cell) => value + before[cell]!);
  const added = { ...outOf(9, 6), buffer: uploadStorage(device, before, 'added') };
  const residual = uploadStorage(device, before, 'residual');
  const out = outOf(9, 6);
  await runCalls(device, [
    matmul(a.matrix, b.matrix, added, { numReplicas, unused, onto: 'add' }),
    matmul(a.matrix, b.matrix, out, { numReplicas, unused, onto: residual }),
  ]);
  for (const { buffer } of [added, out])
    expect(mismatch(await readFloats(device, buffer), expected, tolerance(5))).toBeNull();
});

test.each([4, 3])(
  'three products of one matrix, stored as it is or transposed, at widths of %i',
  async (unit) => {
    const unused = createStorage(device, 4, 'unused');
    const [m, k] = [16 * unit, 6 * unit];
    const widths = [2 * unit, 20 * unit, unit];
    for (const isTransposed of [false, true]) {
      const a = stored(1, m, k, isTransposed);
      const total = widths.reduce((sum, width) => sum + width, 0);
      const values = drawn(2, numReplicas * k * total);
      const all = uploadStorage(device, values, 'right');
      const out = createStorage(device, numReplicas * m * total, 'out');
      let before = 0;
      const pairs = widths.map((columns) => {
        const place = (buffer: GPUBuffer, rows: number): Matrix => ({
          buffer,
          rows,
          columns,
          replicaStride: rows * total,
          offset: rows * before,
        });
        const pair = { b: place(all, k), out: place(out, m) };
        before += columns;
        return pair;
      });
      const calls = matmulGroup(a.matrix, pairs, { numReplicas, unused });
      expect(calls).toHaveLength(unit === 4 ? 1 : 3);
      await runCalls(device, calls);
      const actual = await readFloats(device, out);
      for (const { b, out: own } of pairs) {
        const expected = product(a, { values, matrix: b });
        const part = Array.from({ length: numReplicas }, (_, r) => {
          const start = r * own.replicaStride + own.offset;
          return [...actual.subarray(start, start + m * own.columns)];
        });
        expect(mismatch(part.flat(), expected, tolerance(k))).toBeNull();
      }
    }
  },
);

test.each([4, 3])('a sum of products of unequal depth, at depths of %i', async (unit) => {
  const unused = createStorage(device, 4, 'unused');
  const [m, n] = [9, 12];
  const depths = [unit, 7 * unit, 2 * unit];
  const total = depths.reduce((sum, depth) => sum + depth, 0);
  const [left, right] = [drawn(1, numReplicas * m * total), drawn(2, numReplicas * n * total)];
  const buffers = [uploadStorage(device, left, 'left'), uploadStorage(device, right, 'right')];
  let before = 0;
  const terms = depths.map((depth) => {
    const place = (buffer: GPUBuffer, rows: number): Matrix => ({
      buffer,
      rows,
      columns: depth,
      replicaStride: rows * total,
      offset: rows * before,
    });
    const term = { a: place(buffers[0]!, m), b: transposed(place(buffers[1]!, n)) };
    before += depth;
    return term;
  });
  const start = drawn(3, numReplicas * m * n);
  const out = { ...outOf(m, n), buffer: uploadStorage(device, start, 'out') };
  const calls = matmulSum(terms, out, { numReplicas, unused, onto: 'add' });
  expect(calls).toHaveLength(unit === 4 ? 1 : 3);
  await runCalls(device, calls);
  const expected = Float64Array.from(start);
  for (const { a, b } of terms)
    for (const [cell, value] of product(
      { values: left, matrix: a },
      { values: right, matrix: b },
    ).entries())
      expected[cell]! += value;
  expect(mismatch(await readFloats(device, out.buffer), expected, tolerance(total))).toBeNull();
});

test.each([12, 11])(
  'the gradient of a SwiGLU straight from a product of %i rows: gate and up become their own gradients',
  async (m) => {
    const [k, n] = [8, 20];
    const [a, b] = [stored(1, m, k, false), stored(2, k, n, true)];
    const activations = drawn(3, numReplicas * 2 * m * n);
    const buffer = uploadStorage(device, activations, 'gate and up');
    const out = { buffer, rows: m, columns: n, replicaStride: 2 * m * n, offset: 0 };
    const unused = createStorage(device, 4, 'unused');
    await runCalls(device, [
      matmul(a.matrix, b.matrix, out, { numReplicas, unused, onto: 'swiglu' }),
    ]);
    const upstream = product(a, b);
    const expected = activations.map((_, cell) => {
      const replica = Math.floor(cell / (2 * m * n));
      const within = cell % (m * n);
      const at = replica * 2 * m * n + within;
      const [g, u] = [activations[at]!, activations[at + m * n]!];
      const dy = upstream[replica * m * n + within]!;
      const sigma = 1 / (1 + Math.exp(-g));
      const isUp = cell % (2 * m * n) >= m * n;
      return isUp ? dy * g * sigma : dy * u * sigma * (1 + g * (1 - sigma));
    });
    expect(mismatch(await readFloats(device, buffer), expected, 1e-5)).toBeNull();
  },
);

test('shapes that do not fit are refused before anything is made', () => {
  const [a, b] = [placed(1, 2, 3), placed(2, 4, 2)];
  const unused = createStorage(device, 4, 'unused');
  expect(() => matmul(a.matrix, b.matrix, outOf(2, 2), { numReplicas, unused })).toThrow(
    RangeError,
  );
});
