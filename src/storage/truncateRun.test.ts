import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeptEvent, RunStorage, StoredRun } from './storageApi';
import { databaseName } from './database';
import { databaseUpgrades } from './upgrades';
import { dumpOf, loadDump } from './testing/fakeDatabase';
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

async function wholeRun(runId = 'run-1'): Promise<StoredRun> {
  const read = await storage.readRun(runId);
  if (!read.ok) throw new Error(`${read.message} ${JSON.stringify(read.issues)}`);
  return read.run;
}

/** Twelve iterations in batches of these lengths. */
async function runInBatches(lengths: readonly number[], runId = 'run-1'): Promise<void> {
  await storage.createRun(madeUpNewRun({ runId }));
  let first = 0;
  for (const length of lengths) {
    await storage.appendToRun(runId, madeUpBatch(first, first + length - 1));
    first += length;
  }
}

test('taken back, a run is as it was behind that iteration, and goes on from there', async () => {
  await runInBatches([4, 4, 4]);
  for (const iteration of [5, 9])
    await storage.writeCheckpoint('run-1', iteration, Uint8Array.of(iteration));
  expect(await storage.truncateRun('run-1', 5)).toEqual({ ok: true, lastSavedIteration: 5 });
  const run = await wholeRun();
  expect(run.events).toStrictEqual(madeUpBatch(0, 5).events);
  expect(run.standing).toEqual({ phase: 'paused', message: null, endedAt: null });
  expect(run.checkpoints).toEqual([5]);
  expect(browser.files.contents.size).toBe(1);
  expect(await storage.appendToRun('run-1', madeUpBatch(6, 7))).toEqual({
    ok: true,
    lastSavedIteration: 7,
  });
  expect((await wholeRun()).events).toStrictEqual(madeUpBatch(0, 7).events);
});

test('whatever the batches and the iteration: what is left is what was told up to the next one', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
      fc.nat(20),
      async (lengths, iteration) => {
        const runId = `run-${number++}`;
        await runInBatches(lengths, runId);
        const last = lengths.reduce((sum, length) => sum + length, -1);
        const end = Math.min(last, iteration);
        expect(await storage.truncateRun(runId, iteration)).toEqual({
          ok: true,
          lastSavedIteration: end,
        });
        expect((await wholeRun(runId)).events).toStrictEqual(madeUpBatch(0, end).events);
      },
    ),
    { numRuns: 40 },
  );
});

test('words that were told behind the iteration stay, whichever batch they came in', async () => {
  const events: readonly (readonly KeptEvent[])[] = [
    [policiesEvent, madeUpIteration(0)],
    [throughputAfter(0)],
    [{ kind: 'notice', message: 'Kept.' }, madeUpIteration(1), throughputAfter(1)],
    [{ kind: 'notice', message: 'Gone.' }, madeUpIteration(2)],
    [throughputAfter(2)],
  ];
  await storage.createRun(madeUpNewRun());
  for (const batch of events)
    await storage.appendToRun('run-1', { events: batch, standing: training });
  await storage.truncateRun('run-1', 0);
  expect((await wholeRun()).events).toStrictEqual([...events[0]!, ...events[1]!, events[2]![0]]);
});

test('an end that is damaged is cut off; an iteration in damage is not reached, and nothing changes', async () => {
  await runInBatches([4, 4, 4]);
  await storage.close();
  const dump = await dumpOf(browser.factory, databaseName);
  const chunks = dump['chunks']!.map(
    ([key, value], i) => [key, i === 1 ? 'rubbish' : value] as const,
  );
  await loadDump(browser.factory, [databaseName, databaseUpgrades.length], { ...dump, chunks });
  storage = await browser.open();
  const before = await dumpOf(browser.factory, databaseName);
  expect(await storage.truncateRun('run-1', 5)).toMatchObject({ ok: false, reason: 'damaged' });
  expect(await dumpOf(browser.factory, databaseName)).toStrictEqual(before);
  expect(await storage.truncateRun('run-1', 3)).toEqual({ ok: true, lastSavedIteration: 3 });
  expect((await wholeRun()).events).toStrictEqual(madeUpBatch(0, 3).events);
});

test('only an iteration can be gone back to, and only in a run that is there', async () => {
  expect(() => storage.truncateRun('run-1', -1)).toThrow('name an iteration, from 0');
  expect(await storage.truncateRun('run-1', 0)).toMatchObject({ ok: false, reason: 'missing' });
});
