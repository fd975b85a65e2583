import { expect, test } from 'vitest';
import type { PolicyApi } from '../protocol/policyApi';
import { parseRunCheckpoint } from '../protocol/runCheckpoint';
import type { StartOptions, TrainerApi, TrainerEvent } from '../protocol/trainerApi';
import { deviceLostError } from '../protocol/deviceLost';
import {
  checkpointsIn,
  eventsOf,
  eventsWith,
  localPolicy,
  rowsOf,
  stillEnvironment,
  tinySpec,
} from './testing/runInProcess';
import { createTrainer, type TrainerEnvironment } from './trainer';

/** When checkpoints are taken, and what becomes of those that are given back. */

const spec = tinySpec({ arms: tinySpec().arms.slice(0, 1), iterations: 5 });

/** Nobody may be asked to work. */
const noWorkers: TrainerEnvironment = {
  ...stillEnvironment,
  createPolicy: () => {
    throw new Error('A worker was started.');
  },
};

function refused(options: StartOptions): Promise<TrainerEvent[]> {
  return eventsOf(spec, noWorkers, () => {}, options);
}

test('without being asked a run takes no checkpoint', async () => {
  expect([...checkpointsIn(await eventsWith(spec, {})).keys()]).toEqual([]);
});

test('checkpoints come behind the warm start, every so many iterations, and at the end, each after its iteration', async () => {
  const events = await eventsWith(spec, { checkpointEvery: 2 });
  const order = events.flatMap((event) =>
    event.kind === 'iteration' || event.kind === 'checkpoint'
      ? [`${event.kind} ${event.iteration}`]
      : [],
  );
  expect(order).toEqual([
    'iteration 0',
    'checkpoint 0',
    'iteration 1',
    'iteration 2',
    'checkpoint 2',
    'iteration 3',
    'iteration 4',
    'checkpoint 4',
    'iteration 5',
    'checkpoint 5',
  ]);
  expect(events.at(-1)).toEqual({ kind: 'finished', iteration: 5, reason: 'completed' });
});

test('a run that is stopped leaves a checkpoint of where it stopped, from which it goes on', async () => {
  const whole = await eventsWith(spec, {});
  const stopped = await eventsOf(
    spec,
    stillEnvironment,
    (event, trainer) => {
      if (event.kind === 'iteration' && event.iteration === 3) void trainer.stop();
    },
    { checkpointEvery: 2 },
  );
  expect([...checkpointsIn(stopped).keys()]).toEqual([0, 2, 3]);
  expect(stopped.at(-1)).toEqual({ kind: 'finished', iteration: 3, reason: 'stopped' });
  const rest = await eventsWith(spec, { resumeFrom: checkpointsIn(stopped).get(3)! });
  expect([...rowsOf(stopped), ...rowsOf(rest)]).toEqual(rowsOf(whole));
});

test('checkpoints change no number of the run', async () => {
  const plain = await eventsWith(spec, {});
  expect(rowsOf(await eventsWith(spec, { checkpointEvery: 1 }))).toEqual(rowsOf(plain));
});

test('who asks gets one before the next iteration; a paused run gives it at once, and one an iteration is enough', async () => {
  const told: string[] = [];
  const ask = async (trainer: TrainerApi, who: string): Promise<void> => {
    told.push(`${who}: ${await trainer.checkpoint()}`);
  };
  const events = await eventsOf(spec, stillEnvironment, (event, trainer) => {
    if (event.kind === 'checkpoint') told.push(`checkpoint ${event.iteration}`);
    if (event.kind === 'paused') {
      told.push(`paused ${event.iteration}`);
      void Promise.all([ask(trainer, 'third'), ask(trainer, 'fourth')])
        .then(() => ask(trainer, 'fifth'))
        .then(() => trainer.resume());
    }
    if (event.kind !== 'iteration') return;
    told.push(`iteration ${event.iteration}`);
    if (event.iteration === 1) void Promise.all([ask(trainer, 'first'), ask(trainer, 'second')]);
    if (event.iteration === 3) void trainer.pause();
  });
  expect(events.at(-1)).toMatchObject({ kind: 'finished', reason: 'completed' });
  expect(told).toEqual([
    'iteration 0',
    'iteration 1',
    'checkpoint 1',
    'first: 1',
    'second: 1',
    'iteration 2',
    'iteration 3',
    'paused 3',
    'checkpoint 3',
    'third: 3',
    'fourth: 3',
    'fifth: 3',
    'iteration 4',
    'iteration 5',
  ]);
});

test('who asks in the warm start gets one behind it, and who asks in the last iteration gets the end', async () => {
  const asked: Promise<number>[] = [];
  await eventsOf(spec, stillEnvironment, (event, trainer) => {
    if (event.kind === 'phase' && event.phase === 'warmStart' && asked.length === 0)
      asked.push(trainer.checkpoint());
    if (event.kind === 'iteration' && event.iteration === 5) asked.push(trainer.checkpoint());
  });
  expect(await Promise.all(asked)).toEqual([0, 5]);
});

test('who asks and then stops gets the checkpoint first', async () => {
  let asked: Promise<number> | null = null;
  const events = await eventsOf(spec, stillEnvironment, (event, trainer) => {
    if (event.kind !== 'iteration' || event.iteration !== 2) return;
    void trainer.stop();
    asked = trainer.checkpoint();
  });
  expect(await asked!).toBe(2);
  expect(events.slice(-2).map(({ kind }) => kind)).toEqual(['checkpoint', 'finished']);
});

test('who asks without a run, or of a run that ends in its warm start, is told so', async () => {
  await expect(createTrainer(stillEnvironment).checkpoint()).rejects.toThrow('There is no run');
  let asked: Promise<unknown> | null = null;
  await eventsOf(spec, stillEnvironment, (event, trainer) => {
    if (event.kind !== 'phase' || event.phase !== 'warmStart' || asked !== null) return;
    asked = trainer.checkpoint().catch((error: unknown) => error);
    void trainer.stop();
  });
  expect(String(await asked!)).toMatch('The run ended before it could be written down');
});

test('what cannot be gone on from ends the run in iteration 0 before any worker is started', async () => {
  const bytes = checkpointsIn(await eventsWith(spec, { checkpointEvery: 1 })).get(2)!;
  const damaged = bytes.slice(0);
  new Uint8Array(damaged)[200]! ^= 1;
  for (const [resumeFrom, message] of [
    [damaged, 'damaged'],
    [new ArrayBuffer(3), 'another kind'],
    [checkpointsIn(await eventsWith(tinySpec(), { checkpointEvery: 3 })).get(0)!, 'arms'],
  ] as const) {
    const events = await refused({ resumeFrom });
    expect(events).toEqual([
      { kind: 'failed', iteration: 0, message: expect.stringContaining(message) },
    ]);
  }
  for (const checkpointEvery of [0, -1, 1.5, NaN])
    expect(await refused({ checkpointEvery })).toEqual([
      { kind: 'failed', iteration: 0, message: expect.stringContaining('a whole number from 1') },
    ]);
});

function outOfMemory(): Promise<never> {
  return Promise.reject(new Error('out of memory'));
}

test('a run that goes on and then fails says in which iteration', async () => {
  const bytes = checkpointsIn(await eventsWith(spec, { checkpointEvery: 1 })).get(2)!;
  const failing: TrainerEnvironment = {
    ...stillEnvironment,
    createPolicy() {
      const handle = localPolicy();
      return { ...handle, api: { ...handle.api, sample: outOfMemory } };
    },
  };
  const events = await eventsOf(spec, failing, () => {}, { resumeFrom: bytes });
  expect(events.at(-1)).toEqual({ kind: 'failed', iteration: 2, message: 'out of memory' });
});

/** Every policy does as it says it does, but for `changes`. */
function changed(changes: (api: PolicyApi) => Partial<PolicyApi>): TrainerEnvironment {
  return {
    ...stillEnvironment,
    createPolicy() {
      const handle = localPolicy();
      return { ...handle, api: { ...handle.api, ...changes(handle.api) } };
    },
  };
}

test('a policy that has diverged is not written down: the run says so once and goes on', async () => {
  const diverged = changed((api) => ({
    async copyCheckpoint(number) {
      const numbers = await api.copyCheckpoint(number);
      numbers.weights[5] = NaN;
      return numbers;
    },
  }));
  let asked: Promise<unknown> | null = null;
  const events = await eventsOf(
    spec,
    diverged,
    (event, trainer) => {
      if (event.kind === 'iteration' && event.iteration === 2)
        asked = trainer.checkpoint().catch((error: unknown) => error);
    },
    { checkpointEvery: 1 },
  );
  expect(checkpointsIn(events).size).toBe(0);
  const notices = events.flatMap((event) => (event.kind === 'notice' ? [event.message] : []));
  expect(notices.filter((message) => message.startsWith('No checkpoint'))).toEqual([
    'No checkpoint could be taken after iteration 0: policies.0.numbers.weights holds NaN at position 5. Earlier checkpoints stay as they are.',
  ]);
  expect(String(await asked!)).toMatch(/weights holds NaN/);
  expect(rowsOf(events)).toEqual(rowsOf(await eventsWith(spec, {})));
});

test('where a device can be lost checkpoints are copies of what is kept anyway, and a resumed run outlives a loss', async () => {
  const kept: number[] = [];
  let numUpdates = 0;
  const onGpu = (loseAt: number): TrainerEnvironment =>
    changed((api) => ({
      create: async (...asked) => ({ ...(await api.create(...asked)), backend: 'webgpu' }),
      async keepCheckpoint(number) {
        kept.push(number);
        await api.keepCheckpoint(number);
      },
      async update(batch) {
        const stats = await api.update(batch);
        numUpdates++;
        if (numUpdates === loseAt) throw deviceLostError('The GPU device was lost: drill.');
        return stats;
      },
    }));
  const events = await eventsOf(spec, onGpu(-1), () => {}, { checkpointEvery: 1 });
  // Three policies; the start, the warm start and five iterations.
  expect(kept).toHaveLength(3 * 7);
  const plain = await eventsWith(spec, { checkpointEvery: 1 });
  const [ours, others] = [checkpointsIn(events), checkpointsIn(plain)];
  for (const [iteration, bytes] of ours)
    expect(Buffer.from(bytes).equals(Buffer.from(others.get(iteration)!))).toBe(true);
  numUpdates = 0;
  // The second iteration of the rest: one update a policy.
  const rest = await eventsOf(spec, onGpu(5), () => {}, {
    resumeFrom: ours.get(2)!,
    checkpointEvery: 1,
  });
  expect(
    rest.some(
      ({ kind, ...event }) =>
        kind === 'notice' && 'message' in event && /lost: drill/.test(event.message),
    ),
  ).toBe(true);
  expect(rowsOf(rest)).toEqual(rowsOf(plain).filter(({ iteration }) => iteration > 2));
  expect(Buffer.from(checkpointsIn(rest).get(5)!).equals(Buffer.from(others.get(5)!))).toBe(true);
});

test('a policy keeps one checkpoint for all that are taken of it, and they take the room of its numbers', async () => {
  const kept = new Set<number>();
  const counted = changed((api) => ({
    async keepCheckpoint(number) {
      kept.add(number);
      await api.keepCheckpoint(number);
    },
  }));
  const events = await eventsOf(spec, counted, () => {}, { checkpointEvery: 1 });
  expect(kept.size).toBe(1);
  const sizes = [...checkpointsIn(events).values()].map(({ byteLength }) => byteLength);
  // The watches take a few norms in; nothing else grows.
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(4096);
  const parsed = parseRunCheckpoint(checkpointsIn(events).get(5)!);
  if (!parsed.ok) throw new Error(parsed.reason);
  const numWeights = parsed.checkpoint.policies.reduce(
    (sum, { numbers }) => sum + numbers.weights.length,
    0,
  );
  expect(sizes.at(-1)).toBeLessThan(3 * 4 * numWeights + 32_768);
});
