import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultLosses } from '../config/defaults';
import type { ArchitectureSpec } from '../config/experimentSpec';
import { createPipelineCache, type PipelineCache } from '../gpu/plan';
import { dawnDevice } from '../gpu/testing/dawnDevice';
import type { CohortSpec, ReplicaHyper, SampleCalls, SampledTurns } from '../protocol/policyApi';
import { foldIn, keyFromSeed, uniformInt } from '../rl/rng';
import { createCompiledSampler, type Decoding } from './compiledSampler';
import { createCompiledState, destroyCompiledState } from './compiledState';
import { plainSgd, smallArchitecture, smallCohort, toSampleCalls } from './golden/smallCohort';
import { createTfjsPolicy } from './tfjsPolicy';

/** Both ways from token to token against the CPU's sampler: tokens, log-probabilities, and that nothing is made anew. */

const paths: Record<string, Decoding> = {
  batched: { kind: 'batched' },
  'persistent, a token at a time': { kind: 'persistent', tokensPerDispatch: 1 },
  'persistent, three tokens at a time': { kind: 'persistent', tokensPerDispatch: 3 },
};

const architectures: Record<string, Partial<ArchitectureSpec>> = {
  'one layer': {},
  'grouped queries, two layers': {
    numLayers: 2,
    hiddenSize: 16,
    numHeads: 4,
    numKeyValueHeads: 2,
  },
  'a tied head': { tieEmbeddings: true, numLayers: 3 },
  'an odd inner width': { intermediateSize: 13 },
  'more columns than threads': {
    hiddenSize: 72,
    numHeads: 2,
    numKeyValueHeads: 2,
    intermediateSize: 150,
  },
};

const maxActionTokens = 4;

function cohortOf(changes: Partial<ArchitectureSpec>): CohortSpec {
  const architecture = { ...smallArchitecture, ...changes };
  return { ...smallCohort, architecture, maxLength: 48, maxActionTokens };
}

function hypers(numReplicas: number): ReplicaHyper[] {
  return Array.from({ length: numReplicas }, (_, seed) => ({
    seed,
    optimizer: plainSgd,
    loss: defaultLosses.clip,
  }));
}

const key = keyFromSeed(7);

function draw(call: number, at: number, below: number): number {
  return uniformInt(foldIn(key, call), at, below);
}

interface Drawing {
  readonly numCalls: number;
  readonly numReplicas: number;
  readonly longestPrompt: number;
  readonly isGreedy?: boolean;
}

/** Prompts of one to `longestPrompt` tokens, many alike; the first replica has most of the rows; one to four tokens to write. */
function drawnCalls({ numCalls, numReplicas, longestPrompt, isGreedy }: Drawing): SampleCalls {
  return toSampleCalls(
    Array.from({ length: numCalls }, (_, call) => {
      const prompt = call % 11;
      return {
        replica: Math.max(0, draw(call, 0, 2 * numReplicas) - numReplicas),
        prompt: Array.from({ length: 1 + draw(prompt, 1, longestPrompt) }, (__, i) =>
          draw(prompt, 10 + i, 7),
        ),
        actionLength: 1 + draw(call, 2, maxActionTokens),
        noise: call,
      };
    }),
    isGreedy,
  );
}

/** Equal tokens, and log-probabilities within 1e-5 + 1e-4 · |reference|. */
function expectSame(actual: SampledTurns, expected: SampledTurns): void {
  expect([...actual.actionTokens]).toEqual([...expected.actionTokens]);
  for (const [cell, logprob] of expected.rolloutLogprobs.entries())
    expect(Math.abs(actual.rolloutLogprobs[cell]! - logprob)).toBeLessThan(
      1e-5 + 1e-4 * Math.abs(logprob),
    );
}

async function expectedOf(cohort: CohortSpec, numReplicas: number, calls: readonly SampleCalls[]) {
  const policy = createTfjsPolicy();
  await policy.create(cohort, hypers(numReplicas));
  const turns: SampledTurns[] = [];
  for (const call of calls) turns.push(await policy.sample(call));
  await policy.dispose();
  return turns;
}

let cache: PipelineCache;
beforeAll(async () => {
  cache = createPipelineCache(await dawnDevice());
});
afterAll(() => cache.device.destroy());

describe.each(Object.entries(architectures))('%s', (_, changes) => {
  const cohort = cohortOf(changes);
  test.each([1, 3])('with %i replicas, every path writes what the CPU writes', async (replicas) => {
    const sizes = { numReplicas: replicas, longestPrompt: 5 };
    const batches = [
      drawnCalls({ ...sizes, numCalls: 45 }),
      drawnCalls({ ...sizes, numCalls: 45, isGreedy: true }),
      drawnCalls({ ...sizes, numCalls: 1, longestPrompt: 1 }),
      // More keys than are held at a time.
      drawnCalls({ ...sizes, numCalls: 23, longestPrompt: 44 }),
    ];
    const expected = await expectedOf(cohort, replicas, batches);
    for (const decoding of Object.values(paths)) {
      const state = createCompiledState(cache, cohort, hypers(replicas));
      const sampler = createCompiledSampler(state, decoding);
      for (const [index, calls] of batches.entries())
        expectSame(await sampler.sample(calls), expected[index]!);
      sampler.destroy();
      destroyCompiledState(state);
    }
  });
});
