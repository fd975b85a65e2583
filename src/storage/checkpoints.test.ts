import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CheckpointFiles } from './checkpointFiles';
import { databaseName } from './database';
import type { RunStorage } from './storageApi';
import { dumpOf, loadDump, type DatabaseDump } from './testing/fakeDatabase';
import { madeUpBatch, madeUpNewRun } from './testing/madeUpRun';
import { createMemoryBrowser, type MemoryBrowser } from './testing/memoryBrowser';
import { databaseUpgrades } from './upgrades';

let browser: MemoryBrowser;
let storage: RunStorage;

beforeEach(async () => {
  browser = createMemoryBrowser();
  storage = await browser.open();
  await storage.createRun(madeUpNewRun());
  await storage.appendToRun('run-1', madeUpBatch(0, 9));
});

afterEach(() => browser.end());

/** Of a length that is no multiple of a part. */
const bytesOf = (iteration: number): Uint8Array =>
  Uint8Array.from({ length: 2 ** 20 + 7 }, (_, i) => (i * 31 + iteration) % 251);

async function writeAll(...iterations: readonly number[]): Promise<void> {
  for (const iteration of iterations)
    expect(await storage.writeCheckpoint('run-1', iteration, bytesOf(iteration))).toEqual({
      ok: true,
      lastSavedIteration: 9,
    });
}

/** Changes the file of a checkpoint on the disk; null removes it. */
function damage(iteration: number, change: (bytes: Uint8Array) => Uint8Array | null): void {
  const { contents } = browser.files;
  for (const [name, bytes] of [...contents]) {
    if (!name.startsWith(`run-1.${iteration}.`)) continue;
    const changed = change(bytes);
    if (changed === null) contents.delete(name);
    else contents.set(name, changed);
  }
}

async function changeRows(change: (dump: DatabaseDump) => DatabaseDump): Promise<void> {
  const dump = await dumpOf(browser.factory, databaseName);
  await loadDump(browser.factory, [databaseName, databaseUpgrades.length], change(dump));
}

test('the newest checkpoint comes back byte by byte, also from a part of a larger buffer', async () => {
  await writeAll(3);
  const part = Uint8Array.of(9, 1, 2, 3, 9).subarray(1, 4);
  await storage.writeCheckpoint('run-1', 5, part);
  const read = await (await browser.open()).readCheckpoint('run-1');
  expect(read).toEqual({ ok: true, iteration: 5, bytes: Uint8Array.of(1, 2, 3), skipped: [] });
});

test('the newest two stay, whatever came before', async () => {
  await writeAll(0, 1, 4, 8);
  const listed = await storage.listRuns();
  expect(listed.ok && listed.runs[0]?.checkpoints).toEqual([4, 8]);
  expect(browser.files.contents.size).toBe(2);
});

test('a checkpoint of the same iteration takes the place of the one before', async () => {
  await writeAll(3, 8);
  await storage.writeCheckpoint('run-1', 8, Uint8Array.of(1));
  expect(await storage.readCheckpoint('run-1')).toMatchObject({
    iteration: 8,
    bytes: Uint8Array.of(1),
  });
  expect(browser.files.contents.size).toBe(2);
});

test.each([
  ['one bit', (bytes: Uint8Array) => bytes.with(2 ** 20 + 1, bytes[2 ** 20 + 1]! ^ 1), 'checksum'],
  ['its end', (bytes: Uint8Array) => bytes.slice(0, -1), `has ${2 ** 20 + 6} bytes, expected`],
  ['everything', () => new Uint8Array(0), 'has 0 bytes'],
  ['its file', () => null, 'Its file is gone'],
])(
  'a checkpoint that has lost %s is passed over with the reason, for the one before',
  async (_, change, reason) => {
    await writeAll(3, 8);
    damage(8, change);
    expect(await storage.readCheckpoint('run-1')).toEqual({
      ok: true,
      iteration: 3,
      bytes: bytesOf(3),
      skipped: [{ iteration: 8, reason: expect.stringContaining(reason) }],
    });
  },
);

test('a file that cannot be read, and an entry that is damaged, are passed over likewise', async () => {
  await writeAll(3, 8);
  const files: CheckpointFiles = {
    ...browser.files,
    read: (name) =>
      name.startsWith('run-1.8.') ? Promise.reject(new Error('Disk.')) : browser.files.read(name),
  };
  const other = await browser.open({ files });
  expect(await other.readCheckpoint('run-1')).toMatchObject({
    iteration: 3,
    skipped: [{ iteration: 8, reason: 'Its file could not be read: Disk.' }],
  });
  await changeRows((dump) => ({
    ...dump,
    checkpoints: dump['checkpoints']!.map(([key], i) => [key, { file: '../x', length: i }]),
  }));
  const read = await storage.readCheckpoint('run-1');
  expect(read).toMatchObject({
    ok: false,
    reason: 'none',
    skipped: [{ iteration: 8 }, { iteration: 3 }],
  });
  expect(read.skipped[0]?.reason).toContain('Its entry is damaged');
});

test('a run without checkpoints says so', async () => {
  expect(await storage.readCheckpoint('run-1')).toEqual({
    ok: false,
    reason: 'none',
    message: 'The run has no saved checkpoint: it can only be started anew.',
    skipped: [],
  });
});

test('a checkpoint must be of a saved iteration, not before the newest one, and of a run that is there', async () => {
  await writeAll(5);
  expect(await storage.writeCheckpoint('run-1', 10, bytesOf(10))).toMatchObject({
    ok: false,
    reason: 'conflict',
    message: expect.stringContaining('saved up to 9'),
  });
  expect(await storage.writeCheckpoint('run-1', 4, bytesOf(4))).toMatchObject({
    ok: false,
    reason: 'conflict',
    message: expect.stringContaining('there is one of iteration 5'),
  });
  expect(await storage.writeCheckpoint('run-2', 0, bytesOf(0))).toMatchObject({
    reason: 'missing',
  });
  expect(() => storage.writeCheckpoint('run-1', 1.5, bytesOf(0))).toThrow('name an iteration');
  expect(browser.files.contents.size).toBe(1);
});

test('a run that is deleted by another tab while its checkpoint is being written keeps no file', async () => {
  const other = await browser.open();
  const files: CheckpointFiles = {
    ...browser.files,
    async write(name, parts) {
      await browser.files.write(name, parts);
      await other.deleteRun('run-1');
    },
  };
  const third = await browser.open({ files });
  expect(await third.writeCheckpoint('run-1', 5, bytesOf(5))).toMatchObject({ reason: 'missing' });
  expect(browser.files.contents.size).toBe(0);
});

test('opening removes files that nobody names, but not while a tab is writing one', async () => {
  await writeAll(3);
  browser.files.contents.set('run-1.7.left', Uint8Array.of(1));
  let isOpened = false;
  const files: CheckpointFiles = {
    ...browser.files,
    async write(name, parts) {
      await browser.files.write(name, parts);
      await browser.open();
      isOpened = true;
    },
  };
  const other = await browser.open({ files });
  expect(browser.files.contents.size).toBe(1);
  browser.files.contents.set('run-1.7.left', Uint8Array.of(1));
  expect(await other.writeCheckpoint('run-1', 8, bytesOf(8))).toMatchObject({ ok: true });
  expect(isOpened).toBe(true);
  expect(browser.files.contents.has('run-1.7.left')).toBe(true);
  expect(await storage.readCheckpoint('run-1')).toMatchObject({ iteration: 8, skipped: [] });
  await browser.open();
  expect(browser.files.contents.has('run-1.7.left')).toBe(false);
  expect(browser.files.contents.size).toBe(2);
});

test('a browser without files keeps runs all the same, and says that there are no checkpoints', async () => {
  const none = (): Promise<never> => Promise.reject(new Error('No files here.'));
  const other = await browser.open({
    files: { write: none, read: none, remove: none, list: none },
  });
  expect(await other.appendToRun('run-1', madeUpBatch(10, 10))).toMatchObject({ ok: true });
  expect(await other.writeCheckpoint('run-1', 5, bytesOf(5))).toEqual({
    ok: false,
    reason: 'failed',
    message:
      'The checkpoint of iteration 5 could not be saved: No files here. Try again, or reload the page.',
    lastSavedIteration: 10,
  });
});
