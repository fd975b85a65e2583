import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ArchitectureSpec } from '../config/experimentSpec';
import { readFloats } from '../gpu/buffers';
import { createPipelineCache, createPlan, submitPlans, type PipelineCache } from '../gpu/plan';
import { dawnDevice } from '../gpu/testing/dawnDevice';
import type { CohortSpec, SampleCalls, SampledTurns } from '../protocol/policyApi';
import { createCompiledSampler, type Decoding } from './compiledSampler';
import { destroyCompiledState } from './compiledState';
import { batchedPath, persistentPath, type DecodePath, type DecodeResults } from './decodePath';
import { divergedMessage } from './sampleTurns';
import { packRows, unpackRows } from './samplingRows';
import { cohortOf, drawnCalls, drawnState, selectCalls, turnsOfCpu } from './testing/samplerCases';

/**
 * Both ways from token to token against the CPU's sampler. The noise and logits of a device are rounded to float32: where the two best
 * scores were less than 1e-4 apart, the token might be the other one. None is among these draws, so every token has to be equal.
 */

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

let cache: PipelineCache;
beforeAll(async () => {
  cache = createPipelineCache(await dawnDevice());
});
afterAll(() => cache.device.destroy());

/** Largest |Δ| − (1e-5 + 1e-4 · |reference|) of the log-probabilities: ≤ 0 within tolerance. */
function excess(actual: SampledTurns, expected: SampledTurns): number {
  return expected.rolloutLogprobs.reduce(
    (worst, logprob, cell) =>
      Math.max(
        worst,
        Math.abs(actual.rolloutLogprobs[cell]! - logprob) - 1e-5 - 1e-4 * Math.abs(logprob),
      ),
    -Infinity,
  );
}

describe.each(Object.entries(architectures))('%s', (_, changes) => {
  const cohort = cohortOf(changes);
  test.each([1, 3])('with %i replicas, every path writes what the CPU writes', async (replicas) => {
    const sizes = { numReplicas: replicas, longestPrompt: 5 };
    const batches = [
      drawnCalls({ ...sizes, numCalls: 45 }),
      drawnCalls({ ...sizes, numCalls: 45, isGreedy: true }),
      drawnCalls({ ...sizes, numCalls: 1, longestPrompt: 1 }),
      // More keys than the persistent kernel holds at a time.
      drawnCalls({ ...sizes, numCalls: 23, longestPrompt: 44 }),
    ];
    const expected = await turnsOfCpu(cohort, replicas, batches);
    for (const [name, decoding] of Object.entries(paths)) {
      const state = drawnState(cache, cohort, replicas);
      const sampler = createCompiledSampler(state, decoding);
      for (const [index, calls] of batches.entries()) {
        const turns = await sampler.sample(calls);
        expect([...turns.actionTokens], `${name}, batch ${index}`).toEqual([
          ...expected[index]!.actionTokens,
        ]);
        expect(excess(turns, expected[index]!), `${name}, batch ${index}`).toBeLessThanOrEqual(0);
      }
      sampler.destroy();
      destroyCompiledState(state);
    }
  });
});

describe.each(Object.entries(paths))('%s', (_, decoding) => {
  const cohort = cohortOf({ numLayers: 2 });
  const calls = drawnCalls({ numCalls: 60, numReplicas: 3, longestPrompt: 5 });
  const sampled = async (batches: readonly SampleCalls[]): Promise<SampledTurns[]> => {
    const state = drawnState(cache, cohort, 3);
    const sampler = createCompiledSampler(state, decoding);
    const turns: SampledTurns[] = [];
    for (const batch of batches) turns.push(await sampler.sample(batch));
    sampler.destroy();
    destroyCompiledState(state);
    return turns;
  };

  test('neither the order nor the company of a row changes its turn', async () => {
    const rows = [...calls.replicas.keys()];
    const orders = [rows, rows.toReversed(), rows.slice(0, 7), [41]];
    const turns = await sampled(orders.map((order) => selectCalls(calls, order)));
    const width = cohort.maxActionTokens;
    for (const [index, order] of orders.entries())
      for (const [place, row] of order.entries()) {
        const own = turns[index]!.actionTokens.subarray(place * width, (place + 1) * width);
        const all = turns[0]!.actionTokens.subarray(row * width, (row + 1) * width);
        expect([...own]).toEqual([...all]);
      }
  });

  test('no calls, no turns', async () => {
    const [turns] = await sampled([selectCalls(calls, [])]);
    expect(turns).toEqual({
      actionTokens: new Int32Array(),
      rolloutLogprobs: new Float32Array(),
    });
  });

  test.each([NaN, Infinity])(
    'a weight of %d rejects the calls of its replica, and of no other',
    async (weight) => {
      const state = drawnState(cache, cohort, 3);
      const sampler = createCompiledSampler(state, decoding);
      // The last weights are the head's.
      const last = 4 * (2 * state.numParameters - 1);
      cache.device.queue.writeBuffer(state.weights, last, Float32Array.of(weight));
      const rowsOf = (replica: number): number[] =>
        [...calls.replicas.keys()].filter((row) => calls.replicas[row] === replica);
      await expect(sampler.sample(selectCalls(calls, rowsOf(1)))).rejects.toThrow(divergedMessage);
      const { rolloutLogprobs } = await sampler.sample(
        selectCalls(calls, [...rowsOf(0), ...rowsOf(2)]),
      );
      expect(rolloutLogprobs.every((logprob) => logprob <= 0 && logprob > -100)).toBe(true);
      sampler.destroy();
      destroyCompiledState(state);
    },
  );
});

/** As a sampler does, but with no rows beside those that are asked for; of one replica. */
async function drawnAlone<B extends DecodeResults>(
  path: DecodePath<B>,
  cohort: CohortSpec,
  calls: SampleCalls,
): Promise<SampledTurns> {
  const numRows = calls.replicas.length;
  const { device } = cache;
  const { architecture, vocabularySize } = cohort;
  const state = drawnState(cache, cohort, 1);
  const packed = packRows({ architecture, vocabularySize, numReplicas: 1 }, calls);
  const rows = {
    ...packed,
    shape: { ...packed.shape, numRows },
    promptOf: packed.promptOf.slice(0, numRows),
    promptLengths: packed.promptLengths.slice(0, numRows),
    actionLengths: packed.actionLengths.slice(0, numRows),
    keys: packed.keys.slice(0, 2 * numRows),
  };
  state.stage.reserve([rows.prompts]);
  const { pass } = state.stage.memory();
  const buffers = path.createBuffers(device, rows.shape, cohort.maxLength);
  device.queue.writeBuffer(pass.tokens, 0, rows.tokens);
  device.queue.writeBuffer(pass.siteRows, 0, rows.siteRows);
  path.upload(device.queue, buffers, rows);
  submitPlans(device, [
    await state.stage.plan(rows.prompts, { kind: 'forward', weights: state.weights }),
    await createPlan(cache, path.calls(rows.shape, pass, buffers, false)),
  ]);
  const draws = await readFloats(device, buffers.draws);
  path.destroyBuffers(buffers);
  destroyCompiledState(state);
  return unpackRows(rows, calls, draws, cohort.maxActionTokens);
}

test.each([1, 3, 5, 61])(
  '%i rows, no filling up: each path writes what the CPU writes',
  async (numRows) => {
    const cohort = cohortOf({ numLayers: 2 });
    const calls = selectCalls(
      drawnCalls({ numCalls: 61, numReplicas: 1, longestPrompt: 5 }),
      Array.from({ length: numRows }, (_, row) => row),
    );
    const [expected] = await turnsOfCpu(cohort, 1, [calls]);
    const { architecture, vocabularySize } = cohort;
    const limited = { architecture, vocabularySize, numReplicas: 1 };
    const persistent = persistentPath(cache.device.limits, limited, 2);
    for (const turns of [
      await drawnAlone(batchedPath, cohort, calls),
      await drawnAlone(persistent, cohort, calls),
    ]) {
      expect([...turns.actionTokens]).toEqual([...expected!.actionTokens]);
      expect(excess(turns, expected!)).toBeLessThanOrEqual(0);
    }
  },
);

test('a vocabulary that does not fit into a workgroup is refused by the persistent path', () => {
  const state = drawnState(cache, { ...cohortOf({}), vocabularySize: 4096 }, 1);
  expect(() => createCompiledSampler(state, paths['persistent, a token at a time'])).toThrow(
    RangeError,
  );
  destroyCompiledState(state);
});
