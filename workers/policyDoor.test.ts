import { expect, test } from 'vitest';
import { createPolicyByBackend } from '../src/agents/policyByBackend';
import { parameterSpecs, sizeOf } from '../src/agents/parameters';
import { eventsOf, rowsOf, stillEnvironment, tinySpec } from '../src/engine/testing/runInProcess';
import { maxTranscripts } from '../src/engine/transcripts';
import { createWorkflow } from '../src/envs/registry';
import { connectPolicy, exposePolicy } from './policyDoor';

/** A message as it crossed, in either direction. */
interface Crossing {
  readonly policyId: string;
  readonly message: unknown;
}

/** A policy behind a real message channel whose traffic is recorded. */
function recordedPolicy(policyId: string, crossings: Crossing[]) {
  const { port1, port2 } = new MessageChannel();
  exposePolicy(createPolicyByBackend({ now: () => 0, gpu: () => undefined }), port2);
  for (const port of [port1, port2])
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      crossings.push({ policyId, message: data });
    });
  const terminate = (): void => {
    port1.close();
    port2.close();
  };
  return { api: connectPolicy(port1), terminate };
}

/** Every typed array in a message, with the path to it. */
function arraysIn(value: unknown, path = ''): [string, ArrayBufferView][] {
  if (ArrayBuffer.isView(value)) return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => arraysIn(entry, `${path}.${key}`));
}

test('only tokens, masks, ids, keys, logprobs, advantages and statistics cross the door of a policy', async () => {
  const crossings: Crossing[] = [];
  const spec = tinySpec();
  const rows = rowsOf(
    await eventsOf(spec, {
      ...stillEnvironment,
      createPolicy: (policyId) => recordedPolicy(policyId, crossings),
    }),
  );
  expect(rows.length).toBeGreaterThan(0);
  const names = new Set(
    crossings.flatMap(({ message }) =>
      arraysIn(message).map(([path]) => path.slice(path.lastIndexOf('.') + 1)),
    ),
  );
  expect([...names].toSorted()).toEqual([
    'actionLengths',
    'actionTokens',
    'advantages',
    'agents',
    'learningRates',
    'lossFactors',
    'minibatches',
    'noiseKeys',
    'oldLogprobs',
    'promptLengths',
    'promptTokens',
    'replicas',
    'rolloutLogprobs',
    'weights',
  ]);
});

test('no float array that crosses is as long as a weight matrix or longer than one number per action token', async () => {
  const crossings: Crossing[] = [];
  const spec = tinySpec();
  await eventsOf(spec, {
    ...stillEnvironment,
    createPolicy: (policyId) => recordedPolicy(policyId, crossings),
  });
  const { groups, arms, seeds, warmStart } = spec;
  // Turns of all replicas in one message; every turn of the default world writes one token.
  const episodes = Math.max(groups.tasksPerIteration * groups.groupSize, warmStart.tasksPerStep);
  const mostTurns = arms.length * seeds.length * episodes * 4;
  const { architecture } = spec.policies['router']!;
  const numWeights = parameterSpecs(architecture, 30).reduce(
    (sum, { shape }) => sum + sizeOf(shape),
    0,
  );
  expect(numWeights).toBeGreaterThan(mostTurns);
  const floats = crossings
    .flatMap(({ message }) => arraysIn(message))
    .filter(([, array]) => array instanceof Float32Array || array instanceof Float64Array);
  expect(floats.length).toBeGreaterThan(0);
  expect(Math.max(...floats.map(([, array]) => array.byteLength / 4))).toBeLessThanOrEqual(
    mostTurns,
  );
});

test('a run through message ports gives the same rows as one in this thread', async () => {
  const direct = rowsOf(await eventsOf(tinySpec()));
  const through = rowsOf(
    await eventsOf(tinySpec(), {
      ...stillEnvironment,
      createPolicy: (policyId) => recordedPolicy(policyId, []),
    }),
  );
  expect(JSON.stringify(through)).toBe(JSON.stringify(direct));
});

test('of gradients that are measured on top only inner products and sums over tensors cross, and the rows are those of one thread', async () => {
  const crossings: Crossing[] = [];
  const diagnostics = {
    counterfactualNorms: true,
    gradientConflict: true,
    gradientConcentration: true,
    blame: 'gradNorm' as const,
    every: 1,
  };
  const spec = tinySpec({ iterations: 1, diagnostics });
  const through = rowsOf(
    await eventsOf(spec, {
      ...stillEnvironment,
      createPolicy: (policyId) => recordedPolicy(policyId, crossings),
    }),
  );
  expect(JSON.stringify(through)).toBe(JSON.stringify(rowsOf(await eventsOf(spec))));
  const { architecture } = spec.policies['router']!;
  const numTensors = parameterSpecs(architecture, 30).length;
  const told = crossings
    .flatMap(({ message }) => arraysIn(message))
    .filter(([path]) => /\.(products|tensorSquares)$/.test(path));
  expect(told.length).toBeGreaterThan(0);
  // Of a prompt's influence, one number a prompt token of the few episodes that are told: an array that is the message's value itself.
  const norms = crossings
    .flatMap(({ message }) => arraysIn(message))
    .filter(([path, array]) => path === '.value' && array instanceof Float32Array);
  expect(norms.length).toBeGreaterThan(0);
  const { maxPromptTokens, maxTurns } = createWorkflow(spec.environment).spec;
  for (const [, array] of norms)
    expect(array.byteLength / 4).toBeLessThanOrEqual(maxTranscripts * maxTurns * maxPromptTokens);
  // First and later turns of one agent in two halves: four segments at most.
  for (const [, array] of told)
    expect(array.byteLength / 8).toBeLessThanOrEqual(Math.max(4 * 4, 4 * numTensors));
});
