import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultLosses } from '../config/defaults';
import type { ArchitectureSpec } from '../config/experimentSpec';
import { requestComputeDevice } from '../gpu/device';
import { dawnGpu } from '../gpu/testing/dawnDevice';
import type { CohortSpec, ReplicaHyper, SampleCalls } from '../protocol/policyApi';
import { foldIn, gumbel, keyFromSeed, uniformInt, type Key } from '../rl/rng';
import { createCompiledPolicy } from './compiledPolicy';
import { plainSgd, smallArchitecture, smallCohort, toSampleCalls } from './golden/smallCohort';
import { createTfjsPolicy } from './tfjsPolicy';

/** The device's sampler against the CPU's: tokens, log-probabilities, noise. */

const architectures: Record<string, Partial<ArchitectureSpec>> = {
  'grouped queries': { numLayers: 2, hiddenSize: 16, numHeads: 4, numKeyValueHeads: 2 },
  'a tied head': { tieEmbeddings: true },
  'a layer of odd width': { intermediateSize: 13 },
};

const hyper = (seed: number): ReplicaHyper => ({
  seed,
  optimizer: plainSgd,
  loss: defaultLosses.clip,
});
const hypers = [hyper(1), hyper(2), hyper(3)];
const policies = [
  createTfjsPolicy(),
  createCompiledPolicy(
    () => requestComputeDevice(dawnGpu()),
    () => 0,
  ),
];
const [tfjs, compiled] = policies;
beforeAll(async () => {
  for (const policy of policies) await policy.create(smallCohort, hypers);
});
afterAll(async () => {
  for (const policy of policies) await policy.dispose();
});

const key = keyFromSeed(3);

function draw(call: number, at: number, below: number): number {
  return uniformInt(foldIn(key, call), at, below);
}

/** Prompts of one to four tokens, many of them alike, uneven over replicas, of one to three tokens to write. */
function drawnCalls(numCalls: number, isGreedy = false): SampleCalls {
  return toSampleCalls(
    Array.from({ length: numCalls }, (_, call) => ({
      replica: draw(call, 0, 5) % 3,
      prompt: Array.from({ length: 1 + draw(call, 1, 4) }, (__, i) => draw(call % 9, 10 + i, 7)),
      actionLength: 1 + draw(call, 2, 3),
      noise: call,
    })),
    isGreedy,
  );
}

/** Copies: what is sampled is transferred in the page. */
const copy = (calls: SampleCalls): SampleCalls => structuredClone(calls);

test.each([
  ['drawn', false],
  ['the likeliest', true],
] as const)('tokens %s and their log-probabilities are those of the CPU', async (_, isGreedy) => {
  const calls = drawnCalls(150, isGreedy);
  const expected = await tfjs!.sample(copy(calls));
  const actual = await compiled!.sample(copy(calls));
  expect([...actual.actionTokens]).toEqual([...expected.actionTokens]);
  for (const [cell, logprob] of expected.rolloutLogprobs.entries())
    expect(Math.abs(actual.rolloutLogprobs[cell]! - logprob)).toBeLessThan(
      1e-5 + 1e-4 * Math.abs(logprob),
    );
});

test.each(Object.entries(architectures))('%s: the same', async (_, changes) => {
  const cohort: CohortSpec = {
    ...smallCohort,
    architecture: { ...smallArchitecture, ...changes },
  };
  for (const policy of policies) await policy.create(cohort, hypers);
  const calls = drawnCalls(40);
  const expected = await tfjs!.sample(copy(calls));
  const actual = await compiled!.sample(copy(calls));
  expect([...actual.actionTokens]).toEqual([...expected.actionTokens]);
  for (const [cell, logprob] of expected.rolloutLogprobs.entries())
    expect(Math.abs(actual.rolloutLogprobs[cell]! - logprob)).toBeLessThan(
      1e-5 + 1e-4 * Math.abs(logprob),
    );
  for (const policy of policies) await policy.create(smallCohort, hypers);
});

test('a row draws the same whatever stands beside it', async () => {
  const calls = drawnCalls(60);
  const all = await compiled!.sample(copy(calls));
  const width = smallCohort.maxActionTokens;
  for (const row of [0, 17, 59]) {
    const alone: SampleCalls = {
      ...calls,
      replicas: calls.replicas.slice(row, row + 1),
      promptTokens: calls.promptTokens.slice(
        row * calls.promptWidth,
        (row + 1) * calls.promptWidth,
      ),
      promptLengths: calls.promptLengths.slice(row, row + 1),
      actionLengths: calls.actionLengths.slice(row, row + 1),
      noiseKeys: calls.noiseKeys.slice(2 * row, 2 * row + 2),
    };
    const own = await compiled!.sample(alone);
    expect([...own.actionTokens]).toEqual([
      ...all.actionTokens.subarray(row * width, (row + 1) * width),
    ]);
  }
});

/** The token that wins among equal logits is the one with the largest noise. */
function largestNoise(noiseKey: Key, vocabularySize: number): { token: number; margin: number } {
  const noise = Array.from({ length: vocabularySize }, (_, v) => ({ v, g: gumbel(noiseKey, v) }));
  const [first, second] = noise.toSorted((a, b) => b.g - a.g);
  return { token: first!.v, margin: first!.g - second!.g };
}

test('a near-uniform policy follows the noise of the CPU in 2,000 draws', async () => {
  // A learning rate of 0 leaves the head at 0.02: logits within a few hundredths of each other.
  const calls = toSampleCalls(
    Array.from({ length: 2000 }, (_, noise) => ({ prompt: [1], actionLength: 1, noise })),
  );
  const { actionTokens } = await compiled!.sample(copy(calls));
  let agreeing = 0;
  let clear = 0;
  for (let call = 0; call < 2000; call++) {
    const noiseKey: Key = [calls.noiseKeys[2 * call]!, calls.noiseKeys[2 * call + 1]!];
    const { token, margin } = largestNoise(noiseKey, smallCohort.vocabularySize);
    if (margin < 0.3) continue;
    clear++;
    agreeing += actionTokens[call * smallCohort.maxActionTokens] === token ? 1 : 0;
  }
  expect(clear).toBeGreaterThan(1000);
  expect(agreeing).toBe(clear);
});
