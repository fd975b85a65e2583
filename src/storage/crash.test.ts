import { expect, test } from 'vitest';
import { databaseName } from './database';
import type { RunStorage, WriteOutcome } from './storageApi';
import { dumpOf, type DatabaseDump } from './testing/fakeDatabase';
import type { FaultKind } from './testing/faults';
import { madeUpBatch, madeUpNewRun } from './testing/madeUpRun';
import { createMemoryBrowser, type MemoryBrowser } from './testing/memoryBrowser';

/** Every write fails at every one of its steps: by the end of the page, and for lack of space. */

type Action = (storage: RunStorage) => Promise<WriteOutcome>;

/** A run of 25 iterations, so that the next ones forget episodes, and two checkpoints. */
async function prepared(): Promise<{ browser: MemoryBrowser; storage: RunStorage }> {
  const browser = createMemoryBrowser();
  const storage = await browser.open();
  await storage.createRun(madeUpNewRun());
  await storage.appendToRun('run-1', madeUpBatch(0, 24));
  await storage.writeCheckpoint('run-1', 10, bytesOf(10));
  await storage.writeCheckpoint('run-1', 20, bytesOf(20));
  browser.faults.disarm();
  return { browser, storage };
}

/** Two and a half parts. */
function bytesOf(iteration: number): Uint8Array {
  return new Uint8Array(2.5 * 2 ** 20).fill(iteration);
}

interface Disk {
  readonly rows: DatabaseDump;
  readonly files: readonly string[];
}

/** What is on the disk once the storage has been opened anew. */
async function diskAfter(browser: MemoryBrowser): Promise<Disk> {
  browser.faults.disarm();
  await browser.open();
  const rows = await dumpOf(browser.factory, databaseName);
  return { rows, files: [...browser.files.contents.keys()].toSorted() };
}

async function undisturbed(action: Action): Promise<{ before: Disk; after: Disk; steps: number }> {
  const { browser, storage } = await prepared();
  const before = await diskAfter(browser);
  browser.faults.disarm();
  expect(await action(storage)).toMatchObject({ ok: true });
  const steps = browser.faults.seen();
  const after = await diskAfter(browser);
  await browser.end();
  return { before, after, steps };
}

const actions: Readonly<Record<string, Action>> = {
  'a batch': (storage) => storage.appendToRun('run-1', madeUpBatch(25, 26)),
  'a checkpoint': (storage) => storage.writeCheckpoint('run-1', 24, bytesOf(24)),
  'a checkpoint in place of one': (storage) => storage.writeCheckpoint('run-1', 20, bytesOf(21)),
  'a way back': (storage) => storage.truncateRun('run-1', 15),
  'a deletion': (storage) => storage.deleteRun('run-1'),
};

async function disturbed(
  action: Action,
  [kind, step]: readonly [FaultKind, number],
): Promise<{ outcome: WriteOutcome; disk: Disk }> {
  const { browser, storage } = await prepared();
  browser.faults.arm(kind, step);
  const outcome = await action(storage);
  const disk = await diskAfter(browser);
  await browser.end();
  return { outcome, disk };
}

for (const [name, action] of Object.entries(actions))
  test(`${name} that is cut off at any step was not begun, or is whole; no file is left over`, async () => {
    const { before, after, steps } = await undisturbed(action);
    expect(steps).toBeGreaterThan(3);
    const found = new Set<string>();
    for (let step = 0; step < steps; step++) {
      const { outcome, disk } = await disturbed(action, ['crash', step]);
      expect(disk).toStrictEqual(outcome.ok ? after : before);
      found.add(outcome.ok ? 'after' : 'before');
    }
    expect(found).toContain('before');
  });

for (const [name, action] of Object.entries(actions))
  test(`${name} that finds no space at any step is refused as such, and leaves what was there`, async () => {
    const { before, after, steps } = await undisturbed(action);
    for (let step = 0; step < steps; step++) {
      const { outcome, disk } = await disturbed(action, ['quota', step]);
      if (outcome.ok) expect(disk).toStrictEqual(after);
      else {
        expect(outcome.reason).toBe('quota');
        expect(disk).toStrictEqual(before);
      }
    }
  });

test('without space the run is refused until it is tried again, says how far it is safe, and other runs go on', async () => {
  const { browser, storage } = await prepared();
  await storage.createRun(madeUpNewRun({ runId: 'run-2' }));
  browser.faults.arm('quota', 0);
  const refused = await storage.appendToRun('run-1', madeUpBatch(25, 26));
  expect(refused).toMatchObject({ ok: false, reason: 'quota', lastSavedIteration: 24 });
  expect(!refused.ok && refused.message).toContain('Iterations 25 to 26 of the run');
  browser.faults.disarm();
  // There is space again, but nobody has said so.
  expect(await storage.appendToRun('run-1', madeUpBatch(25, 26))).toEqual(refused);
  expect(await storage.writeCheckpoint('run-1', 24, bytesOf(24))).toEqual(refused);
  expect(browser.faults.seen()).toBe(0);
  expect(storage.refusalOf('run-1')).toMatchObject({ reason: 'quota' });
  expect(storage.refusalOf('run-2')).toBeNull();
  expect(await storage.appendToRun('run-2', madeUpBatch(0, 0))).toMatchObject({ ok: true });
  storage.retryRun('run-1');
  expect(storage.refusalOf('run-1')).toBeNull();
  expect(await storage.appendToRun('run-1', madeUpBatch(25, 26))).toMatchObject({ ok: true });
  const read = await storage.readRun('run-1');
  expect(read.ok && read.run.lastSavedIteration).toBe(26);
  await browser.end();
});

test('a notebook without space keeps its earlier text', async () => {
  const { browser, storage } = await prepared();
  const { sampleNotebook } = await import('../notebook/testing/sampleNotebook');
  const notebook = sampleNotebook();
  await storage.saveNotebook('n1', notebook, 1);
  browser.faults.arm('quota', 0);
  expect(await storage.saveNotebook('n1', { ...notebook, title: 'Later' }, 2)).toMatchObject({
    ok: false,
    reason: 'quota',
  });
  browser.faults.disarm();
  expect(await storage.readNotebook('n1')).toEqual({ ok: true, notebook, savedAt: 1 });
  await browser.end();
});
