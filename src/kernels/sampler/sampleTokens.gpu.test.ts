import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStorage, readFloats, uploadStorage } from '../../gpu/buffers';
import { normals } from '../../gpu/testing/arrays';
import { dawnDevice } from '../../gpu/testing/dawnDevice';
import { runCalls } from '../../gpu/testing/runCalls';
import { foldIn, gumbel, keyFromSeed, uniform, type Key } from '../../rl/rng';
import noiseSource from './noise.wgsl?raw';
import { sampleTokens, type SamplingRows } from './sampleTokens';
import noisesSource from './testing/noises.wgsl?raw';

/** The noise against `rl/rng`, and the draws against a plain loop in float64. */

let device: GPUDevice;
beforeAll(async () => {
  device = await dawnDevice();
});
afterAll(() => device.destroy());

const keyOf = (row: number): Key => foldIn(keyFromSeed(5), row);

test('uniforms are those of the CPU to the last bit, and Gumbel noise within 1e-6', async () => {
  const count = 1009;
  const keys = Array.from({ length: count }, (_, i) => keyOf(i));
  // Counters of all sizes, up to 2³² − 1.
  const counters = Uint32Array.from({ length: count }, (_, i) => i * 4_256_657);
  counters[count - 1] = 0xffffffff;
  const out = createStorage(device, 2 * count, 'noises');
  await runCalls(device, [
    {
      label: 'noises',
      source: noiseSource + noisesSource,
      constants: {},
      buffers: [
        uploadStorage(device, Uint32Array.from(keys.flat()), 'keys'),
        uploadStorage(device, counters, 'counters'),
        out,
      ],
      workgroups: [Math.ceil(count / 64), 1, 1],
    },
  ]);
  const noises = await readFloats(device, out);
  for (const [i, key] of keys.entries()) {
    expect(noises[2 * i]).toBe(uniform(key, counters[i]!));
    // −log(−log u): about 16 at most, so float32 rounding alone is 5e-7 there.
    const expected = gumbel(key, counters[i]!);
    expect(Math.abs(noises[2 * i + 1]! - expected)).toBeLessThan(
      1e-6 * Math.max(1, Math.abs(expected)),
    );
  }
});

interface Case extends SamplingRows {
  readonly isDirect: boolean;
  readonly isGreedy: boolean;
}

async function drawn(shape: Case, logits: Float32Array<ArrayBuffer>, position: number) {
  const { numReplicas, numRows, numSites, width } = shape;
  const count = numReplicas * numRows;
  const siteOf = Int32Array.from({ length: count }, (_, row) => (row * 5) % numSites);
  const draws = createStorage(device, count * width * 2, 'draws');
  const buffers = {
    logits: uploadStorage(device, logits, 'logits'),
    siteOf: uploadStorage(device, siteOf, 'site of'),
    keys: uploadStorage(
      device,
      Uint32Array.from(Array.from({ length: count }, (_, row) => keyOf(row)).flat()),
      'keys',
    ),
    tokens: createStorage(device, count, 'tokens'),
    draws,
  };
  await runCalls(device, [sampleTokens(shape, buffers, position, shape)]);
  return { siteOf, draws: await readFloats(device, draws) };
}

/** Token of the largest score and its log-probability; how far the second is behind. */
function plainDraw(logits: Float32Array, noiseOf: (token: number) => number) {
  const scores = Array.from(logits, (logit, token) => ({ token, score: logit + noiseOf(token) }));
  const [first, second] = scores.toSorted((a, b) => b.score - a.score || a.token - b.token);
  const total = logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
  return {
    token: first!.token,
    margin: first!.score - (second?.score ?? -Infinity),
    logprob: logits[first!.token]! - Math.log(total),
  };
}

const usual = { numReplicas: 3, numRows: 65, numSites: 65, vocabularySize: 7, width: 3 };
const cases: Record<string, Case> = {
  'a row of one token to choose from': {
    ...usual,
    numReplicas: 1,
    numRows: 1,
    numSites: 1,
    vocabularySize: 1,
    isDirect: true,
    isGreedy: false,
  },
  'a prime of rows on fewer sites': {
    ...usual,
    numRows: 61,
    numSites: 6,
    isDirect: false,
    isGreedy: false,
  },
  'a row more than a workgroup': { ...usual, isDirect: true, isGreedy: false },
  'a row less than a workgroup, the likeliest': {
    ...usual,
    numRows: 63,
    numSites: 63,
    isDirect: true,
    isGreedy: true,
  },
};

describe.each(Object.entries(cases))('%s', (_, shape) => {
  test.each([0, 2])(
    'token %i of each row and its log-probability are the plain loop’s',
    async (position) => {
      const { numReplicas, numRows, numSites, vocabularySize, width } = shape;
      const logits = normals(3, numReplicas * numSites * vocabularySize).map((value) => 2 * value);
      const { siteOf, draws } = await drawn(shape, logits, position);
      for (let row = 0; row < numReplicas * numRows; row++) {
        const own = shape.isDirect ? row % numRows : siteOf[row]!;
        const site = Math.floor(row / numRows) * numSites + own;
        const expected = plainDraw(
          logits.subarray(site * vocabularySize, (site + 1) * vocabularySize),
          (token) => (shape.isGreedy ? 0 : gumbel(keyOf(row), position * vocabularySize + token)),
        );
        const at = 2 * (row * width + position);
        // No two scores of these draws are nearer than the float32 rounding of the noise.
        expect(expected.margin).toBeGreaterThan(1e-5);
        expect(draws[at]).toBe(expected.token);
        expect(Math.abs(draws[at + 1]! - expected.logprob)).toBeLessThan(
          1e-6 + 2e-6 * Math.abs(expected.logprob),
        );
      }
    },
  );
});

test('among equal logits the likeliest is the smallest token', async () => {
  const shape = { ...usual, numReplicas: 1, isDirect: true, isGreedy: true };
  const logits = new Float32Array(65 * 7).fill(0.25);
  const { draws } = await drawn(shape, logits, 0);
  for (let row = 0; row < 65; row++) expect(draws[2 * row * shape.width]).toBe(0);
});

test.each([NaN, Infinity, -Infinity])(
  'a logit of %d marks its row, and no other',
  async (logit) => {
    const shape = { ...usual, numReplicas: 1, isDirect: true, isGreedy: false };
    const logits = normals(4, 65 * 7);
    logits[17 * 7 + 4] = logit;
    const { draws } = await drawn(shape, logits, 0);
    for (let row = 0; row < 65; row++)
      expect(draws[2 * row * shape.width + 1]! > 1).toBe(row === 17);
  },
);
