import { describe, expect, test } from 'vitest';
import type { ComputeBackend } from '../config/experimentSpec';
import type { CohortLoad } from '../protocol/policyApi';
import { chooseEngine, openFirst, type Candidate } from './engineChoice';
import { batchOf, callsOf } from './engineLoad';
import { smallCohort, toUpdateBatch } from './golden/smallCohort';
import type { PolicyCheckpoint, PolicyEngine } from './policyEngine';
import { hyper, turnsOf } from './testing/contractTurns';
import { createTfjsPolicy } from './tfjsPolicy';

/** The choice of an engine by its times, with engines whose time is set by the test. */

interface Made {
  readonly backend: ComputeBackend;
  /** What was called, in order. */
  readonly log: string[];
}

const clock = { ms: 0 };
const now = (): number => clock.ms;

const none = new Float32Array();
const emptyCheckpoint: PolicyCheckpoint = {
  weights: none,
  moments1: none,
  moments2: none,
  counts: none,
  corrections: none,
  reference: null,
};

/** An engine of which the first call is slow, as one that compiles. */
function fakeEngine(
  backend: ComputeBackend,
  { sampleMs, updateMs, failure }: { sampleMs: number; updateMs: number; failure?: string },
  made: Made[],
): Candidate {
  const take = (own: Made, call: string, ms: number): void => {
    clock.ms += own.log.includes(call) ? ms : 10_000;
    own.log.push(call);
  };
  const make = (): PolicyEngine => {
    const own: Made = { backend, log: [] };
    made.push(own);
    return {
      create: (spec) => {
        own.log.push(`create ${spec.backend}`);
        if (failure !== undefined) return Promise.reject(new Error(failure));
        return Promise.resolve({
          backend: spec.backend,
          device: 'fake',
          numParameters: 1,
          selfTest: null,
          compared: [],
          decoding: null,
        });
      },
      sample: () => {
        take(own, 'sample', sampleMs);
        return Promise.resolve({
          actionTokens: new Int32Array(),
          rolloutLogprobs: new Float32Array(),
        });
      },
      update: () => {
        take(own, 'update', updateMs);
        return Promise.resolve({ agents: [] });
      },
      setHypers: () => Promise.resolve(),
      segmentGradients: () => Promise.resolve([]),
      promptInfluence: () => Promise.resolve(new Float32Array()),
      score: () => Promise.resolve(new Float32Array()),
      keepReference: () => Promise.resolve(),
      checkpoint: () => {
        own.log.push('checkpoint');
        return Promise.resolve(emptyCheckpoint);
      },
      restore: () => {
        own.log.push('restore');
        return Promise.resolve();
      },
      dispose: () => {
        own.log.push('dispose');
        return Promise.resolve();
      },
      deviceUsage: () => null,
    };
  };
  return { backend, make };
}

const broken = (failure: string) => ({ sampleMs: 0, updateMs: 0, failure });
const load: CohortLoad = { numTasks: 2, rolloutsPerTask: 3 };
const batch = () => toUpdateBatch(turnsOf(0, 2), 'policyGradient', [0.01]);
const asked = { request: { ...smallCohort, backend: 'auto' as const }, replicas: [hyper(1)], load };

describe('the choice of an engine', () => {
  test.each([
    [{ sampleMs: 5, updateMs: 20 }, { sampleMs: 30, updateMs: 10 }, 'webgpu'],
    [{ sampleMs: 5, updateMs: 40 }, { sampleMs: 30, updateMs: 10 }, 'wasm'],
  ])('is that of the least time, %j against %j', async (gpu, wasm, fastest) => {
    const made: Made[] = [];
    const candidates = [fakeEngine('webgpu', gpu, made), fakeEngine('wasm', wasm, made)];
    const { info } = await chooseEngine(candidates, asked, now);
    expect(info.backend).toBe(fastest);
    // The slow first call is not in the times.
    expect(info.compared).toEqual([
      { backend: 'webgpu', ...gpu, refusal: null },
      { backend: 'wasm', ...wasm, refusal: null },
    ]);
    const [chosen, other] = made.toSorted((a) => (a.backend === fastest ? -1 : 1));
    expect(other!.log.at(-1)).toBe('dispose');
    // What the timing has done to the policy is undone.
    expect(chosen!.log.at(-1)).toBe('restore');
    expect(chosen!.log.indexOf('checkpoint')).toBeLessThan(chosen!.log.indexOf('sample'));
  });

  test('leaves out one that does not start, and says why', async () => {
    const made: Made[] = [];
    const candidates = [
      fakeEngine('webgpu', broken('logits differ by 0.3'), made),
      fakeEngine('wasm', { sampleMs: 9, updateMs: 9 }, made),
    ];
    const { info } = await chooseEngine(candidates, asked, now);
    expect(info.backend).toBe('wasm');
    expect(info.compared[0]).toEqual({
      backend: 'webgpu',
      sampleMs: null,
      updateMs: null,
      refusal: 'logits differ by 0.3',
    });
    expect(made[0]!.log).toEqual(['create webgpu', 'dispose']);
    // With nothing to compare it with, the other is not timed.
    expect(info.compared[1]).toMatchObject({ sampleMs: null, updateMs: null, refusal: null });
    expect(made[1]!.log).toEqual(['create wasm']);
  });

  test('is an error with every reason where none starts', async () => {
    const candidates = [
      fakeEngine('webgpu', broken('no adapter'), []),
      fakeEngine('wasm', broken('no memory'), []),
    ];
    await expect(chooseEngine(candidates, asked, now)).rejects.toThrow(
      'webgpu: no adapter wasm: no memory',
    );
  });

  test('is the first that starts where there is nothing to time', async () => {
    const made: Made[] = [];
    const candidates = [
      fakeEngine('webgpu', { sampleMs: 100, updateMs: 100 }, made),
      fakeEngine('wasm', { sampleMs: 1, updateMs: 1 }, made),
    ];
    const { info } = await chooseEngine(candidates, { ...asked, load: undefined }, now);
    expect(info.backend).toBe('webgpu');
    expect(info.compared.map(({ sampleMs }) => sampleMs)).toEqual([null, null]);
    expect(made[0]!.log).toEqual(['create webgpu']);
  });

  test('takes the sampling time from the calibration of the way of decoding, where there was one', async () => {
    const made: Made[] = [];
    const gpu = fakeEngine('webgpu', { sampleMs: 77, updateMs: 5 }, made);
    const calibrated: Candidate = {
      backend: 'webgpu',
      make() {
        const engine = gpu.make();
        const decoding = { kind: 'persistent', batchedMs: 9, persistentMs: 4 } as const;
        return {
          ...engine,
          create: async (...args) => ({ ...(await engine.create(...args)), decoding }),
        };
      },
    };
    const wasm = fakeEngine('wasm', { sampleMs: 9, updateMs: 9 }, []);
    const { info } = await chooseEngine([calibrated, wasm], asked, now);
    expect(info.compared[0]).toMatchObject({ sampleMs: 4, updateMs: 5 });
    expect(made[0]!.log).not.toContain('sample');
  });

  test('stops timing when it has taken long enough', async () => {
    const made: Made[] = [];
    const slow = { sampleMs: 600, updateMs: 100 };
    const candidates = [fakeEngine('wasm', slow, made), fakeEngine('cpu', slow, [])];
    await chooseEngine(candidates, asked, now);
    const count = (call: string) => made[0]!.log.filter((entry) => entry === call).length;
    expect([count('sample'), count('update')]).toEqual([2, 4]);
  });

  test('leaves a real policy as it was made', async () => {
    const slow = fakeEngine('wasm', { sampleMs: 1e6, updateMs: 1e6 }, []);
    const candidates = [{ backend: 'cpu' as const, make: createTfjsPolicy }, slow];
    const { engine } = await chooseEngine(candidates, asked, now);
    const fresh = createTfjsPolicy();
    await fresh.create(smallCohort, asked.replicas);
    for (const _ of [1, 2])
      expect(await engine.update(batch())).toEqual(await fresh.update(batch()));
    expect(await engine.checkpoint()).toEqual(await fresh.checkpoint());
    for (const policy of [engine, fresh]) await policy.dispose();
  });
});

test('the first that starts is taken; if none does, the last reason is told', async () => {
  const [webgpu, wasm, cpu] = [
    fakeEngine('webgpu', broken('gone'), []),
    fakeEngine('wasm', { sampleMs: 1, updateMs: 1 }, []),
    fakeEngine('cpu', broken('never'), []),
  ];
  expect((await openFirst([webgpu, wasm, cpu], asked)).info.backend).toBe('wasm');
  await expect(openFirst([webgpu, cpu], asked)).rejects.toThrow('never');
});

describe('the load', () => {
  const sizes = { vocabularySize: 11, maxLength: 9, maxActionTokens: 4 };

  test('asks every rollout of every task of every replica for one turn as long as they come', () => {
    const calls = callsOf(sizes, 2, load);
    expect([...calls.replicas]).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
    expect(new Set(calls.actionLengths)).toEqual(new Set([4]));
    expect(new Set(calls.promptLengths)).toEqual(new Set([5]));
    const prompts = Array.from({ length: 12 }, (_, row) =>
      calls.promptTokens.slice(5 * row, 5 * (row + 1)).join(),
    );
    // Rollouts of a task begin with the same prompt, and replicas see the same tasks.
    expect(new Set(prompts).size).toBe(2);
    expect(prompts.slice(0, 6)).toEqual(prompts.slice(6));
    const keys = Array.from({ length: 12 }, (_, row) =>
      calls.noiseKeys.slice(2 * row, 2 * row + 2).join(),
    );
    expect(new Set(keys).size).toBe(12);
  });

  test('has tokens of the vocabulary, and advantages that add up to nothing', () => {
    const { promptTokens, actionTokens, advantages, learningRates } = batchOf(sizes, 2, load);
    for (const tokens of [promptTokens, actionTokens])
      expect(tokens.every((token) => token >= 0 && token < 11)).toBe(true);
    expect(advantages.reduce((sum, value) => sum + value, 0)).toBe(0);
    expect([...learningRates]).toEqual([0, 0]);
  });
});
