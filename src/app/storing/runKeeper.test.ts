import { expect, test } from 'vitest';
import { presets } from '../../config/presets';
import type { TrainerEvent } from '../../protocol/trainerApi';
import type { RunWrite } from '../../storage/storageApi';
import { applyRunEvent, initialRunState, type RunEvent } from '../runState';
import type { RunKeeping } from './keeping';
import { createRunKeeper } from './runKeeper';

const spec = { ...presets['solve-verify-null'].spec, iterations: 10 };
const at = { notebookId: 'n', experiment: 'main' };

function iteration(index: number): TrainerEvent {
  return {
    kind: 'iteration',
    iteration: index,
    rows: [{ iteration: index, arm: 'a', seed: 0, agent: 'team', values: { success: index } }],
    transcripts: [],
    groups: [],
    gradientPairs: [],
    tokens: 100,
    times: { rolloutMs: 1, advantagesMs: 1, diagnosticsMs: 0, updateMs: 1 },
  };
}

interface Stored {
  readonly iterations: number[];
  readonly notices: string[];
  phase: string;
  writes: number;
}

/** A storage in memory that can be made to refuse, a clock set by hand, and a keeper between them. */
function made() {
  const stored = new Map<string, Stored>();
  const notes: RunKeeping[] = [];
  const timers: { atMs: number; callback: () => void }[] = [];
  const world = { nowMs: 0, refuses: false, mayWrite: true };
  let ids = 0;
  const outcome = (saved: number | null): RunWrite =>
    world.refuses
      ? { ok: false, reason: 'quota', message: 'Full.', lastSavedIteration: saved }
      : { ok: true, lastSavedIteration: saved };
  const keeper = createRunKeeper({
    create: ({ runId }) => {
      if (!world.refuses) stored.set(runId, { iterations: [], notices: [], phase: '', writes: 0 });
      return Promise.resolve(outcome(null));
    },
    append: async (runId, { events, standing }) => {
      await Promise.resolve();
      const run = stored.get(runId)!;
      if (!world.refuses) {
        for (const event of events) {
          if (event.kind === 'iteration') run.iterations.push(event.iteration);
          if (event.kind === 'notice') run.notices.push(event.message);
        }
        run.phase = standing.phase;
        run.writes += 1;
      }
      return outcome(run.iterations.at(-1) ?? null);
    },
    allow: () => undefined,
    writerOf: () => (world.mayWrite ? 'thisTab' : 'otherTab'),
    freshId: () => `run${++ids}`,
    nowMs: () => world.nowMs,
    dateOf: (pageMs) => pageMs,
    later: (callback, delayMs) => timers.push({ atMs: world.nowMs + delayMs, callback }),
    whenIdle: (callback) => callback(),
    reasonOf: () => Promise.resolve({ kind: 'full', usage: 1, quota: 1 }),
    note: (_series, keeping) => notes.push(keeping),
  });
  let run = initialRunState;
  /** What the trainer tells is heard first and reaches the page after. */
  const play = (event: RunEvent): void => {
    if (isKeptEvent(event)) keeper.heard({ series: run.series, event });
    run = applyRunEvent(run, event, world.nowMs);
    keeper.seen(run, at);
  };
  /** Lets the time pass, and what waits for it happen. */
  const pass = async (ms: number): Promise<void> => {
    world.nowMs += ms;
    for (const due of timers.splice(0))
      if (due.atMs <= world.nowMs) due.callback();
      else timers.push(due);
    for (let i = 0; i < 40; i++) await Promise.resolve();
  };
  return { stored, notes, world, keeper, play, pass };
}

function isKeptEvent(event: RunEvent): event is TrainerEvent {
  return ['policies', 'iteration', 'throughput', 'notice'].includes(event.kind);
}

test('a run is written as it goes, in order, and to its end', async () => {
  const { stored, notes, play, pass } = made();
  play({ kind: 'started', spec });
  await pass(0);
  expect(stored.size).toBe(0);
  play(iteration(0));
  await pass(0);
  expect(stored.get('run1')?.iterations).toEqual([0]);
  for (const index of [1, 2, 3]) play(iteration(index));
  await pass(500);
  // Not more often than once a second.
  expect(stored.get('run1')?.iterations).toEqual([0]);
  await pass(500);
  expect(stored.get('run1')?.iterations).toEqual([0, 1, 2, 3]);
  expect(notes.at(-1)).toEqual({ kind: 'kept', iteration: 3 });
  play({ kind: 'notice', message: 'Slow.' });
  play({ kind: 'finished', iteration: 3, reason: 'completed' });
  await pass(1000);
  expect(stored.get('run1')?.phase).toBe('finished');
  expect(stored.get('run1')?.notices).toEqual(['Slow.']);
  expect(stored.get('run1')?.writes).toBe(3);
});

test('what was refused is told with what is safe, and written from there on when there is room', async () => {
  const { stored, notes, world, keeper, play, pass } = made();
  play({ kind: 'started', spec });
  play(iteration(0));
  await pass(0);
  world.refuses = true;
  play(iteration(1));
  await pass(1000);
  const refused = { kind: 'notKept', reason: { kind: 'full', usage: 1, quota: 1 }, iteration: 0 };
  expect(notes.at(-1)).toEqual(refused);
  play(iteration(2));
  await pass(5000);
  expect(stored.get('run1')?.iterations).toEqual([0]);
  world.refuses = false;
  await keeper.flush();
  expect(stored.get('run1')?.iterations).toEqual([0, 1, 2]);
  expect(notes.at(-1)).toEqual({ kind: 'kept', iteration: 2 });
});

test('room that was made is found without being asked for', async () => {
  const { stored, world, play, pass } = made();
  world.refuses = true;
  play({ kind: 'started', spec });
  play(iteration(0));
  await pass(0);
  world.refuses = false;
  await pass(30_000);
  await pass(1000);
  expect(stored.get('run1')?.iterations).toEqual([0]);
});

test('a second run of the cell is another stored run', async () => {
  const { stored, play, pass } = made();
  for (const rows of [2, 1]) {
    play({ kind: 'started', spec });
    for (let index = 0; index < rows; index++) play(iteration(index));
    play({ kind: 'terminated' });
    await pass(1000);
    await pass(1000);
  }
  expect([...stored.values()].map(({ iterations }) => iterations)).toEqual([[0, 1], [0]]);
});

test('while another tab keeps the notebook nothing is written, and afterwards everything', async () => {
  const { stored, notes, world, keeper, play, pass } = made();
  world.mayWrite = false;
  play({ kind: 'started', spec });
  play(iteration(0));
  await pass(1000);
  expect(stored.size).toBe(0);
  expect(notes.at(-1)).toEqual({ kind: 'notKept', reason: { kind: 'otherTab' }, iteration: null });
  world.mayWrite = true;
  await keeper.flush();
  expect(stored.get('run1')?.iterations).toEqual([0]);
});

test('a run that came from a file is not stored again', async () => {
  const { stored, keeper, pass } = made();
  const recorded = {
    date: '',
    versions: { marlbook: '', browser: '' },
    device: { userAgent: '', policies: [] },
  };
  keeper.seen({ ...initialRunState, spec, revision: 3, phase: 'finished', recorded }, at);
  await pass(1000);
  expect(stored.size).toBe(0);
});
