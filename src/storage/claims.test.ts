import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleNotebook } from '../notebook/testing/sampleNotebook';
import { claimNotebook, type Locks } from './claims';
import type { RunStorage, StorageNews } from './storageApi';
import { madeUpBatch, madeUpNewRun } from './testing/madeUpRun';
import { createMemoryBrowser, type MemoryBrowser } from './testing/memoryBrowser';

let browser: MemoryBrowser;
let first: RunStorage;
let second: RunStorage;

beforeEach(async () => {
  browser = createMemoryBrowser();
  first = await browser.open();
  second = await browser.open();
});

afterEach(() => browser.end());

/** Until everything that is under way in this thread has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

test('one tab writes a notebook; the next in line becomes the writer when it leaves, and is told', async () => {
  const writer = await first.claimNotebook('n1');
  const reader = await second.claimNotebook('n1');
  const third = await (await browser.open()).claimNotebook('n1');
  const told: string[] = [];
  reader.onChange((isWriter) => told.push(`second ${String(isWriter)}`));
  third.onChange((isWriter) => told.push(`third ${String(isWriter)}`));
  expect([writer, reader, third].map((claim) => claim.isWriter())).toEqual([true, false, false]);
  await settled();
  expect(told).toEqual([]);
  writer.release();
  await settled();
  expect(told).toEqual(['second true']);
  expect([writer, reader, third].map((claim) => claim.isWriter())).toEqual([false, true, false]);
  reader.release();
  await settled();
  expect(told).toEqual(['second true', 'third true']);
});

test('other notebooks are not concerned, and a closed tab leaves all of its own', async () => {
  const own = await first.claimNotebook('n1');
  const other = await second.claimNotebook('n2');
  expect([own.isWriter(), other.isWriter()]).toEqual([true, true]);
  expect(await second.claimedNotebooks()).toEqual(new Set(['n1', 'n2']));
  const waiting = await second.claimNotebook('n1');
  await first.close();
  await settled();
  expect(waiting.isWriter()).toBe(true);
});

test('a reader can take over; the tab that wrote is told, waits, and gets it back', async () => {
  const writer = await first.claimNotebook('n1');
  const reader = await second.claimNotebook('n1');
  const told: boolean[] = [];
  writer.onChange((isWriter) => told.push(isWriter));
  reader.takeOver();
  await settled();
  expect([writer.isWriter(), reader.isWriter()]).toEqual([false, true]);
  reader.release();
  await settled();
  expect([writer.isWriter(), reader.isWriter()]).toEqual([true, false]);
  expect(told).toEqual([false, true]);
});

test('however often it is taken over, there is one writer, and nobody holds it twice', async () => {
  const claims = [await first.claimNotebook('n1'), await second.claimNotebook('n1')];
  for (let turn = 1; turn < 6; turn++) {
    claims[turn % 2]!.takeOver();
    await settled();
    expect(claims.map((claim) => claim.isWriter())).toEqual([turn % 2 === 0, turn % 2 === 1]);
  }
  claims[1]!.release();
  claims[0]!.release();
  await settled();
  expect(await first.claimedNotebooks()).toEqual(new Set());
});

test('a tab that leaves while it waits is not made the writer', async () => {
  const writer = await first.claimNotebook('n1');
  const reader = await second.claimNotebook('n1');
  const told: boolean[] = [];
  reader.onChange((isWriter) => told.push(isWriter));
  await settled();
  reader.release();
  writer.release();
  await settled();
  expect(told).toEqual([]);
  expect((await first.claimNotebook('n1')).isWriter()).toBe(true);
});

test('where a browser has no locks, or refuses them, every tab writes', async () => {
  expect((await claimNotebook(null, 'n1')).isWriter()).toBe(true);
  const refusing: Locks = {
    request: () => Promise.reject(new DOMException('Not here.', 'SecurityError')),
    query: () => Promise.resolve({ held: [], pending: [] }),
  };
  expect((await claimNotebook(refusing, 'n1')).isWriter()).toBe(true);
});

test('other tabs hear what was written, the tab itself does not', async () => {
  const heard: StorageNews[] = [];
  const own: StorageNews[] = [];
  second.onNews((news) => heard.push(news));
  first.onNews((news) => own.push(news));
  await first.createRun(madeUpNewRun());
  await first.appendToRun('run-1', madeUpBatch(0, 2));
  await first.appendToRun('run-1', madeUpBatch(9, 9));
  await first.saveNotebook('n1', sampleNotebook(), 5);
  await first.deleteRun('run-1');
  await first.deleteNotebook('n1');
  await settled();
  const saved = { kind: 'runSaved', runId: 'run-1', notebookId: 'notebook-1' };
  expect(heard).toEqual([
    { ...saved, lastSavedIteration: null },
    { ...saved, lastSavedIteration: 2 },
    { kind: 'notebookSaved', notebookId: 'n1', savedAt: 5 },
    { kind: 'runDeleted', runId: 'run-1' },
    { kind: 'notebookDeleted', notebookId: 'n1' },
  ]);
  expect(own).toEqual([]);
});

test('messages that are no news, and news after the end of listening, reach nobody', async () => {
  const heard: StorageNews[] = [];
  const posted: BroadcastChannel[] = [];
  const channel = (): BroadcastChannel => {
    posted.push(new BroadcastChannel('marlbook.test.foreign'));
    return posted.at(-1)!;
  };
  const listening = await browser.open({ channel });
  const end = listening.onNews((news) => heard.push(news));
  const foreign = channel();
  foreign.postMessage({ kind: 'runDeleted' });
  foreign.postMessage({ kind: 'runDeleted', runId: 'r', more: 1 });
  foreign.postMessage('rubbish');
  foreign.postMessage({ kind: 'runDeleted', runId: 'r' });
  await settled();
  expect(heard).toEqual([{ kind: 'runDeleted', runId: 'r' }]);
  end();
  foreign.postMessage({ kind: 'runDeleted', runId: 'r' });
  await settled();
  expect(heard).toHaveLength(1);
  foreign.close();
});
