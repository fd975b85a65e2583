import { forceCloseDatabase } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databaseName, openDatabase } from './database';
import { openStorage } from './openStorage';
import { sampleNotebook } from '../notebook/testing/sampleNotebook';
import { dumpOf, loadDump, type DatabaseDump } from './testing/fakeDatabase';
import { madeUpBatch, madeUpNewRun } from './testing/madeUpRun';
import { createMemoryBrowser, type MemoryBrowser } from './testing/memoryBrowser';
import { databaseUpgrades, storeNames, type Upgrade } from './upgrades';

let browser: MemoryBrowser;

beforeEach(() => {
  browser = createMemoryBrowser();
});

afterEach(() => browser.end());

test('a browser that refuses storage is a refusal in words, not a crash', async () => {
  const opened = await openStorage(
    browser.world({
      factory: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    }),
  );
  expect(opened).toMatchObject({
    ok: false,
    reason: 'unavailable',
    message: expect.stringContaining('The operation is insecure.'),
  });
});

test('data of a newer version is refused and not touched', async () => {
  const newer = databaseUpgrades.length + 1;
  await loadDump(browser.factory, [databaseName, newer], { runs: [['run-1', 'of tomorrow']] });
  const before = await dumpOf(browser.factory, databaseName);
  expect(await openStorage(browser.world())).toMatchObject({
    ok: false,
    reason: 'newerVersion',
    message: expect.stringContaining('Nothing was touched'),
  });
  expect(await dumpOf(browser.factory, databaseName)).toStrictEqual(before);
});

test('a database of the same name that something else wrote is refused and not touched', async () => {
  await loadDump(browser.factory, [databaseName, databaseUpgrades.length], { other: [[1, 2]] });
  expect(await openStorage(browser.world())).toMatchObject({
    ok: false,
    reason: 'unavailable',
    message: expect.stringContaining('something else wrote it'),
  });
  expect(await dumpOf(browser.factory, databaseName)).toEqual({ other: [[1, 2]] });
});

test('a newer page takes the data over: this one is told, refuses what comes, and keeps what it has written', async () => {
  const storage = await browser.open();
  await storage.createRun(madeUpNewRun());
  await storage.appendToRun('run-1', madeUpBatch(0, 1));
  const told: string[] = [];
  storage.onClosed(({ message }) => told.push(message));
  await loadDump(browser.factory, [databaseName, databaseUpgrades.length + 1], { later: [] });
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('A newer Marlbook was opened in another tab');
  const closed = { ok: false, reason: 'closed' };
  expect(await storage.appendToRun('run-1', madeUpBatch(2, 2))).toEqual({
    ...closed,
    message: told[0],
    lastSavedIteration: 1,
  });
  expect(await storage.readRun('run-1')).toMatchObject(closed);
  expect(await storage.listRuns()).toMatchObject(closed);
  expect(await storage.deleteRun('run-1')).toMatchObject(closed);
  expect(await storage.readCheckpoint('run-1')).toMatchObject(closed);
  expect(await storage.saveNotebook('n1', sampleNotebook(), 1)).toMatchObject(closed);
  expect(await storage.readNotebook('n1')).toMatchObject(closed);
  expect(await storage.listNotebooks()).toMatchObject(closed);
  const { chunks } = await dumpOf(browser.factory, databaseName);
  expect(chunks).toHaveLength(1);
});

/** As a browser does when site data is cleared. Its type in the stand-in asks for the class, its code for a connection. */
const forceClose: (connection: IDBDatabase) => void = (connection) =>
  void Reflect.apply(forceCloseDatabase, undefined, [connection]);

test('a database that the browser closes by itself is told likewise', async () => {
  const connections: IDBDatabase[] = [];
  const open = browser.factory.open.bind(browser.factory);
  const factory: IDBFactory = Object.create(browser.factory, {
    open: {
      value: (name: string, version?: number) => {
        const request = open(name, version);
        request.addEventListener('success', () => connections.push(request.result));
        return request;
      },
    },
  });
  const storage = await browser.open({ factory: () => factory });
  const told: string[] = [];
  storage.onClosed(({ message }) => told.push(message));
  for (const connection of connections) forceClose(connection);
  expect(told[0]).toContain('The browser has closed what is saved');
  expect(await storage.createRun(madeUpNewRun())).toMatchObject({ ok: false, reason: 'closed' });
});

/** A step to a version that is not there yet. */
const toNext: Upgrade = async (database, transaction) => {
  const store = transaction.objectStore('notebooks');
  for (const key of await store.getAllKeys())
    await store.put({ text: await store.get(key), isNew: true }, key);
  Reflect.apply(database.createObjectStore.bind(database), undefined, ['later']);
};

const versionOne: DatabaseDump = {
  ...Object.fromEntries(storeNames.map((name) => [name, []])),
  runs: [['r', 1]],
};

test('each step of a table of upgrades is taken once, with the data that is there', async () => {
  const notebooks = [['n1', 'text']] as const;
  await loadDump(browser.factory, [databaseName, 1], { ...versionOne, notebooks });
  for (let time = 0; time < 2; time++) {
    const opened = await openDatabase(browser.world(), [...databaseUpgrades, toNext]);
    if (!opened.ok) throw new Error(opened.message);
    opened.database.close();
  }
  expect(await dumpOf(browser.factory, databaseName)).toEqual({
    ...versionOne,
    notebooks: [['n1', { text: 'text', isNew: true }]],
    later: [],
  });
});

test('an upgrade that fails in its middle leaves the data as it was, and says so', async () => {
  await loadDump(browser.factory, [databaseName, 1], versionOne);
  const failing: Upgrade = async (_database, transaction) => {
    await transaction.objectStore('runs').delete('r');
    throw new Error('Cannot go on.');
  };
  expect(await openDatabase(browser.world(), [...databaseUpgrades, failing])).toMatchObject({
    ok: false,
    reason: 'unavailable',
  });
  expect(await dumpOf(browser.factory, databaseName)).toEqual(versionOne);
});

test('an older tab that lets go is waited for; one that holds on is named after a while', async () => {
  const old = await openDatabase(browser.world());
  if (!old.ok) throw new Error(old.message);
  const upgrades = [...databaseUpgrades, toNext];
  const next = await openDatabase(browser.world(), upgrades);
  expect(next.ok).toBe(true);
  expect(old.database.closed()).toMatchObject({ reason: 'closed' });
  if (next.ok) next.database.close();
  const holding = await new Promise<IDBDatabase>((resolve) => {
    const request = browser.factory.open(databaseName);
    request.addEventListener('success', () => resolve(request.result));
  });
  const waits: number[] = [];
  const later = (callback: () => void, delayMs: number): void => {
    waits.push(delayMs);
    callback();
  };
  const blocked = await openDatabase({ ...browser.world(), later }, [...upgrades, () => undefined]);
  expect(blocked).toMatchObject({
    ok: false,
    reason: 'blocked',
    message: expect.stringContaining('Another tab with an older Marlbook'),
  });
  expect(waits).toEqual([3000]);
  // What opens after all is let go: a later page is not held up by it.
  holding.close();
  const last = await openDatabase(browser.world(), [...upgrades, () => undefined, () => undefined]);
  expect(last.ok).toBe(true);
});
