import { describe, expect, test } from 'vitest';
import type { ExperimentSpec } from '../config/experimentSpec';
import { presets } from '../config/presets';
import { deviceLostError } from '../protocol/deviceLost';
import type { PolicyApi } from '../protocol/policyApi';
import type { TrainerEvent } from '../protocol/trainerApi';
import { createExperienceStore } from './experienceStore';
import { createRecovery } from './recovery';
import { eventsOf, localPolicy, rowsOf, stillEnvironment, tinySpec } from './testing/runInProcess';
import type { TrainerEnvironment } from './trainer';

/** Runs whose device is lost, beside the same runs undisturbed. */

type Call = 'sample' | 'update' | 'score' | 'keepCheckpoint';

/** The policy `policyId` does its `nth` call of this kind, and loses its device over it. */
function losing(policyId: string, call: Call, nth: number, times = 1): TrainerEnvironment {
  let count = 0;
  const afterwards = async <T>(task: Promise<T>): Promise<T> => {
    const result = await task;
    count++;
    if (count >= nth && count < nth + times)
      throw deviceLostError('The GPU device was lost: drill.');
    return result;
  };
  const lossy = (api: PolicyApi): PolicyApi => {
    switch (call) {
      case 'sample':
        return { ...api, sample: (calls) => afterwards(api.sample(calls)) };
      case 'update':
        return { ...api, update: (batch) => afterwards(api.update(batch)) };
      case 'score':
        return { ...api, score: (turns, under) => afterwards(api.score(turns, under)) };
      case 'keepCheckpoint':
        return { ...api, keepCheckpoint: (number) => afterwards(api.keepCheckpoint(number)) };
    }
  };
  return {
    ...stillEnvironment,
    createPolicy(id) {
      const handle = localPolicy();
      if (id !== policyId) return handle;
      const { api } = handle;
      // The one whose device can be lost says that it has one.
      const create: PolicyApi['create'] = async (...asked) => ({
        ...(await api.create(...asked)),
        backend: 'webgpu',
      });
      return { ...handle, api: lossy({ ...api, create }) };
    },
  };
}

function noticesOf(events: readonly TrainerEvent[]): string[] {
  return events.flatMap((event) => (event.kind === 'notice' ? [event.message] : []));
}

async function expectSameRun(
  spec: ExperimentSpec,
  environment: TrainerEnvironment,
): Promise<string[]> {
  const undisturbed = await eventsOf(spec);
  const disturbed = await eventsOf(spec, environment);
  expect(disturbed.at(-1)).toEqual({
    kind: 'finished',
    iteration: spec.iterations,
    reason: 'completed',
  });
  expect(rowsOf(disturbed)).toEqual(rowsOf(undisturbed));
  const own = new Set(noticesOf(undisturbed));
  return noticesOf(disturbed).filter((message) => !own.has(message));
}

const stale = presets['stale-pipeline'].spec;
const critics = presets.critics.spec;
const { policies, warmStart } = tinySpec();
const tiny = { policies, warmStart, seeds: [0], iterations: 4, backend: 'cpu' as const };
const evaluation = { every: 2, tasks: 8, greedy: false };

/** What a run may carry from iteration to iteration: rollouts that wait, value networks, moments, a reference. */
const specs: Record<string, ExperimentSpec> = {
  'three estimators': tinySpec(),
  'a pipeline with V-trace': {
    ...stale,
    ...tiny,
    evaluation,
    groups: { ...stale.groups, tasksPerIteration: 2, groupSize: 4, staleIterations: 2 },
  },
  critics: {
    ...critics,
    ...tiny,
    evaluation,
    groups: { ...critics.groups, tasksPerIteration: 2, groupSize: 4 },
  },
};

describe.each(Object.entries(specs))('a lost device in a run with %s', (_, spec) => {
  test.each([
    ['update', 1],
    ['update', 4],
    ['sample', 3],
    ['sample', 9],
    ['keepCheckpoint', 3],
  ] as const)('at %s %d changes no number, and is told once', async (call, nth) => {
    const [message, ...others] = await expectSameRun(spec, losing('router', call, nth));
    expect(others).toEqual([]);
    expect(message).toMatch(
      /^The GPU device was lost: drill\. (The warm start|Iteration \d) began again from its checkpoint, on tfjs cpu.*: nothing is lost\.$/,
    );
  });
});

test('several losses in a row are recovered from, too', async () => {
  // One update a try: a single arm.
  const spec = tinySpec({ arms: tinySpec().arms.slice(0, 1) });
  const told = await expectSameRun(spec, losing('router', 'update', 4, 2));
  expect(told).toHaveLength(2);
  expect(told[1]).toBe(told[0]);
});

test('a device that is lost again and again ends the run with the reason', async () => {
  const events = await eventsOf(tinySpec(), losing('router', 'update', 4, 100));
  expect(events.at(-1)).toMatchObject({
    kind: 'failed',
    message: 'The GPU device was lost: drill.',
  });
});

test('without a device that can be lost nothing is kept, and the run is the same', async () => {
  let numKept = 0;
  const keepCheckpoint = async () => void numKept++;
  const environment: TrainerEnvironment = {
    ...stillEnvironment,
    createPolicy() {
      const handle = localPolicy();
      return { ...handle, api: { ...handle.api, keepCheckpoint } };
    },
  };
  const rows = rowsOf(await eventsOf(tinySpec(), environment));
  expect(rows).toEqual(rowsOf(await eventsOf(tinySpec())));
  expect(numKept).toBe(0);
});

test('what is left of a try that failed cannot reach the policies, and what is under way is waited for', async () => {
  const calls: string[] = [];
  const finish: (() => void)[] = [];
  const { api } = localPolicy();
  const policy: PolicyApi = {
    ...api,
    keepCheckpoint: async () => void calls.push('keep'),
    restoreCheckpoint: async () => {
      calls.push('restore');
      return api.create({ ...cohort, backend: 'cpu' }, []);
    },
    keepReference: async () => void calls.push('reference'),
    sample: () =>
      new Promise((_, reject) => {
        finish.push(() => {
          calls.push('sampled');
          reject(new Error('too late'));
        });
      }),
  };
  const recovery = createRecovery({
    policies: [policy],
    critics: [],
    isAtRisk: true,
    store: createExperienceStore(),
    onRecovered: () => undefined,
  });
  let straggler: Promise<void> | null = null;
  await recovery.run('A part', async ({ policies: [door] }) => {
    if (straggler !== null) return;
    const underWay = door!.sample(noCalls).catch(() => undefined);
    straggler = underWay.then(() => door!.keepReference());
    setTimeout(() => finish[0]!());
    throw deviceLostError('drill');
  });
  await expect(straggler).rejects.toThrow('given up and begins again');
  expect(calls).toEqual(['sampled', 'restore', 'keep']);
});

const cohort = {
  policyId: 'solver',
  architecture: policies['router']!.architecture,
  vocabularySize: 3,
  maxLength: 2,
  maxActionTokens: 1,
};

const noCalls = {
  replicas: new Int32Array(),
  promptTokens: new Int32Array(),
  promptLengths: new Int32Array(),
  promptWidth: 1,
  actionLengths: new Int32Array(),
  noiseKeys: new Uint32Array(),
  greedy: false,
};
