import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { meterDevice, type DeviceCounts } from '../gpu/deviceMeter';
import { createPipelineCache, type PipelineCache } from '../gpu/plan';
import { dawnDevice } from '../gpu/testing/dawnDevice';
import { calibrateSampler } from './calibrateSampler';
import { createCompiledSampler, type Decoding } from './compiledSampler';
import { destroyCompiledState } from './compiledState';
import { cohortOf, drawnCalls, drawnState } from './testing/samplerCases';

/** What sampling asks of the device: nothing new in a steady state, and all of it given back. */

const paths: Record<string, Decoding> = {
  batched: { kind: 'batched' },
  persistent: { kind: 'persistent', tokensPerDispatch: 2 },
};

let cache: PipelineCache;
let counts: () => DeviceCounts;
let before: DeviceCounts;
let numMaps: number;

/** Counts read-backs from now on. */
function watchMaps(device: GPUDevice): void {
  const createBuffer = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = createBuffer(descriptor);
    const map = buffer.mapAsync.bind(buffer);
    buffer.mapAsync = (...range) => {
      numMaps++;
      return map(...range);
    };
    return buffer;
  };
}

function restart(): void {
  numMaps = 0;
  before = counts();
}

/** Since the restart. */
function made() {
  const after = counts();
  return {
    buffers: after.numBuffersMade - before.numBuffersMade,
    bindGroups: after.numBindGroups - before.numBindGroups,
    submits: after.numSubmits - before.numSubmits,
    dispatches: after.numDispatches - before.numDispatches,
    maps: numMaps,
  };
}

beforeAll(async () => {
  cache = createPipelineCache(await dawnDevice());
  watchMaps(cache.device);
  counts = meterDevice(cache.device);
});
beforeEach(restart);
afterAll(() => cache.device.destroy());

const cohort = cohortOf({ numLayers: 2 });
const batch = (numCalls: number, numReplicas = 3) =>
  drawnCalls({ numCalls, numReplicas, longestPrompt: 5 });

/**
 * Dispatches of a layer, whether of a pass or of one token: two norms, queries, keys and values together, turning them, attention, its output,
 * gate, up (apart: the inner width of 10 is no multiple of 4), their product, and down. A pass has an embedding, a norm and the head besides.
 */
const numLayerSteps = 10;
const numForward = 3 + 2 * numLayerSteps;

describe.each(Object.entries(paths))('%s', (name, decoding) => {
  test('a repeated turn makes nothing, submits once and reads back once', async () => {
    const state = drawnState(cache, cohort, 3);
    const sampler = createCompiledSampler(state, decoding);
    // Two shapes: the larger first, so that the smaller fits into its memory.
    const shapes = [batch(60), batch(20)];
    for (const calls of shapes) await sampler.sample(calls);
    restart();
    for (const calls of shapes) await sampler.sample(calls);
    // A pass over the prompts; then the first token and, for each of the three others, an embedding, two layers, a norm,
    // the head and a draw; or a copy a layer, and a dispatch for two tokens.
    const own = name === 'batched' ? 1 + 3 * (4 + 2 * numLayerSteps) : 2 + 2;
    expect(made()).toEqual({
      buffers: 0,
      bindGroups: 0,
      submits: 2,
      maps: 2,
      dispatches: 2 * (numForward + own),
    });
    sampler.destroy();
    destroyCompiledState(state);
  });

  test('the number of dispatches does not depend on replicas and rows', async () => {
    const found: number[] = [];
    for (const numReplicas of [1, 3]) {
      const state = drawnState(cache, cohort, numReplicas);
      const sampler = createCompiledSampler(state, decoding);
      restart();
      await sampler.sample(batch(20 * numReplicas, numReplicas));
      found.push(made().dispatches);
      sampler.destroy();
      destroyCompiledState(state);
    }
    expect(found[1]).toBe(found[0]);
  });

  test('new shapes compile nothing', async () => {
    const state = drawnState(cache, cohort, 3);
    const sampler = createCompiledSampler(state, decoding);
    await sampler.sample(batch(9));
    const compiled = cache.size();
    for (const numCalls of [2, 70, 31]) await sampler.sample(batch(numCalls));
    await sampler.sample(drawnCalls({ numCalls: 17, numReplicas: 3, longestPrompt: 40 }));
    expect(cache.size()).toBe(compiled);
    sampler.destroy();
    destroyCompiledState(state);
  });

  test('fifty samplers made and destroyed leave as many buffers as there were', async () => {
    const state = drawnState(cache, cohort, 3);
    const found: number[] = [];
    for (let cycle = 0; cycle < 50; cycle++) {
      const sampler = createCompiledSampler(state, decoding);
      await sampler.sample(batch(12));
      sampler.destroy();
      // Plans are freed when the promise of each has settled.
      await cache.device.queue.onSubmittedWorkDone();
      found.push(counts().numBuffers);
    }
    expect(new Set(found)).toEqual(new Set([found[0]]));
    destroyCompiledState(state);
    await cache.device.queue.onSubmittedWorkDone();
    expect(counts().numBuffers).toBe(0);
  });

  test('the plans of more shapes than are kept do not pile up', async () => {
    const state = drawnState(cache, cohort, 1);
    const sampler = createCompiledSampler(state, decoding);
    // The largest first: no shape after it needs more room.
    const lengths = Array.from({ length: 43 }, (_, shorter) => 44 - shorter);
    const found: number[] = [];
    for (const length of lengths) {
      const calls = drawnCalls({ numCalls: 12, numReplicas: 1, longestPrompt: 1 });
      const promptTokens = new Int32Array(12 * length);
      const promptLengths = new Int32Array(12).fill(length);
      await sampler.sample({ ...calls, promptTokens, promptLengths, promptWidth: length });
      found.push(counts().numBuffers);
    }
    // Forward plans are kept, one a shape; of decode plans, 32.
    expect(found[40]! - found[39]!).toBe(1);
    expect(found[10]! - found[9]!).toBe(2);
    sampler.destroy();
    destroyCompiledState(state);
  });
});

describe('the calibration', () => {
  test('names the path that took less time by the clock it was given', async () => {
    const state = drawnState(cache, cohort, 3);
    for (const faster of ['batched', 'persistent']) {
      let now = 0;
      const dispatchesBefore = { start: 0 };
      // A clock of dispatches: the batched path has more of them, or, turned around, gains time by each.
      const clock = (): number => {
        now +=
          faster === 'persistent'
            ? made().dispatches - dispatchesBefore.start
            : 1000 / (1 + made().dispatches - dispatchesBefore.start);
        dispatchesBefore.start = made().dispatches;
        return now;
      };
      const times = await calibrateSampler(state, batch(24), clock);
      expect(times.fastest.kind).toBe(faster);
      expect(times.persistentMs! < times.batchedMs).toBe(faster === 'persistent');
    }
    destroyCompiledState(state);
  });

  test('leaves the persistent path alone where it does not fit', async () => {
    const wide = { ...cohort, vocabularySize: 4096 };
    const state = drawnState(cache, wide, 1);
    let now = 0;
    const times = await calibrateSampler(state, batch(5, 1), () => now++);
    expect(times).toEqual({ batchedMs: 1, persistentMs: null, fastest: { kind: 'batched' } });
    destroyCompiledState(state);
  });

  test('refuses to time nothing', async () => {
    const state = drawnState(cache, cohort, 3);
    await expect(calibrateSampler(state, batch(0), () => 0)).rejects.toThrow(RangeError);
    destroyCompiledState(state);
  });
});
