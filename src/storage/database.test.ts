import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databaseName } from './database';
import { openStorage } from './openStorage';
import { sampleNotebook } from '../notebook/testing/sampleNotebook';
import { dumpOf, loadDump } from './testing/fakeDatabase';
import { madeUpBatch, madeUpNewRun } from './testing/madeUpRun';
import { createMemoryBrowser, type MemoryBrowser } from './testing/memoryBrowser';
import { databaseUpgrades } from './upgrades';

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

test('a database that the browser closes by itself is told likewise', async () => {
  let connection: IDBDatabase | undefined;
  const open = browser.factory.open.bind(browser.factory);
  const factory: IDBFactory = Object.create(browser.factory, {
    open: {
      value: (name: string, version?: number) => {
        const request = open(name, version);
        request.addEventListener('success', () => (connection = request.result));
        return request;
      },
    },
  });
  const storage = await browser.open({ factory: () => factory });
  const told: string[] = [];
  storage.onClosed(({ message }) => told.push(message));
  connection?.dispatchEvent(new Event('close'));
  expect(told[0]).toContain('The browser has closed what is saved');
  expect(await storage.createRun(madeUpNewRun())).toMatchObject({ ok: false, reason: 'closed' });
});

test('an older tab that holds on is named after a while; what opens later is let go', async () => {
  const old = await new Promise<IDBDatabase>((resolve) => {
    const request = browser.factory.open(databaseName, 0.5 + 0.5);
    request.addEventListener('success', () => resolve(request.result));
  });
  // The version before the first is none: a database without stores stands for any older one.
  const held = new IDBFactory();
  expect(held).not.toBe(browser.factory);
  old.close();
});
