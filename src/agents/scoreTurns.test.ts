import * as tf from '@tensorflow/tfjs-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type {
  AgentUpdateStats,
  ReplicaHyper,
  SampleCalls,
  SampledTurns,
  ScoreTurns,
  UpdateStats,
} from '../protocol/policyApi';
import {
  clippedLoss,
  plainSgd,
  smallCohort,
  toSampleCalls,
  toUpdateBatch,
} from './golden/smallCohort';
import { createTfjsPolicy } from './tfjsPolicy';

const hyper: ReplicaHyper = {
  seed: 1,
  optimizer: plainSgd,
  loss: { ...clippedLoss, refKlCoef: 0.1, refKlIn: 'reward' },
};
const calls = toSampleCalls([
  { prompt: [1, 2], actionLength: 3, noise: 0 },
  { prompt: [3], actionLength: 1, noise: 1, replica: 1 },
  { prompt: [1, 2], actionLength: 3, noise: 2 },
  { prompt: [4, 5, 6], actionLength: 2, noise: 3, replica: 1 },
  { prompt: [1, 2], actionLength: 3, noise: 0 },
]);

/** What was sampled, to be scored. */
function written(asked: SampleCalls, { actionTokens }: SampledTurns): ScoreTurns {
  const { replicas, promptTokens, promptLengths, promptWidth, actionLengths } = asked;
  const actionWidth = smallCohort.maxActionTokens;
  return {
    replicas,
    promptTokens,
    promptLengths,
    promptWidth,
    actionTokens,
    actionLengths,
    actionWidth,
  };
}

let policy = createTfjsPolicy();
beforeEach(async () => {
  policy = createTfjsPolicy();
  await policy.create(smallCohort, [hyper, { ...hyper, seed: 2 }]);
});
afterEach(() => policy.dispose());

const learn = (): Promise<UpdateStats> =>
  policy.update(
    toUpdateBatch(
      [{ prompt: [1, 2], action: [2], oldLogprobs: [-2], advantage: 1 }],
      'policyGradient',
      [0.5, 0.5],
    ),
  );

test('right after sampling the scores are what the sampler recorded, turn by turn, and 0 beyond a turn’s end', async () => {
  const sampled = await policy.sample(calls);
  const scores = await policy.score(written(calls, sampled), 'current');
  expect(scores).toHaveLength(sampled.rolloutLogprobs.length);
  for (const [cell, score] of scores.entries())
    expect(Math.abs(score - sampled.rolloutLogprobs[cell]!)).toBeLessThan(1e-5);
  expect([...scores.subarray(3, 6)].map((score) => score === 0)).toEqual([false, true, true]);
});

test('the reference stays where it was kept while the policy moves', async () => {
  const turns = written(calls, await policy.sample(calls));
  await policy.keepReference();
  const before = await policy.score(turns, 'current');
  expect(await policy.score(turns, 'reference')).toEqual(before);
  await learn();
  expect(await policy.score(turns, 'reference')).toEqual(before);
  expect(await policy.score(turns, 'current')).not.toEqual(before);
});

test('a reference that was never kept is an error, and scoring leaves no tensor behind', async () => {
  const turns = written(calls, await policy.sample(calls));
  const numTensors = tf.memory().numTensors;
  await expect(policy.score(turns, 'reference')).rejects.toThrow('no reference');
  expect(tf.memory().numTensors).toBe(numTensors);
  await policy.score(turns, 'current');
  expect(tf.memory().numTensors).toBe(numTensors);
});

test('weights that have diverged are an error, not a score', async () => {
  const turns = written(calls, await policy.sample(calls));
  const batch = toUpdateBatch(
    [{ prompt: [1, 2], action: [2], oldLogprobs: [-2], advantage: 1 }],
    'policyGradient',
    // A finite gradient times a learning rate beyond float32 makes every weight infinite or NaN.
    [1e39, 0],
  );
  await policy.keepReference();
  await policy.update(batch);
  await expect(policy.score(turns, 'current')).rejects.toThrow('weights have diverged');
});

test('the score of a turn does not depend on its padding, its order or its company', async () => {
  const turns = written(calls, await policy.sample(calls));
  const all = await policy.score(turns, 'current');
  const order = [3, 0, 4, 1];
  const extra = 2;
  const rows = (values: Int32Array, width: number, fill: number): Int32Array =>
    Int32Array.from(
      order.flatMap((row) => [
        ...values.subarray(row * width, (row + 1) * width),
        ...Array.from({ length: extra }, () => fill),
      ]),
    );
  const pick = (values: Int32Array): Int32Array => Int32Array.from(order, (row) => values[row]!);
  const { promptWidth, actionWidth } = turns;
  const width = actionWidth + extra;
  const some = await policy.score(
    {
      replicas: pick(turns.replicas),
      // Tokens beyond the lengths that nobody may read.
      promptTokens: rows(turns.promptTokens, promptWidth, 6),
      promptLengths: pick(turns.promptLengths),
      promptWidth: promptWidth + extra,
      actionTokens: rows(turns.actionTokens, actionWidth, 5),
      actionLengths: pick(turns.actionLengths),
      actionWidth: width,
    },
    'current',
  );
  for (const [place, row] of order.entries()) {
    const own = [...all.subarray(row * actionWidth, (row + 1) * actionWidth), 0, 0];
    expect([...some.subarray(place * width, (place + 1) * width)]).toEqual(own);
  }
});

async function statsUnder(refKlCoef: number): Promise<AgentUpdateStats> {
  const own = { ...hyper, loss: { ...hyper.loss, refKlCoef } };
  await policy.create(smallCohort, [own, own]);
  await policy.keepReference();
  await learn();
  const { agents } = await learn();
  return agents[0]!;
}

test('a KL penalty in the reward is measured in the loss, and has no part in it', async () => {
  const [weak, strong] = [await statsUnder(0.01), await statsUnder(10)];
  expect(weak.refKl).toBeGreaterThan(0);
  expect(strong.refKl).toBe(weak.refKl);
  expect(strong.gradNorm).toBe(weak.gradNorm);
});
