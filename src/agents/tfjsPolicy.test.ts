import * as tf from '@tensorflow/tfjs-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clippedLoss, plainSgd, smallCohort, toUpdateBatch } from './golden/smallCohort';
import { hyper, probe, turnsOf } from './testing/contractTurns';
import { influencedTurns, toScoreTurns } from './testing/influenceContract';
import { policyContract } from './testing/policyContract';
import { createTfjsPolicy } from './tfjsPolicy';

policyContract(createTfjsPolicy);

let policy = createTfjsPolicy();
beforeEach(() => {
  policy = createTfjsPolicy();
});
afterEach(() => policy.dispose());

describe('tensors', () => {
  test('are as many after ten updates and samples as after two, and none are left after dispose', async () => {
    const atStart = tf.memory().numTensors;
    const hypers = [hyper(1, { loss: { ...clippedLoss, numUpdateEpochs: 2 } }), hyper(2)];
    await policy.create(smallCohort, hypers);
    const counts: number[] = [];
    for (let iteration = 0; iteration < 10; iteration++) {
      await probe(policy, 1);
      const turns = [...turnsOf(0, 2), ...turnsOf(1, 1)];
      await policy.update(toUpdateBatch(turns, 'policyGradient', [0.01, 0.01]));
      await policy.update(toUpdateBatch(turnsOf(1, 2), 'supervised', [0.01, 0.01]));
      await policy.promptInfluence(toScoreTurns(influencedTurns));
      counts.push(tf.memory().numTensors);
    }
    expect(counts[9]).toBe(counts[1]);
    expect(counts[9]).toBeGreaterThan(atStart);
    await policy.dispose();
    expect(tf.memory().numTensors).toBe(atStart);
  });

  test('of the first cohort are freed by a second create', async () => {
    const atStart = tf.memory().numTensors;
    await policy.create(smallCohort, [hyper(1)]);
    const once = tf.memory().numTensors;
    await policy.create(smallCohort, [hyper(1)]);
    expect(tf.memory().numTensors).toBe(once);
    await policy.dispose();
    await policy.dispose();
    expect(tf.memory().numTensors).toBe(atStart);
  });

  test('are freed when sampling fails', async () => {
    await policy.create(smallCohort, [hyper(1, { optimizer: plainSgd })]);
    // A finite gradient times a learning rate beyond float32 makes every weight infinite or NaN.
    await policy.update(toUpdateBatch(turnsOf(0, 1), 'policyGradient', [1e39]));
    const before = tf.memory().numTensors;
    await expect(probe(policy, 0)).rejects.toThrow('weights have diverged');
    expect(tf.memory().numTensors).toBe(before);
  });
});

test('a create that fails leaves the policy as before create', async () => {
  await policy.create(smallCohort, [hyper(1)]);
  // Node has no WebGPU.
  await expect(policy.create({ ...smallCohort, backend: 'webgpu' }, [hyper(1)])).rejects.toThrow(
    Error,
  );
  await expect(async () => probe(policy, 0)).rejects.toThrow('used before create()');
  await policy.create(smallCohort, [hyper(1)]);
  await expect(probe(policy, 0)).resolves.toHaveLength(24);
});

test('create says what it made: backend, device, number of parameters, no self-test on cpu', async () => {
  const info = await policy.create(smallCohort, [hyper(1)]);
  // Width 8, two heads of 4, one key head, inner 10, seven tokens: two embeddings, q and o, k and v, three inner, three gains.
  const numParameters = 2 * 7 * 8 + 2 * 8 * 8 + 2 * 8 * 4 + 3 * 8 * 10 + 3 * 8;
  expect(info).toEqual({
    backend: 'cpu',
    device: info.device,
    numParameters,
    selfTest: null,
    compared: [],
    decoding: null,
  });
  expect(info.device).toContain('cpu');
});
