import { beforeAll, expect, test } from 'vitest';
import { createStorage, readFloats, uploadStorage } from '../gpu/buffers';
import { normals } from '../gpu/testing/arrays';
import { dawnDevice } from '../gpu/testing/dawnDevice';
import { runCalls } from '../gpu/testing/runCalls';
import { mismatch } from '../rl/golden/mismatch';
import { embedding, embeddingBackward } from './embedding/embedding';
import type { Matrix } from './matmul/matmul';
import { rmsNorm, rmsNormBackward, rmsNormGain } from './rmsNorm/rmsNorm';
import { rotary, rotaryAngles } from './rotary/rotary';
import { placeRows, takeRows } from './rows/rows';
import { swiglu, swigluBackward } from './swiglu/swiglu';

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
  [1, 1],
  [67, 5],
  [65, 32],
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
    const gainGradient = parameter(4, 1, width);
    const [x, upstream, before] = [2, 3, 5].map((seed) =>
      normals(seed, numReplicas * numRows * width),
    );
    const [out, inverse] = [outOf(x!.length), outOf(numReplicas * numRows)];
    const gradient = upload(before!);
    const norm = { numReplicas, numRows, gain: gain.matrix };
    const back = { x: upload(x!), inverse, upstream: upload(upstream!) };
    await runCalls(device, [
      rmsNorm(norm, back.x, out, inverse),
      rmsNormBackward(norm, back, gradient, 'add'),
      rmsNormGain({ ...norm, gain: gainGradient.matrix }, back),
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

test('rotary positions turn pairs of halves by position · θ^(−2i/headSize), and back', async () => {
  const angles = upload(rotaryAngles(6, 4, 100));
  const shape = { numReplicas, numRows: 15, length: 5, numHeads: 3, headSize: 4, angles };
  const x = normals(1, numReplicas * 15 * 12);
  const [turned, back] = [upload(x), upload(x)];
  await runCalls(device, [
    rotary(shape, turned, 'forward'),
    rotary(shape, back, 'forward'),
    rotary(shape, back, 'backward'),
  ]);
  const expected = x.map((value, cell) => {
    const i = cell % 4;
    const position = Math.floor(cell / 12) % 5;
    const angle = position * 100 ** ((-2 * (i % 2)) / 4);
    const other = x[i < 2 ? cell + 2 : cell - 2]!;
    return value * Math.cos(angle) + (i < 2 ? -1 : 1) * other * Math.sin(angle);
  });
  expect(await wrongIn(turned, expected)).toBeNull();
  expect(await wrongIn(back, x)).toBeNull();
});

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function siluSlope(g: number): number {
  return sigmoid(g) * (1 + g * (1 - sigmoid(g)));
}

test('swiglu and its gradients', async () => {
  const count = 131;
  const [gate, up, upstream] = [1, 2, 3].map((seed) => normals(seed, count));
  const out = outOf(count);
  const [gates, ups] = [upload(gate!), upload(up!)];
  await runCalls(device, [swiglu(count, gates, ups, out)]);
  expect(
    await wrongIn(
      out,
      gate!.map((g, i) => g * sigmoid(g) * up![i]!),
    ),
  ).toBeNull();
  await runCalls(device, [swigluBackward(count, upload(upstream!), gates, ups)]);
  expect(
    await wrongIn(
      gates,
      gate!.map((g, i) => upstream![i]! * up![i]! * siluSlope(g)),
    ),
  ).toBeNull();
  expect(
    await wrongIn(
      ups,
      gate!.map((g, i) => upstream![i]! * g * sigmoid(g)),
    ),
  ).toBeNull();
});

test('rows are taken, and put back in their places', async () => {
  const choice = { numReplicas, numRows: 9, numTaken: 4, width: 3 };
  const x = normals(1, numReplicas * 27);
  const rows = Int32Array.of(8, 0, 3, 5, 1, 2, 7, 4);
  const siteOfRow = new Int32Array(numReplicas * 9).fill(4);
  for (const [site, row] of rows.entries()) siteOfRow[Math.floor(site / 4) * 9 + row] = site % 4;
  const [taken, placed] = [outOf(numReplicas * 12), outOf(x.length)];
  await runCalls(device, [
    takeRows(choice, upload(x), upload(rows), taken),
    placeRows(choice, taken, upload(siteOfRow), placed),
  ]);
  const isTaken = (cell: number): boolean => siteOfRow[Math.floor(cell / 3)]! < 4;
  expect(
    await wrongIn(
      placed,
      x.map((value, cell) => (isTaken(cell) ? value : 0)),
    ),
  ).toBeNull();
  const first = (await readFloats(device, taken)).subarray(0, 3);
  expect([...first]).toEqual([...x.subarray(24, 27)]);
});
