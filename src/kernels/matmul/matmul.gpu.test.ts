import { beforeAll, expect, test } from 'vitest';
import { createStorage, readFloats, uploadStorage } from '../../gpu/buffers';
import { dawnDevice } from '../../gpu/testing/dawnDevice';
import { runCalls } from '../../gpu/testing/runCalls';
import { mismatch } from '../../rl/golden/mismatch';
import { foldIn, keyFromSeed, normal } from '../../rl/rng';
import { matmul, transposed, type Matrix } from './matmul';

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
  const [offset, replicaStride] = [3, rows * columns + 5];
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
    const unused = createStorage(device, 1, 'unused');
    await runCalls(device, [matmul(a.matrix, b.matrix, out, { numReplicas, unused })]);
    expect(mismatch(await readFloats(device, out.buffer), product(a, b), tolerance(k))).toBeNull();
  },
);

test('onto what is there, and onto another buffer', async () => {
  const [a, b] = [placed(1, 9, 4), placed(2, 4, 6)];
  const unused = createStorage(device, 1, 'unused');
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

test('shapes that do not fit are refused before anything is made', () => {
  const [a, b] = [placed(1, 2, 3), placed(2, 4, 2)];
  const unused = createStorage(device, 1, 'unused');
  expect(() => matmul(a.matrix, b.matrix, outOf(2, 2), { numReplicas, unused })).toThrow(
    RangeError,
  );
});
