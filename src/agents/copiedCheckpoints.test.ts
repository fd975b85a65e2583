import { expect, test } from 'vitest';
import type { CriticApi } from '../protocol/criticApi';
import type { PolicyApi } from '../protocol/policyApi';
import { clippedLoss, smallCohort, toUpdateBatch } from './golden/smallCohort';
import { createPolicyByBackend } from './policyByBackend';
import { adamw } from './testing/contractTurns';
import { createTfjsCritic } from './tfjsCritic';

/** Checkpoints that leave a policy or critic, and come back to another one. */

const loss = { ...clippedLoss, refKlCoef: 0.5 };
const hypers = [1, 2].map((seed) => ({ seed, optimizer: adamw, loss }));

async function newPolicy(): Promise<PolicyApi> {
  const policy = createPolicyByBackend({ now: () => 0, gpu: () => undefined });
  await policy.create({ ...smallCohort, backend: 'cpu' }, hypers);
  return policy;
}

const turn = { prompt: [1, 2], action: [2], oldLogprobs: [-2], advantage: 1 };
const batch = () => toUpdateBatch([turn, { ...turn, replica: 1 }], 'policyGradient', [0.1, 0.1]);

/** Arrays as a transfer leaves them. */
function overwrite(numbers: object): void {
  for (const values of Object.values(numbers))
    if (values instanceof Float32Array) values.fill(77);
}

test('a copy of a policy’s checkpoint is its own, and another policy goes on from it', async () => {
  const policy = await newPolicy();
  await policy.update(batch());
  await policy.keepReference();
  await policy.update(batch());
  await policy.keepCheckpoint(3);
  const copy = await policy.copyCheckpoint(3);
  expect([...copy.counts]).toEqual([2, 2]);
  expect(copy.reference).not.toEqual(copy.weights);
  const given = structuredClone(copy);
  const other = await newPolicy();
  await other.putCheckpoint(0, structuredClone(copy));
  await other.restoreCheckpoint(0);
  overwrite(copy);
  expect(await policy.copyCheckpoint(3)).toEqual(given);
  // Both take the same step, whose penalty compares with the reference.
  expect(await other.update(batch())).toEqual(await policy.update(batch()));
  await Promise.all([policy.keepCheckpoint(4), other.keepCheckpoint(4)]);
  expect(await other.copyCheckpoint(4)).toEqual(await policy.copyCheckpoint(4));
  await expect(policy.copyCheckpoint(9)).rejects.toThrow('There is no checkpoint 9');
  await Promise.all([policy.dispose(), other.dispose()]);
});

async function newCritic(): Promise<CriticApi> {
  const critic = createTfjsCritic();
  const { architecture, vocabularySize } = smallCohort;
  const hyper = { learningRate: 0.02, numEpochs: 1, valueClip: null };
  await critic.create({ architecture, vocabularySize, maxLength: 4, backend: 'cpu' }, [
    { ...hyper, seed: 1 },
    { ...hyper, seed: 2 },
  ]);
  return critic;
}

const inputs = () => ({
  replicas: Int32Array.of(0, 1),
  steps: Int32Array.of(0, 1),
  numSteps: 2,
  tokens: Int32Array.of(1, 2, 3, 4),
  lengths: Int32Array.of(2, 2),
  width: 2,
});
const targets = () => ({ oldValues: new Float32Array(2), returns: Float32Array.of(1, -1) });

test('a copy of a critic’s checkpoint is its own, and another critic goes on from it', async () => {
  const critic = await newCritic();
  await critic.update(inputs(), targets());
  await critic.keepCheckpoint(3);
  const copy = await critic.copyCheckpoint(3);
  expect([...copy.counts]).toEqual([1, 1]);
  expect(copy.moments1).not.toEqual(copy.moments2);
  const given = structuredClone(copy);
  const other = await newCritic();
  await other.putCheckpoint(0, structuredClone(copy));
  await other.restoreCheckpoint(0);
  overwrite(copy);
  expect(await critic.copyCheckpoint(3)).toEqual(given);
  await Promise.all([critic.update(inputs(), targets()), other.update(inputs(), targets())]);
  expect(await other.values(inputs())).toEqual(await critic.values(inputs()));
  await expect(critic.copyCheckpoint(9)).rejects.toThrow('There is no checkpoint 9');
  await Promise.all([critic.dispose(), other.dispose()]);
});
