import { beforeAll, expect, test } from 'vitest';
import { createStorage, readFloats, uploadStorage } from '../gpu/buffers';
import { normals } from '../gpu/testing/arrays';
import { dawnDevice } from '../gpu/testing/dawnDevice';
import { runCalls } from '../gpu/testing/runCalls';
import { mismatch } from '../rl/golden/mismatch';
import { embedding, embeddingBackward } from './embedding/embedding';
import type { Matrix } from './matmul/matmul';
import { rmsNorm, rmsNormBackward } from './rmsNorm/rmsNorm';
import { rotary, rotaryAngles } from './rotary/rotary';
import { swiglu } from './swiglu/swiglu';

/** Kernels of a few lines against plain loops in float64, at sizes that divide nothing. */

let device: GPUDevice;
beforeAll(async () => {
  device = await dawnDevice();
});

const numReplicas = 2;
// A handful of float32 operations.
const tolerance = 1e-5;

const upload = (values: Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>): GPUBuffer =>
  uploadStorage(device, values, 'input');
const outOf = (length: number): GPUBuffer => createStorage(device, length, 'out');

/** A parameter [rows, columns] inside an arena with something before, between and behind. */
function parameter(
  seed: number,
  rows: number,
  columns: number,
): { matrix: Matrix; at: (r: number, i: number) => number } {
  const [offset, replicaStride] = [2, rows * columns + 7];
  const values = normals(seed, offset + numReplicas * replicaStride);
  const matrix = { buffer: upload(values), rows, columns, replicaStride, offset };
  return { matrix, at: (r, i) => values[offset + r * replicaStride + i]! };
}

/** Where a buffer differs from what it should hold; null if nowhere. */
async function wrongIn(buffer: GPUBuffer, expected: ArrayLike<number>): Promise<string | null> {
  return mismatch(await readFloats(device, buffer), expected, tolerance);
}

for (const [numRows, width] of [
  [1, 4],
  [67, 12],
  [65, 32],
  [131, 20],
] as const) {
  test(`embedding of ${numRows} rows of width ${width}, and sums of its gradient by token`, async () => {
    const vocabulary = 9;
    const table = parameter(1, vocabulary, width);
    const tokens = Int32Array.from(
      { length: numReplicas * numRows },
      (_, i) => (i * 5) % vocabulary,
    );
    const upstream = normals(2, numReplicas * numRows * width);
    const out = outOf(upstream.length);
    const gradient = parameter(3, vocabulary, width);
    const rows = { tokens: upload(tokens), numRows, numReplicas };
    await runCalls(device, [
      embedding(rows, table.matrix, out),
      embeddingBackward(rows, upload(upstream), gradient.matrix),
    ]);
    const place = (cell: number) => {
      const row = Math.floor(cell / width);
      return { r: Math.floor(row / numRows), token: tokens[row]!, column: cell % width };
    };
    expect(
      await wrongIn(
        out,
        upstream.map((_, cell) => {
          const { r, token, column } = place(cell);
          return table.at(r, token * width + column);
        }),
      ),
    ).toBeNull();
    const sums = Array.from({ length: numReplicas }, () => new Float64Array(vocabulary * width));
    for (const [cell, value] of upstream.entries()) {
      const { r, token, column } = place(cell);
      sums[r]![token * width + column]! += value;
    }
    const { offset, replicaStride } = gradient.matrix;
    const after = await readFloats(device, gradient.matrix.buffer);
    for (const [r, sum] of sums.entries()) {
      const start = offset + r * replicaStride;
      expect(mismatch(after.subarray(start, start + sum.length), sum, tolerance)).toBeNull();
    }
    // What stands around it stays.
    expect(after[0]).toBe(normals(3, 1)[0]);
  });

  test(`rms norm of ${numRows} rows of width ${width}, forwards and backwards`, async () => {
    const gain = parameter(1, 1, width);
    const gainGradient = parameter(4, 1, width); // laid out as the gain
    const [x, upstream, before] = [2, 3, 5].map((seed) =>
      normals(seed, numReplicas * numRows * width),
    );
    const [out, inverse] = [outOf(x!.length), outOf(numReplicas * numRows)];
    const gradient = upload(before!);
    const norm = { numReplicas, numRows, gain: gain.matrix, unused: outOf(4) };
    const back = { x: upload(x!), inverse, upstream: upload(upstream!) };
    await runCalls(device, [
      rmsNorm(norm, back.x, out, inverse),
      rmsNormBackward(norm, back, { gradient, gainGradient: gainGradient.matrix }, 'add'),
    ]);
    const rowOf = (row: number, values: Float32Array): Float32Array =>
      values.subarray(row * width, (row + 1) * width);
    const expectedOut = new Float64Array(x!.length);
    const expectedGradient = Float64Array.from(before!);
    const expectedGain = new Float64Array(numReplicas * width);
    for (let row = 0; row < numReplicas * numRows; row++) {
      const r = Math.floor(row / numRows);
      const [xs, dys] = [rowOf(row, x!), rowOf(row, upstream!)];
      const scale = 1 / Math.sqrt(xs.reduce((sum, value) => sum + value * value, 0) / width + 1e-6);
      const dot = xs.reduce((sum, value, i) => sum + value * gain.at(r, i) * dys[i]!, 0);
      for (const [i, value] of xs.entries()) {
        const cell = row * width + i;
        expectedOut[cell] = value * scale * gain.at(r, i);
        expectedGradient[cell]! +=
          scale * gain.at(r, i) * dys[i]! - (value * scale ** 3 * dot) / width;
        expectedGain[r * width + i]! += dys[i]! * value * scale;
      }
    }
    expect(await wrongIn(out, expectedOut)).toBeNull();
    expect(await wrongIn(gradient, expectedGradient)).toBeNull();
    const { offset, replicaStride } = gainGradient.matrix;
    const after = await readFloats(device, gainGradient.matrix.buffer);
    for (let r = 0; r < numReplicas; r++) {
      const start = offset + r * replicaStride;
      const own = expectedGain.subarray(r * width, (r + 1) * width);
      expect(mismatch(after.subarray(start, start + width), own, 5 * tolerance)).toBeNull();
    }
  });
}

test('rotary positions turn pairs of halves by position · θ^(−2i/headSize), and back; values stay', async () => {
  const angles = upload(rotaryAngles(6, 4, 100));
  const shape = {
    numReplicas,
    numSequences: 3,
    length: 5,
    numHeads: 2,
    numKeyValueHeads: 1,
    headSize: 4,
  };
  // Of each replica 15 rows: two query heads, a key head and a value head of 4.
  const perReplica = 15 * 4 * (2 + 1 + 1);
  const x = normals(1, numReplicas * perReplica);
  const [turned, back] = [upload(x), upload(x)];
  await runCalls(device, [
    rotary(shape, angles, turned, 'forward'),
    rotary(shape, angles, back, 'forward'),
    rotary(shape, angles, back, 'backward'),
  ]);
  const expected = x.map((value, cell) => {
    const within = cell % perReplica;
    if (within >= 15 * 4 * 3) return value;
    const row = within < 15 * 8 ? Math.floor(within / 8) : Math.floor((within - 15 * 8) / 4);
    const i = cell % 4;
    const angle = (row % 5) * 100 ** ((-2 * (i % 2)) / 4);
    const other = x[i < 2 ? cell + 2 : cell - 2]!;
    return value * Math.cos(angle) + (i < 2 ? -1 : 1) * other * Math.sin(angle);
  });
  expect(await wrongIn(turned, expected)).toBeNull();
  expect(await wrongIn(back, x)).toBeNull();
});

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

test('swiglu of every replica', async () => {
  const count = 131;
  const gateUp = normals(1, numReplicas * 2 * count);
  const out = outOf(numReplicas * count);
  await runCalls(device, [swiglu(numReplicas, count, upload(gateUp), out)]);
  const expected = Array.from({ length: numReplicas * count }, (_, cell) => {
    const at = Math.floor(cell / count) * 2 * count + (cell % count);
    return gateUp[at]! * sigmoid(gateUp[at]!) * gateUp[at + count]!;
  });
  expect(await wrongIn(out, expected)).toBeNull();
});

test('a norm of some rows alone, and its gradient in their places', async () => {
  const [numRows, numTaken, width] = [9, 4, 8];
  const rows = Int32Array.of(8, 0, 3, 5, 1, 2, 7, 4);
  const placeOf = new Int32Array(numReplicas * numRows).fill(numTaken);
  for (const [at, row] of rows.entries())
    placeOf[Math.floor(at / numTaken) * numRows + row] = at % numTaken;
  const gain = parameter(1, 1, width);
  const gainGradient = parameter(4, 1, width);
  const x = normals(2, numReplicas * numRows * width);
  const upstream = normals(3, numReplicas * numTaken * width);
  const picked = Float32Array.from({ length: upstream.length }, (_, cell) => {
    const at = Math.floor(cell / width);
    const row = Math.floor(at / numTaken) * numRows + rows[at]!;
    return x[row * width + (cell % width)]!;
  });
  const unused = outOf(4);
  const all = { numReplicas, numRows: numTaken, gain: gain.matrix, unused };
  const taken = { numTaken, rows: upload(rows), placeOf: upload(placeOf) };
  const some = { ...all, numRows, taken };
  const outputs = [0, 1].map(() => ({
    out: outOf(upstream.length),
    inverse: outOf(numReplicas * numTaken),
  }));
  const [direct, chosen] = outputs;
  const [dPicked, dx] = [outOf(upstream.length), upload(normals(9, x.length))];
  const [xs, pickedXs, dy] = [upload(x), upload(picked), upload(upstream)];
  await runCalls(device, [
    rmsNorm(all, pickedXs, direct!.out, direct!.inverse),
    rmsNorm(some, xs, chosen!.out, chosen!.inverse),
    rmsNormBackward(
      all,
      { x: pickedXs, inverse: direct!.inverse, upstream: dy },
      { gradient: dPicked, gainGradient: parameter(5, 1, width).matrix },
      'overwrite',
    ),
    rmsNormBackward(
      some,
      { x: xs, inverse: chosen!.inverse, upstream: dy },
      { gradient: dx, gainGradient: gainGradient.matrix },
      'overwrite',
    ),
  ]);
  expect([...(await readFloats(device, chosen!.out))]).toEqual([
    ...(await readFloats(device, direct!.out)),
  ]);
  const ofPicked = await readFloats(device, dPicked);
  const expected = new Float32Array(x.length);
  for (const [at, row] of rows.entries()) {
    const place = Math.floor(at / numTaken) * numRows + row;
    expected.set(ofPicked.subarray(at * width, (at + 1) * width), place * width);
  }
  expect([...(await readFloats(device, dx))]).toEqual([...expected]);
});
