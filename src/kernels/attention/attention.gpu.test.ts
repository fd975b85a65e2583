import { beforeAll, expect, test } from 'vitest';
import { createStorage, readFloats, uploadStorage } from '../../gpu/buffers';
import { normals } from '../../gpu/testing/arrays';
import { dawnDevice } from '../../gpu/testing/dawnDevice';
import { runCalls } from '../../gpu/testing/runCalls';
import { mismatch } from '../../rl/golden/mismatch';
import { attention, attentionBackward, type AttentionShape } from './attention';

let device: GPUDevice;
beforeAll(async () => {
  device = await dawnDevice();
});

/** Plain loops in float64: outputs and gradients of Σ out · upstream. */
function reference(
  shape: AttentionShape,
  [queries, keys, values, upstream]: readonly Float32Array[],
): { out: Float64Array; queries: Float64Array; keys: Float64Array; values: Float64Array } {
  const { numReplicas, numSequences, length, numHeads, numKeyValueHeads, headSize } = shape;
  const out = new Float64Array(queries!.length);
  const gradients = [queries!, keys!, values!].map((input) => new Float64Array(input.length));
  const [dq, dk, dv] = gradients;
  const scale = 1 / Math.sqrt(headSize);
  for (let sequence = 0; sequence < numReplicas * numSequences; sequence++)
    for (let head = 0; head < numHeads; head++)
      for (let position = 0; position < length; position++) {
        const q = ((sequence * length + position) * numHeads + head) * headSize;
        const keyHead = Math.floor(head / (numHeads / numKeyValueHeads));
        const kAt = (j: number): number =>
          ((sequence * length + j) * numKeyValueHeads + keyHead) * headSize;
        const dot = (a: Float32Array, at: number, b: Float32Array, bt: number): number => {
          let sum = 0;
          for (let i = 0; i < headSize; i++) sum += a[at + i]! * b[bt + i]!;
          return sum;
        };
        const seen = Array.from({ length: position + 1 }, (_, j) => kAt(j));
        const exps = seen.map((k) => Math.exp(scale * dot(queries!, q, keys!, k)));
        const total = exps.reduce((sum, value) => sum + value, 0);
        const weights = exps.map((value) => value / total);
        const slopes = seen.map((k) => dot(upstream!, q, values!, k));
        const mean = weights.reduce((sum, weight, j) => sum + weight * slopes[j]!, 0);
        for (const [j, k] of seen.entries())
          for (let i = 0; i < headSize; i++) {
            const ds = weights[j]! * (slopes[j]! - mean) * scale;
            out[q + i]! += weights[j]! * values![k + i]!;
            dq![q + i]! += ds * keys![k + i]!;
            dk![k + i]! += ds * queries![q + i]!;
            dv![k + i]! += weights[j]! * upstream![q + i]!;
          }
      }
  return { out, queries: dq!, keys: dk!, values: dv! };
}

/** The two replicas of each part, replica by replica. */
function interleaved(parts: readonly (Float32Array | Float64Array)[]): number[] {
  return [0, 1].flatMap((r) =>
    parts.flatMap((part) => [...part.subarray((r * part.length) / 2, ((r + 1) * part.length) / 2)]),
  );
}

test.each([
  { numSequences: 1, length: 1, numHeads: 1, numKeyValueHeads: 1, headSize: 4 },
  { numSequences: 3, length: 7, numHeads: 4, numKeyValueHeads: 2, headSize: 12 },
  { numSequences: 2, length: 33, numHeads: 3, numKeyValueHeads: 1, headSize: 8 },
  { numSequences: 5, length: 6, numHeads: 4, numKeyValueHeads: 4, headSize: 8 },
])(
  '$numSequences sequences of $length, $numHeads heads on $numKeyValueHeads keys of $headSize, forwards and backwards',
  async (sizes) => {
    const shape = { numReplicas: 2, ...sizes };
    const rows = 2 * sizes.numSequences * sizes.length;
    const lengths = [
      sizes.numHeads,
      sizes.numKeyValueHeads,
      sizes.numKeyValueHeads,
      sizes.numHeads,
    ];
    const inputs = lengths.map((heads, seed) => normals(seed, rows * heads * sizes.headSize));
    const [queries, keys, values, upstream] = inputs;
    const joined = interleaved([queries!, keys!, values!]);
    const qkv = uploadStorage(device, Float32Array.from(joined), 'qkv');
    const empty = (count: number): GPUBuffer => createStorage(device, count, 'out');
    const forward = {
      qkv,
      out: empty(queries!.length),
      normalisers: empty(rows * sizes.numHeads),
    };
    const gradients = { gradient: empty(joined.length), dots: empty(rows * sizes.numHeads) };
    await runCalls(device, [
      attention(shape, qkv, forward),
      ...attentionBackward(shape, forward, uploadStorage(device, upstream!, 'upstream'), gradients),
    ]);
    const expected = reference(shape, inputs);
    // Sums of up to `length` float32 products of order 1.
    const tolerance = 2 ** -23 * 32 * (4 + sizes.length);
    expect(mismatch(await readFloats(device, forward.out), expected.out, tolerance)).toBeNull();
    const gradient = await readFloats(device, gradients.gradient);
    const parts = [expected.queries, expected.keys, expected.values];
    expect(mismatch(gradient, interleaved(parts), tolerance)).toBeNull();
  },
);
