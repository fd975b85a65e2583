import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { meterDevice } from '../gpu/deviceMeter';
import { createPipelineCache } from '../gpu/plan';
import { dawnDevice, dawnGpu } from '../gpu/testing/dawnDevice';
import { recordDevices } from '../gpu/testing/recordDevices';
import { isDeviceLost } from '../protocol/deviceLost';
import type { CohortRequest, PolicyApi, ReplicaHyper } from '../protocol/policyApi';
import { smallCohort, toSampleCalls, toUpdateBatch, type PlainCall } from './golden/smallCohort';
import { compiledCheckpoint, restoreCompiled } from './compiledCheckpoint';
import { createCompiledPolicy } from './compiledPolicy';
import { createCompiledSampler } from './compiledSampler';
import { createCompiledState, destroyCompiledState } from './compiledState';
import { updateCompiled } from './compiledUpdate';
import { createPolicyByBackend } from './policyByBackend';
import { hyper, turnsOf } from './testing/contractTurns';

/** A policy whose device goes away, and one whose memory is watched. */

/** Dawn's GPU with its devices; it has no adapter while it is away. */
function recordedGpu() {
  const state = { isAway: false };
  const gpu = dawnGpu();
  const requestAdapter = gpu.requestAdapter.bind(gpu);
  gpu.requestAdapter = (options) =>
    state.isAway ? Promise.resolve(null) : requestAdapter(options);
  return { devices: recordDevices(gpu), state, gpu };
}

const onGpu: CohortRequest = { ...smallCohort, backend: 'webgpu' };
const replicas: readonly ReplicaHyper[] = [hyper(1), hyper(2)];
const rates = [0.02, 0.02];

const batch = (advantage: number) =>
  toUpdateBatch(
    [...turnsOf(0, 2, advantage), ...turnsOf(1, 1, advantage)],
    'policyGradient',
    rates,
  );

const calls = () =>
  toSampleCalls(
    Array.from({ length: 12 }, (_, noise): PlainCall => {
      const prompt = [noise % 7, (3 * noise) % 7];
      return { replica: noise % 2, prompt, actionLength: 3, noise };
    }),
  );

/** What an iteration is: sampled, learned, sampled again. */
async function iterate(policy: Pick<PolicyApi, 'sample' | 'update'>) {
  const before = await policy.sample(calls());
  const stats = await policy.update(batch(1));
  return { before, stats, after: await policy.sample(calls()) };
}

let source: ReturnType<typeof recordedGpu>;
let policy: PolicyApi;
beforeEach(() => {
  source = recordedGpu();
  policy = createPolicyByBackend({ now: () => 0, gpu: () => source.gpu });
});
afterEach(() => policy.dispose());

test('what it has done only grows, while calls of both kinds are under way', async () => {
  let ms = 0;
  const own = createPolicyByBackend({ now: () => (ms += 1), gpu: () => source.gpu });
  await own.create(onGpu, replicas);
  let before = await own.usage();
  for (let round = 0; round < 4; round++) {
    const underWay = [own.sample(calls()), own.update(batch(1)), own.sample(calls())];
    for (const call of underWay) {
      await call;
      const after = await own.usage();
      for (const key of ['sampleMs', 'updateMs', 'sampleHostMs', 'updateHostMs'] as const)
        expect(after[key]).toBeGreaterThanOrEqual(before[key]!);
      expect(after.sampleHostMs).toBeLessThanOrEqual(after.sampleMs);
      expect(after.updateHostMs).toBeLessThanOrEqual(after.updateMs);
      before = after;
    }
  }
  expect(before.numSubmits).toBeGreaterThan(0);
  expect(before.sampledTokens).toBe(8 * 36);
  await own.dispose();
});

describe('a device that is lost', () => {
  test('rejects what was under way; from the checkpoint a new device goes on, to the last bit', async () => {
    await policy.create(onGpu, replicas);
    await policy.update(batch(2));
    await policy.keepCheckpoint(0);
    const undisturbed = await iterate(policy);
    const underWay = policy.update(batch(-1));
    source.devices[0]!.destroy();
    await expect(underWay).rejects.toSatisfy(isDeviceLost);
    await expect(policy.sample(calls())).rejects.toThrow('The GPU device was lost');
    const info = await policy.restoreCheckpoint(0);
    expect(info.backend).toBe('webgpu');
    expect(source.devices).toHaveLength(2);
    expect(await iterate(policy)).toEqual(undisturbed);
  });

  test('and does not come back: the policy goes on without it, from the same weights', async () => {
    await policy.create(onGpu, replicas);
    await policy.update(batch(2));
    await policy.keepCheckpoint(0);
    const undisturbed = await iterate(policy);
    source.devices[0]!.destroy();
    source.state.isAway = true;
    const info = await policy.restoreCheckpoint(0);
    expect(['wasm', 'cpu']).toContain(info.backend);
    const without = await iterate(policy);
    expect(without.before.actionTokens).toEqual(undisturbed.before.actionTokens);
    for (const [index, { gradNorm }] of without.stats.agents.entries())
      expect(gradNorm / undisturbed.stats.agents[index]!.gradNorm).toBeCloseTo(1, 4);
    for (const [index, logprob] of without.after.rolloutLogprobs.entries())
      expect(Math.abs(logprob - undisturbed.after.rolloutLogprobs[index]!)).toBeLessThan(1e-4);
  });

  test('while the policy is made is an error, and nothing stays behind', async () => {
    source.state.isAway = true;
    await expect(policy.create(onGpu, replicas)).rejects.toThrow('no WebGPU adapter');
    await expect(policy.sample(calls())).rejects.toThrow('used before create()');
  });
});

test('a checkpoint that was never kept cannot be restored', async () => {
  await policy.create({ ...smallCohort, backend: 'cpu' }, replicas);
  await expect(policy.restoreCheckpoint(0)).rejects.toThrow(
    'There is no checkpoint 0: none was kept.',
  );
});

test('a cohort whose heads the kernels cannot read is refused with the numbers, and the device given back', async () => {
  const device = await dawnDevice();
  const compiled = createCompiledPolicy(
    () => Promise.resolve({ device, name: 'Dawn' }),
    () => 0,
  );
  const architecture = { ...smallCohort.architecture, numHeads: 4, numKeyValueHeads: 2 };
  await expect(
    compiled.create({ ...smallCohort, architecture, backend: 'webgpu' }, replicas),
  ).rejects.toThrow('heads of 2 numbers (width 8, 4 heads)');
  expect((await device.lost).reason).toBe('destroyed');
});

test('200 iterations leave buffers, their bytes and the kernels as they were', async () => {
  await policy.create(onGpu, replicas);
  const found: unknown[] = [];
  for (let iteration = 0; iteration < 200; iteration++) {
    await policy.keepCheckpoint(iteration);
    await iterate(policy);
    const { numBuffers, gpuBytes, numPipelines } = await policy.usage();
    if (iteration >= 1) found.push({ numBuffers, gpuBytes, numPipelines });
  }
  expect(new Set(found.map((counts) => JSON.stringify(counts))).size).toBe(1);
});

test('fifty cohorts made, used and destroyed leave no buffer behind', async () => {
  // One device for all of them: a device that is destroyed takes its buffers along, and would show no leak.
  const device = await dawnDevice();
  const cache = createPipelineCache(device);
  const counts = meterDevice(device);
  for (let cycle = 0; cycle < 50; cycle++) {
    const spec = { ...smallCohort, backend: 'webgpu' } as const;
    const state = createCompiledState(cache, spec, replicas, () => 0);
    const sampler = createCompiledSampler(state);
    await sampler.sample(calls());
    await updateCompiled(state, batch(1));
    restoreCompiled(state, await compiledCheckpoint(state));
    sampler.destroy();
    destroyCompiledState(state);
    // Plans are freed when the promise of each has settled.
    await device.queue.onSubmittedWorkDone();
    expect(counts()).toMatchObject({ numBuffers: 0, bytes: 0 });
  }
  device.destroy();
});
