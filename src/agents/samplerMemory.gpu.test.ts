import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
/** Things made on the device, by kind; submits; read-backs. */
let made: Record<'buffers' | 'bindGroups' | 'submits' | 'maps' | 'dispatches', number>;
const alive = new Set<GPUBuffer>();

/** Counts from now on. */
function watch(device: GPUDevice): void {
  const createBuffer = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = createBuffer(descriptor);
    const [destroy, map] = [buffer.destroy.bind(buffer), buffer.mapAsync.bind(buffer)];
    made.buffers++;
    alive.add(buffer);
    buffer.destroy = () => {
      alive.delete(buffer);
      return destroy();
    };
    buffer.mapAsync = (...range) => {
      made.maps++;
      return map(...range);
    };
    return buffer;
  };
  const createBindGroup = device.createBindGroup.bind(device);
  device.createBindGroup = (descriptor) => {
    made.bindGroups++;
    return createBindGroup(descriptor);
  };
  const submit = device.queue.submit.bind(device.queue);
  device.queue.submit = (commands) => {
    made.submits++;
    return submit(commands);
  };
  const createEncoder = device.createCommandEncoder.bind(device);
  device.createCommandEncoder = (descriptor) => {
    const encoder = createEncoder(descriptor);
    const begin = encoder.beginComputePass.bind(encoder);
    encoder.beginComputePass = (own) => {
      const pass = begin(own);
      const dispatch = pass.dispatchWorkgroups.bind(pass);
      pass.dispatchWorkgroups = (x, y, z) => {
        made.dispatches++;
        return dispatch(x, y, z);
      };
      return pass;
    };
    return encoder;
  };
}

const nothing = { buffers: 0, bindGroups: 0, submits: 0, maps: 0, dispatches: 0 };
beforeAll(async () => {
  made = { ...nothing };
  cache = createPipelineCache(await dawnDevice());
  watch(cache.device);
});
beforeEach(() => {
  made = { ...nothing };
});
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
    made = { ...nothing };
    for (const calls of shapes) await sampler.sample(calls);
    // A pass over the prompts; then the first token and, for each of the three others, an embedding, two layers, a norm,
    // the head and a draw; or a copy a layer, and a dispatch for two tokens.
    const own = name === 'batched' ? 1 + 3 * (4 + 2 * numLayerSteps) : 2 + 2;
    expect(made).toEqual({
      ...nothing,
      submits: 2,
      maps: 2,
      dispatches: 2 * (numForward + own),
    });
    sampler.destroy();
    destroyCompiledState(state);
  });

  test('the number of dispatches does not depend on replicas and rows', async () => {
    const counts: number[] = [];
    for (const numReplicas of [1, 3]) {
      const state = drawnState(cache, cohort, numReplicas);
      const sampler = createCompiledSampler(state, decoding);
      made = { ...nothing };
      await sampler.sample(batch(20 * numReplicas, numReplicas));
      counts.push(made.dispatches);
      sampler.destroy();
      destroyCompiledState(state);
    }
    expect(counts[1]).toBe(counts[0]);
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
    const counts: number[] = [];
    for (let cycle = 0; cycle < 50; cycle++) {
      const sampler = createCompiledSampler(state, decoding);
      await sampler.sample(batch(12));
      sampler.destroy();
      // Plans are freed when the promise of each has settled.
      await cache.device.queue.onSubmittedWorkDone();
      counts.push(alive.size);
    }
    expect(new Set(counts)).toEqual(new Set([counts[0]]));
    destroyCompiledState(state);
    await cache.device.queue.onSubmittedWorkDone();
    expect(alive.size).toBe(0);
  });

  test('the plans of more shapes than are kept do not pile up', async () => {
    const state = drawnState(cache, cohort, 1);
    const sampler = createCompiledSampler(state, decoding);
    // The largest first: no shape after it needs more room.
    const lengths = Array.from({ length: 43 }, (_, shorter) => 44 - shorter);
    const counts: number[] = [];
    for (const length of lengths) {
      const calls = drawnCalls({ numCalls: 12, numReplicas: 1, longestPrompt: 1 });
      const promptTokens = new Int32Array(12 * length);
      const promptLengths = new Int32Array(12).fill(length);
      await sampler.sample({ ...calls, promptTokens, promptLengths, promptWidth: length });
      counts.push(alive.size);
    }
    // Forward plans are kept, one a shape; of decode plans, 32.
    expect(counts[40]! - counts[39]!).toBe(1);
    expect(counts[10]! - counts[9]!).toBe(2);
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
            ? made.dispatches - dispatchesBefore.start
            : 1000 / (1 + made.dispatches - dispatchesBefore.start);
        dispatchesBefore.start = made.dispatches;
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
