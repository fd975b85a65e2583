import { expect, test } from 'vitest';
import { defaultLosses } from '../config/defaults';
import type { DeviceCounts } from '../gpu/deviceMeter';
import type { PolicyApi, PolicyInfo, UpdateBatch } from '../protocol/policyApi';
import { plainSgd, smallCohort, toSampleCalls, toUpdateBatch } from './golden/smallCohort';
import { meteredPolicy } from './meteredPolicy';
import type { DeviceUsage } from './policyEngine';

/** Counts of tokens and time, against a clock and a device of the test. */

interface Call {
  readonly finish: () => void;
  readonly fail: (reason: Error) => void;
}

const info: PolicyInfo = {
  backend: 'cpu',
  device: 'none',
  numParameters: 0,
  selfTest: null,
  compared: [],
  decoding: null,
};

/** A policy whose calls end when the test says so. */
function heldPolicy() {
  const open: Call[] = [];
  const held = <T>(value: T): Promise<T> =>
    new Promise((resolve, reject) => {
      open.push({ finish: () => resolve(value), fail: reject });
    });
  const policy: Omit<PolicyApi, 'usage'> = {
    create: () => Promise.resolve(info),
    keepCheckpoint: () => Promise.resolve(),
    restoreCheckpoint: () => Promise.resolve(info),
    sample: () => held({ actionTokens: new Int32Array(), rolloutLogprobs: new Float32Array() }),
    update: () => held({ agents: [] }),
    segmentGradients: () => held([]),
    promptInfluence: () => held(new Float32Array()),
    score: () => held(new Float32Array()),
    setHypers: () => Promise.resolve(),
    keepReference: () => Promise.resolve(),
    dispose: () => Promise.resolve(),
  };
  return { policy, open };
}

const hyper = (numUpdateEpochs: number) => ({
  seed: 0,
  optimizer: plainSgd,
  loss: { ...defaultLosses.clip, numUpdateEpochs },
});

const calls = () =>
  toSampleCalls([
    { prompt: [1, 2], actionLength: 3, noise: 0 },
    { prompt: [1], actionLength: 1, noise: 1 },
  ]);

/** Five tokens of replica 0, three of replica 1. */
const batch = (objective: UpdateBatch['objective']) =>
  toUpdateBatch(
    [
      { replica: 0, prompt: [1, 2, 3], action: [4, 5], oldLogprobs: [0, 0], advantage: 1 },
      { replica: 1, prompt: [1], action: [4, 5], oldLogprobs: [0, 0], advantage: 1 },
    ],
    objective,
    [0.1, 0.1],
  );

const counts: DeviceCounts = {
  numDispatches: 7,
  numSubmits: 2,
  numBindGroups: 5,
  numPipelines: 3,
  numBuffersMade: 9,
  numBuffers: 4,
  bytes: 1024,
};

function metered(device: DeviceUsage | null = null) {
  const { policy, open } = heldPolicy();
  const clock = { ms: 0 };
  const api = meteredPolicy(
    policy,
    () => device,
    () => clock.ms,
  );
  return { api, open, clock };
}

test('tokens drawn are those asked for; tokens learned from count once a pass', async () => {
  const { api, open } = metered();
  await api.create(smallCohort, [hyper(1), hyper(4)]);
  const sampled = api.sample(calls());
  open.shift()!.finish();
  await sampled;
  for (const objective of ['policyGradient', 'supervised'] as const) {
    const updated = api.update(batch(objective));
    open.shift()!.finish();
    await updated;
  }
  const usage = await api.usage();
  expect(usage.sampledTokens).toBe(4);
  // 5 × 1 + 3 × 4 of the policy gradient, 5 + 3 of the supervised step.
  expect(usage.trainedTokens).toBe(17 + 8);
});

test('time with several calls under way counts once, and time without any not at all', async () => {
  const { api, open, clock } = metered();
  await api.create(smallCohort, [hyper(1)]);
  clock.ms = 100;
  const first = api.sample(calls());
  clock.ms = 110;
  const second = api.sample(calls());
  clock.ms = 130;
  open[0]!.finish();
  await first;
  clock.ms = 150;
  open[1]!.finish();
  await second;
  clock.ms = 1000;
  const third = api.sample(calls());
  clock.ms = 1005;
  open[2]!.finish();
  await third;
  clock.ms = 5000;
  expect(await api.usage()).toMatchObject({ sampleMs: 55, updateMs: 0 });
});

test('a call under way is counted up to now', async () => {
  const { api, open, clock } = metered();
  await api.create(smallCohort, [hyper(1)]);
  clock.ms = 10;
  const sampled = api.sample(calls());
  clock.ms = 25;
  expect(await api.usage()).toMatchObject({ sampleMs: 15, sampledTokens: 0 });
  clock.ms = 40;
  open[0]!.finish();
  await sampled;
  expect(await api.usage()).toMatchObject({ sampleMs: 30, sampledTokens: 4 });
});

test('a call that fails took its time and gave no tokens', async () => {
  const { api, open, clock } = metered();
  await api.create(smallCohort, [hyper(1)]);
  const sampled = api.sample(calls());
  clock.ms = 8;
  open[0]!.fail(new Error('lost'));
  await expect(sampled).rejects.toThrow('lost');
  clock.ms = 80;
  expect(await api.usage()).toMatchObject({ sampleMs: 8, sampledTokens: 0 });
});

test('off the GPU, what is of the device is null', async () => {
  const { api } = metered();
  await api.create(smallCohort, [hyper(1)]);
  expect(await api.usage()).toMatchObject({
    sampleHostMs: null,
    updateHostMs: null,
    sampleDeviceMs: null,
    updateDeviceMs: null,
    numDispatches: null,
    numSubmits: null,
    gpuBytes: null,
    numBuffers: null,
    numPipelines: null,
  });
});

test('on a GPU, the counts are those of the device', async () => {
  const { api } = metered({
    counts: () => counts,
    hostMs: () => ({ sample: 8, update: 5 }),
    deviceMs: () => ({ sample: 20, update: null }),
  });
  await api.create(smallCohort, [hyper(1)]);
  expect(await api.usage()).toMatchObject({
    sampleHostMs: 8,
    updateHostMs: 5,
    sampleDeviceMs: 20,
    updateDeviceMs: null,
    numDispatches: 7,
    numSubmits: 2,
    gpuBytes: 1024,
    numBuffers: 4,
    numPipelines: 3,
  });
});

test('create() begins anew', async () => {
  const { api, open, clock } = metered();
  await api.create(smallCohort, [hyper(1)]);
  const sampled = api.sample(calls());
  clock.ms = 5;
  open[0]!.finish();
  await sampled;
  await api.create(smallCohort, [hyper(1)]);
  expect(await api.usage()).toMatchObject({ sampledTokens: 0, sampleMs: 0 });
});
