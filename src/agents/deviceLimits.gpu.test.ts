import { afterAll, beforeAll, expect, test } from 'vitest';
import { meterDevice, type DeviceCounts } from '../gpu/deviceMeter';
import { createPipelineCache, createPlan, type PipelineCache } from '../gpu/plan';
import { dawnDevice } from '../gpu/testing/dawnDevice';
import { createCompiledState, destroyCompiledState } from './compiledState';
import { smallCohort, toUpdateBatch } from './golden/smallCohort';
import { hyper, turnsOf } from './testing/contractTurns';
import { updateCompiled } from './compiledUpdate';

/** Shapes over the device's limits: refused before anything is allocated, and what was there goes on. */

let cache: PipelineCache;
let counts: () => DeviceCounts;
beforeAll(async () => {
  cache = createPipelineCache(await dawnDevice());
  counts = meterDevice(cache.device);
});
afterAll(() => cache.device.destroy());

const batch = () => toUpdateBatch(turnsOf(0, 1), 'policyGradient', [0.01, 0.01]);
const spec = { ...smallCohort, backend: 'webgpu' } as const;

test('a batch too large is refused with what would fit; the policy learns on from smaller ones', async () => {
  const state = createCompiledState(cache, spec, [hyper(1), hyper(2)], () => 0);
  await updateCompiled(state, batch());
  const before = counts();
  const huge = { numSequences: 20_000_000, length: 8, numSites: 9, numTurns: 9, actionWidth: 3 };
  expect(() => state.stage.reserve([huge])).toThrow(
    /^The GPU buffer "gate and up" would take 2\.560e\+4 MB, and this device allows .+ would fit: use fewer /,
  );
  expect(counts()).toEqual(before);
  const { agents } = await updateCompiled(state, batch());
  expect(agents).toHaveLength(1);
  destroyCompiledState(state);
});

test('more replicas than a buffer of weights holds are refused', () => {
  const limits = { maxBufferSize: 6000, maxStorageBufferBindingSize: 6000 };
  // 568 parameters of 4 bytes: two replicas fit.
  const device = new Proxy(cache.device, {
    get: (target, key) => (key === 'limits' ? limits : Reflect.get(target, key)),
  });
  const small: PipelineCache = { ...cache, device };
  const hypers = [hyper(1), hyper(2), hyper(3)];
  expect(() => createCompiledState(small, spec, hypers, () => 0)).toThrow(
    'Of the 3 replicas (arms × seeds) 2 would fit',
  );
});

test('a kernel of more workgroups than the device allows is refused by name', async () => {
  const source = '@compute @workgroup_size(1) fn main() {}';
  const call = { label: 'wide', source, constants: {}, buffers: [] };
  const limit = cache.device.limits.maxComputeWorkgroupsPerDimension;
  await expect(createPlan(cache, [{ ...call, workgroups: [1, limit + 1, 1] }])).rejects.toThrow(
    `The kernel "wide" would need 1 × ${limit + 1} × 1 workgroups`,
  );
});
