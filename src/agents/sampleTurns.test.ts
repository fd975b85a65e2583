import * as tf from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CohortSpec, SampledTurns } from '../protocol/policyApi';
import { logSoftmax } from '../rl/entropy';
import { mismatch } from '../rl/golden/mismatch';
import { drawWeights, plainLogits, type PlainWeights } from './golden/plainModel';
import {
  clippedLoss,
  plainSgd,
  smallCohort,
  toSampleCalls,
  type PlainCall,
} from './golden/smallCohort';
import { createOptimizerState } from './optimizer';
import { createCohortModel, type CohortModel, type ReplicaState } from './replica';
import { sampleTurns } from './sampleTurns';
import { selectBackend } from './tfjsBackend';

beforeAll(() => selectBackend('cpu'));
beforeEach(() => tf.engine().startScope());
afterEach(() => tf.engine().endScope());

/** Four tokens: sixteen turns of two. */
const cohort: CohortSpec = { ...smallCohort, vocabularySize: 4 };
const { vocabularySize, maxActionTokens } = cohort;

/** Two replicas with different weights, whose logits are of order 1. */
function policyOf(model: CohortModel): {
  replicas: ReplicaState[];
  plainWeights: PlainWeights[];
} {
  const plainWeights = [21, 22].map((seed) => drawWeights(model.parameters, seed));
  const replicas = plainWeights.map((weights): ReplicaState => ({
    hyper: { seed: 0, optimizer: plainSgd, loss: clippedLoss },
    weights: model.parameters.map(({ name, shape }) => tf.tensor(weights.get(name)!, [...shape])),
    optimizer: createOptimizerState(plainSgd, 1),
    reference: null,
  }));
  return { replicas, plainWeights };
}

async function sampled(calls: readonly PlainCall[], greedy = false): Promise<SampledTurns> {
  const model = createCohortModel(cohort);
  return sampleTurns(model, policyOf(model).replicas, toSampleCalls(calls, greedy));
}

/** [V] by plain float64 loops; nats. */
function nextLogprobs(replica: number, context: readonly number[]): Float64Array {
  const weights = policyOf(createCohortModel(cohort)).plainWeights[replica]!;
  const logits = plainLogits(cohort.architecture, weights, context).at(-1)!;
  return logSoftmax(Float64Array.from(logits), vocabularySize);
}

const rowOf = (values: Int32Array | Float32Array, row: number): number[] => [
  ...values.subarray(row * maxActionTokens, (row + 1) * maxActionTokens),
];

/** Σ (observed − expected)² / expected */
function chiSquare(observed: readonly number[], expected: readonly number[]): number {
  return observed.reduce((sum, count, i) => sum + (count - expected[i]!) ** 2 / expected[i]!, 0);
}

const prompt = [2, 0, 3];
const manyCalls = (actionLength: number): PlainCall[] =>
  Array.from({ length: 4000 }, (_, noise) => ({ prompt, actionLength, noise }));

describe('4,000 noise keys', () => {
  test('draw the first token with the frequencies of the softmax', async () => {
    const { actionTokens } = await sampled(manyCalls(1));
    const observed = Array.from({ length: vocabularySize }, () => 0);
    for (let row = 0; row < 4000; row++) observed[rowOf(actionTokens, row)[0]!]! += 1;
    const expected = Array.from(nextLogprobs(0, prompt), (logprob) => 4000 * Math.exp(logprob));
    // Four cells, three degrees of freedom: χ² > 21.1 has probability 1e-4. Uniform draws would be far beyond.
    expect(chiSquare(observed, expected)).toBeLessThan(21.1);
    expect(chiSquare([1000, 1000, 1000, 1000], expected)).toBeGreaterThan(100);
  });

  test('draw pairs of tokens with the product of two softmaxes, the second after the first', async () => {
    const { actionTokens } = await sampled(manyCalls(2));
    const observed = Array.from({ length: vocabularySize ** 2 }, () => 0);
    for (let row = 0; row < 4000; row++) {
      const [first, second] = rowOf(actionTokens, row);
      observed[first! * vocabularySize + second!]! += 1;
    }
    const firsts = nextLogprobs(0, prompt);
    const expected = Array.from(firsts).flatMap((logprob, first) =>
      Array.from(nextLogprobs(0, [...prompt, first]), (next) => 4000 * Math.exp(logprob + next)),
    );
    // Sixteen cells, fifteen degrees of freedom: χ² > 44.3 has probability 1e-4; it needs five expected draws in each cell.
    expect(Math.min(...expected)).toBeGreaterThan(5);
    expect(chiSquare(observed, expected)).toBeLessThan(44.3);
  });
});

const someCalls: PlainCall[] = [
  { replica: 0, prompt: [1], actionLength: 3, noise: 1 },
  { replica: 1, prompt: [2, 0, 3], actionLength: 1, noise: 2 },
  { replica: 0, prompt: [2, 0, 3], actionLength: 2, noise: 3 },
  { replica: 1, prompt: [1], actionLength: 3, noise: 1 },
  { replica: 0, prompt: [2, 0, 3], actionLength: 2, noise: 4 },
  { replica: 0, prompt: [3, 3, 3, 1, 0], actionLength: 1, noise: 5 },
];

test('the recorded log-probabilities are those of the model on the prompt and the tokens written before', async () => {
  const { actionTokens, rolloutLogprobs } = await sampled(someCalls);
  for (const [row, call] of someCalls.entries()) {
    const tokens = rowOf(actionTokens, row).slice(0, call.actionLength);
    const expected = tokens.map((token, position) => {
      const context = [...call.prompt, ...tokens.slice(0, position)];
      return nextLogprobs(call.replica ?? 0, context)[token]!;
    });
    const recorded = rowOf(rolloutLogprobs, row).slice(0, call.actionLength);
    expect(mismatch(recorded, expected, 1e-5)).toBeNull();
  }
});

test('a row stops after its own action length; the rest is zero', async () => {
  const { actionTokens, rolloutLogprobs } = await sampled(someCalls);
  for (const [row, { actionLength }] of someCalls.entries()) {
    const rest = Array.from({ length: maxActionTokens - actionLength }, () => 0);
    expect(rowOf(actionTokens, row).slice(actionLength)).toEqual(rest);
    expect(rowOf(rolloutLogprobs, row).slice(actionLength)).toEqual(rest);
    // A log-probability of exactly 0 would be a certain token.
    expect(rowOf(rolloutLogprobs, row).slice(0, actionLength)).not.toContain(0);
  }
});

test('greedy turns take the most likely token each time, whatever the noise', async () => {
  const { actionTokens } = await sampled(someCalls, true);
  for (const [row, call] of someCalls.entries()) {
    const context = [...call.prompt];
    for (const token of rowOf(actionTokens, row).slice(0, call.actionLength)) {
      const logprobs = nextLogprobs(call.replica ?? 0, context);
      expect(token).toBe(logprobs.indexOf(Math.max(...logprobs)));
      context.push(token);
    }
  }
  const otherNoise = someCalls.map((call) => ({ ...call, noise: call.noise + 100 }));
  expect(await sampled(otherNoise, true)).toEqual(await sampled(someCalls, true));
});

test('a row’s result does not depend on the order or the company of the rows', async () => {
  const all = await sampled(someCalls);
  const rows = fc.shuffledSubarray([...someCalls.keys()], { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(rows, async (order) => {
      const some = await sampled(order.map((row) => someCalls[row]!));
      for (const [place, row] of order.entries()) {
        // Equal to the last bit: padding adds exact zeros, and each row has its own noise.
        expect(rowOf(some.actionTokens, place)).toEqual(rowOf(all.actionTokens, row));
        expect(rowOf(some.rolloutLogprobs, place)).toEqual(rowOf(all.rolloutLogprobs, row));
      }
    }),
    { numRuns: 20 },
  );
});

test('equal prompts with equal noise give equal turns, with other noise other turns', async () => {
  const calls = [7, 7, ...Array.from({ length: 20 }, (_, i) => 100 + i)].map(
    (noise): PlainCall => ({ prompt: [1], actionLength: 3, noise }),
  );
  const { actionTokens } = await sampled(calls);
  expect(rowOf(actionTokens, 1)).toEqual(rowOf(actionTokens, 0));
  const distinct = new Set(calls.map((_, row) => rowOf(actionTokens, row).join()));
  expect(distinct.size).toBeGreaterThan(5);
});

describe.each([
  ['every weight of the head NaN', () => NaN],
  // The logits of the other tokens stay finite.
  ['one token’s column NaN', (w: number, i: number) => (i % vocabularySize === 2 ? NaN : w)],
  ['one weight infinite', (w: number, i: number) => (i === 2 ? Infinity : w)],
])('a head with %s', (_name, spoil) => {
  test.each([true, false])('is an error that says what to do (greedy: %s)', async (greedy) => {
    const model = createCohortModel(cohort);
    const [healthy] = policyOf(model).replicas;
    const head = Float32Array.from(healthy!.weights.at(-1)!.dataSync<'float32'>(), spoil);
    const spoilt: ReplicaState = {
      ...healthy!,
      weights: [...healthy!.weights.slice(0, -1), tf.tensor(head, healthy!.weights.at(-1)!.shape)],
    };
    const calls = toSampleCalls([{ prompt: [1], actionLength: 1, noise: 1 }], greedy);
    await expect(sampleTurns(model, [spoilt], calls)).rejects.toThrow(
      'weights have diverged. Lower the learning rate',
    );
  });
});
