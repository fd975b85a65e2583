import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { madeUpTranscript } from '../app/rollouts/testing/madeUpTranscript';
import { presets } from '../config/presets';
import { specHash } from '../config/specHash';
import { eventsOf, tinySpec } from '../engine/testing/runInProcess';
import { metricCatalog, type MetricKey } from '../metrics/catalog';
import { keepTranscripts } from '../notebook/keptTranscripts';
import type { Transcript } from '../protocol/trainerApi';
import type { KeptEvent, RunStorage, StoredRun } from './storageApi';
import {
  madeUpBatch,
  madeUpIteration,
  madeUpNewRun,
  policiesEvent,
  throughputAfter,
  training,
} from './testing/madeUpRun';
import { createMemoryBrowser, type MemoryBrowser } from './testing/memoryBrowser';

let browser: MemoryBrowser;
let storage: RunStorage;

beforeEach(async () => {
  browser = createMemoryBrowser();
  storage = await browser.open();
});

afterEach(() => browser.end());

async function wholeRun(runId = 'run-1', from = storage): Promise<StoredRun> {
  const read = await from.readRun(runId);
  if (!read.ok) throw new Error(`${read.message} ${JSON.stringify(read.issues)}`);
  return read.run;
}

const iterationsOf = (events: readonly KeptEvent[]): number[] =>
  events.flatMap((event) => (event.kind === 'iteration' ? [event.iteration] : []));

test('a run comes back as it was given, every bit of every number, after the page was closed', async () => {
  const run = madeUpNewRun();
  const batch = madeUpBatch(0, 8);
  expect(await storage.createRun(run)).toEqual({ ok: true, lastSavedIteration: null });
  expect(await storage.appendToRun('run-1', batch)).toEqual({ ok: true, lastSavedIteration: 8 });
  await storage.close();
  const read = await wholeRun('run-1', await browser.open());
  expect(read.events).toStrictEqual(batch.events);
  expect(read.head).toStrictEqual({ ...run, specHash: specHash(run.spec) });
  expect(read.standing).toEqual(training);
  expect(read.lastSavedIteration).toBe(8);
});

test('what a trainer tells comes back as it was told', async () => {
  const spec = tinySpec({
    policies: { router: tinySpec().policies['router']! },
    agents: {
      router: { policy: 'router' },
      search: { policy: 'router' },
      answer: { policy: 'router' },
    },
    diagnostics: {
      ...presets['route-search-answer'].spec.diagnostics,
      blame: 'occlusion',
    },
  });
  const told = await eventsOf(spec);
  const events = told.filter(
    (event): event is KeptEvent =>
      event.kind === 'policies' ||
      event.kind === 'iteration' ||
      event.kind === 'throughput' ||
      event.kind === 'notice',
  );
  expect(iterationsOf(events)).toEqual([0, 1, 2, 3]);
  await storage.createRun(madeUpNewRun({ spec }));
  for (const event of events) {
    const outcome = await storage.appendToRun('run-1', { events: [event], standing: training });
    expect(outcome.ok).toBe(true);
  }
  expect((await wholeRun()).events).toStrictEqual(events);
});

test('a run that was only begun, or has told words alone, reads as such', async () => {
  await storage.createRun(madeUpNewRun());
  expect(await wholeRun()).toMatchObject({ events: [], lastSavedIteration: null });
  const failed = { phase: 'failed' as const, message: 'No device.', endedAt: 5 };
  const notice: KeptEvent = { kind: 'notice', message: 'Slow.' };
  await storage.appendToRun('run-1', { events: [notice], standing: failed });
  await storage.appendToRun('run-1', { events: [], standing: failed });
  expect(await wholeRun()).toMatchObject({ events: [notice], standing: failed });
});

const keys = Object.keys(metricCatalog) as MetricKey[];
const anyValue = fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, -0));
const anyRow = fc.record({
  arm: fc.constantFrom('a', 'b'),
  seed: fc.constantFrom(0, 7, 0xffffffff),
  agent: fc.constantFrom('solver', 'verifier', 'team'),
  values: fc.dictionary(fc.constantFrom(...keys), anyValue, { maxKeys: 4, noNullPrototype: true }),
});
const anyRows = fc.uniqueArray(anyRow, {
  maxLength: 6,
  selector: ({ arm, seed, agent }) => `${arm}/${seed}/${agent}`,
});

test('whatever the rows, and however iterations are put into batches: all come back, in their order', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyRows, fc.boolean()), { minLength: 1, maxLength: 6 }),
      async (iterations) => {
        const runId = `run-${number++}`;
        await storage.createRun(madeUpNewRun({ runId }));
        const told = iterations.map(([rows], iteration) =>
          madeUpIteration(iteration, { rows: rows.map((row) => ({ ...row, iteration })) }),
        );
        let events: KeptEvent[] = [];
        for (const [iteration, [, isLast]] of iterations.entries()) {
          events.push(told[iteration]!);
          if (!isLast && iteration < iterations.length - 1) continue;
          await storage.appendToRun(runId, { events, standing: training });
          events = [];
        }
        expect((await wholeRun(runId)).events).toStrictEqual(told);
      },
    ),
    { numRuns: 40 },
  );
});

test('of a long run the episodes are kept that the page keeps, whatever the batches', async () => {
  await storage.createRun(madeUpNewRun());
  let onPage: readonly Transcript[] = [];
  for (let first = 0; first < 120; first += 8) {
    const events = Array.from({ length: 8 }, (_, i) => {
      const iteration = first + i;
      const spikingAgents = iteration % 7 === 0 ? ['solver'] : [];
      return madeUpIteration(iteration, {
        groups: [],
        transcripts: [
          madeUpTranscript({ iteration }),
          madeUpTranscript({ iteration, rollout: 1, spikingAgents }),
        ],
      });
    });
    for (const { transcripts } of events) onPage = keepTranscripts(onPage, transcripts);
    await storage.appendToRun('run-1', { events, standing: training });
  }
  const { events } = await wholeRun();
  const kept = events.flatMap((event) => (event.kind === 'iteration' ? event.transcripts : []));
  expect(kept).toStrictEqual(onPage);
  // The last 20 with two episodes each, 0 to 90 by tens with two, and of the other multiples of 7 below 100 the one with a spike: 13.
  expect(kept).toHaveLength(40 + 20 + 13);
});

test('an iteration that does not follow the last one is refused, and changes nothing', async () => {
  await storage.createRun(madeUpNewRun());
  await storage.appendToRun('run-1', madeUpBatch(0, 2));
  for (const [first, last] of [
    [4, 4],
    [2, 3],
    [0, 0],
  ] as const) {
    const outcome = await storage.appendToRun('run-1', madeUpBatch(first, last));
    expect(outcome).toMatchObject({ ok: false, reason: 'conflict', lastSavedIteration: 2 });
  }
  const skipping = [madeUpIteration(3), madeUpIteration(5)];
  const outcome = await storage.appendToRun('run-1', { events: skipping, standing: training });
  expect(outcome).toMatchObject({
    ok: false,
    message: expect.stringContaining('Iteration 5 came'),
  });
  expect(iterationsOf((await wholeRun()).events)).toEqual([0, 1, 2]);
});

test('a first iteration other than 0 and rows of another iteration are refused', async () => {
  await storage.createRun(madeUpNewRun());
  expect(await storage.appendToRun('run-1', madeUpBatch(1, 1))).toMatchObject({
    ok: false,
    reason: 'conflict',
  });
  const stray = madeUpIteration(0, { rows: madeUpIteration(1).rows });
  expect(await storage.appendToRun('run-1', { events: [stray], standing: training })).toMatchObject(
    { ok: false, message: expect.stringContaining('A row of iteration 1 came with iteration 0') },
  );
});

test('two tabs that write one run: the second is refused, and nothing is lost of the first', async () => {
  const other = await browser.open();
  await storage.createRun(madeUpNewRun());
  expect(await other.createRun(madeUpNewRun())).toMatchObject({ ok: false, reason: 'conflict' });
  const outcomes = await Promise.all([
    storage.appendToRun('run-1', madeUpBatch(0, 3)),
    other.appendToRun('run-1', madeUpBatch(0, 1)),
  ]);
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false]);
  expect(outcomes[1]).toMatchObject({ reason: 'conflict', lastSavedIteration: 3 });
  expect((await wholeRun()).events).toStrictEqual(madeUpBatch(0, 3).events);
});

test('appends that are not waited for take effect in their order, and a read sees those before it', async () => {
  void storage.createRun(madeUpNewRun());
  for (let i = 0; i < 6; i++) void storage.appendToRun('run-1', madeUpBatch(i, i));
  expect(iterationsOf((await wholeRun()).events)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a run that cannot be read back is not begun', async () => {
  const outcome = await storage.createRun(madeUpNewRun({ experiment: '' }));
  expect(outcome).toMatchObject({
    ok: false,
    reason: 'failed',
    message: expect.stringContaining('head.experiment'),
  });
  expect(await storage.readRun('run-1')).toMatchObject({ ok: false, reason: 'missing' });
  expect(await storage.appendToRun('run-1', madeUpBatch(0, 0))).toMatchObject({
    ok: false,
    reason: 'missing',
  });
});

test('runs are listed newest first, of one notebook where one is named', async () => {
  for (const [runId, notebookId, startedAt] of [
    ['old', 'n1', 1],
    ['new', 'n1', 3],
    ['other', 'n2', 2],
  ] as const)
    await storage.createRun(madeUpNewRun({ runId, notebookId, startedAt }));
  await storage.appendToRun('old', madeUpBatch(0, 2));
  await storage.writeCheckpoint('old', 1, Uint8Array.of(1));
  const ids = async (notebookId?: string) => {
    const listed = await storage.listRuns(notebookId);
    return listed.ok ? listed.runs.map(({ head }) => head.runId) : [];
  };
  expect(await ids()).toEqual(['new', 'other', 'old']);
  expect(await ids('n1')).toEqual(['new', 'old']);
  const listed = await storage.listRuns('n1');
  expect(listed.ok && listed.runs[1]).toMatchObject({ lastSavedIteration: 2, checkpoints: [1] });
});

test('a deleted run leaves nothing behind, and others stay', async () => {
  for (const runId of ['run-1', 'run-10']) {
    await storage.createRun(madeUpNewRun({ runId }));
    await storage.appendToRun(runId, madeUpBatch(0, 1));
    await storage.writeCheckpoint(runId, 1, Uint8Array.of(1, 2, 3));
  }
  expect(await storage.deleteRun('run-1')).toEqual({ ok: true });
  expect(await storage.deleteRun('run-1')).toEqual({ ok: true });
  expect(await storage.readRun('run-1')).toMatchObject({ ok: false, reason: 'missing' });
  expect(browser.files.contents.size).toBe(1);
  expect((await wholeRun('run-10')).events).toStrictEqual(madeUpBatch(0, 1).events);
  expect((await storage.readCheckpoint('run-10')).ok).toBe(true);
  // The id is free again, and begins with nothing.
  await storage.createRun(madeUpNewRun());
  expect((await wholeRun()).events).toEqual([]);
});

test('policies, throughput and notices keep their places among the iterations', async () => {
  const events: KeptEvent[] = [
    policiesEvent,
    { kind: 'notice', message: 'Before.' },
    madeUpIteration(0),
    throughputAfter(0),
    { kind: 'notice', message: 'Between.' },
    madeUpIteration(1),
  ];
  await storage.createRun(madeUpNewRun());
  await storage.appendToRun('run-1', { events: events.slice(0, 4), standing: training });
  await storage.appendToRun('run-1', { events: events.slice(4), standing: training });
  expect((await wholeRun()).events).toStrictEqual(events);
});
