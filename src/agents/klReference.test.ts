import * as tf from '@tensorflow/tfjs-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentUpdateStats, ReplicaHyper } from '../protocol/policyApi';
import {
  clippedLoss,
  plainSgd,
  smallCohort,
  toUpdateBatch,
  type PlainTurn,
} from './golden/smallCohort';
import { createTfjsPolicy } from './tfjsPolicy';

/** The parts of an update beside the loss itself: a frozen reference, and several minibatches. */

const logprob = Math.log(1 / smallCohort.vocabularySize);
const turns: readonly PlainTurn[] = [
  { prompt: [1, 2], action: [2], oldLogprobs: [logprob], advantage: 1 },
  { prompt: [3], action: [3, 4], oldLogprobs: [logprob, logprob], advantage: -1, minibatch: 1 },
];
const inOneBatch = turns.map((turn) => Object.assign({}, turn, { minibatch: 0 }));
const hyper = (changes: Partial<typeof clippedLoss>): ReplicaHyper => ({
  seed: 1,
  optimizer: plainSgd,
  loss: { ...clippedLoss, ...changes },
});

let policy = createTfjsPolicy();
beforeEach(() => {
  policy = createTfjsPolicy();
});
afterEach(() => policy.dispose());

async function update(some: readonly PlainTurn[]): Promise<AgentUpdateStats> {
  const { agents } = await policy.update(toUpdateBatch(some, 'policyGradient', [0.5]));
  return agents[0]!;
}

/** KL to the reference after some updates under a penalty. */
async function drift(refKlCoef: number): Promise<number> {
  await policy.create(smallCohort, [hyper({ refKlCoef })]);
  await policy.keepReference();
  let last = await update(turns);
  for (let step = 0; step < 8; step++) last = await update(turns);
  return last.refKl!;
}

/** Gradient norms of one update after another, from the initial weights. */
async function norms(batches: readonly (readonly PlainTurn[])[]): Promise<number[]> {
  await policy.create(smallCohort, [hyper({})]);
  const all = [];
  for (const batch of batches) all.push((await update(batch)).gradNorm);
  return all;
}

test('the KL to the reference is 0 right after it was kept, and grows as the policy moves', async () => {
  await policy.create(smallCohort, [hyper({ refKlCoef: 0.01 })]);
  await policy.keepReference();
  const first = await update(inOneBatch);
  expect(first.refKl).toBeCloseTo(0, 6);
  await update(inOneBatch);
  expect((await update(inOneBatch)).refKl).toBeGreaterThan(1e-4);
  // Kept anew, the present policy is the reference.
  await policy.keepReference();
  expect((await update(inOneBatch)).refKl).toBeCloseTo(0, 6);
});

test('a strong penalty holds the policy nearer to the reference than none does', async () => {
  expect(await drift(2)).toBeLessThan(0.5 * (await drift(1e-6)));
});

test('without a penalty nothing is measured, and a penalty without a reference is an error', async () => {
  await policy.create(smallCohort, [hyper({})]);
  await policy.keepReference();
  expect((await update(turns)).refKl).toBeNull();
  await policy.create(smallCohort, [hyper({ refKlCoef: 0.1 })]);
  await expect(update(turns)).rejects.toThrow('keepReference() was never called');
});

test('references do not leak, kept twice or disposed', async () => {
  const before = tf.memory().numTensors;
  await policy.create(smallCohort, [hyper({ refKlCoef: 0.1 })]);
  await policy.keepReference();
  await update(turns);
  const after = tf.memory().numTensors;
  await policy.keepReference();
  await update(turns);
  expect(tf.memory().numTensors).toBe(after);
  await policy.dispose();
  expect(tf.memory().numTensors).toBe(before);
});

test('two minibatches are two steps, as two updates of one each', async () => {
  const [first = NaN, second = NaN] = await norms([[turns[0]!], [turns[1]!]]);
  const [together] = await norms([turns]);
  expect(together).toBeCloseTo((first + second) / 2, 6);
});
