import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyNotebook } from '../notebook/notebook';
import { sampleNotebook } from '../notebook/testing/sampleNotebook';
import { databaseName } from './database';
import type { RunStorage } from './storageApi';
import { dumpOf, loadDump } from './testing/fakeDatabase';
import { createMemoryBrowser, type MemoryBrowser } from './testing/memoryBrowser';
import { databaseUpgrades } from './upgrades';

let browser: MemoryBrowser;
let storage: RunStorage;

beforeEach(async () => {
  browser = createMemoryBrowser();
  storage = await browser.open();
});

afterEach(() => browser.end());

async function putRow(id: string, row: unknown): Promise<void> {
  const dump = await dumpOf(browser.factory, databaseName);
  const notebooks = [...dump['notebooks']!.filter(([key]) => key !== id), [id, row] as const];
  await loadDump(browser.factory, [databaseName, databaseUpgrades.length], { ...dump, notebooks });
}

test('a notebook comes back as it was saved last, after the page was closed', async () => {
  const notebook = sampleNotebook();
  expect(await storage.saveNotebook('n1', emptyNotebook('First'), 1)).toEqual({ ok: true });
  expect(await storage.saveNotebook('n1', notebook, 2)).toEqual({ ok: true });
  const read = await (await browser.open()).readNotebook('n1');
  expect(read).toStrictEqual({ ok: true, notebook, savedAt: 2 });
});

test('notebooks are listed latest first, and a deleted one is gone', async () => {
  await storage.saveNotebook('a', emptyNotebook('A'), 1);
  await storage.saveNotebook('b', emptyNotebook('B'), 3);
  await storage.saveNotebook('c', emptyNotebook('C'), 2);
  expect(await storage.deleteNotebook('c')).toEqual({ ok: true });
  expect(await storage.deleteNotebook('c')).toEqual({ ok: true });
  expect(await storage.listNotebooks()).toEqual({
    ok: true,
    notebooks: [
      { notebookId: 'b', title: 'B', savedAt: 3 },
      { notebookId: 'a', title: 'A', savedAt: 1 },
    ],
    damaged: [],
  });
  expect(await storage.readNotebook('c')).toMatchObject({
    ok: false,
    reason: 'missing',
    text: null,
  });
});

test('a damaged notebook is told with the place and its text, and harms no other', async () => {
  await storage.saveNotebook('good', sampleNotebook(), 1);
  await putRow('cut', { title: 'Cut', savedAt: 1, text: '{"notebook": {"ver' });
  await putRow('odd', {
    title: 'Odd',
    savedAt: 1,
    text: '{"version": 1, "title": 7, "cells": []}',
  });
  await putRow('bad', 17);
  expect(await storage.readNotebook('cut')).toMatchObject({
    ok: false,
    reason: 'damaged',
    text: '{"notebook": {"ver',
    issues: [{ path: 'text', message: 'A text came that is no JSON.' }],
  });
  expect(await storage.readNotebook('odd')).toMatchObject({
    reason: 'damaged',
    message: expect.stringContaining('title: 7 came, expected text.'),
  });
  expect(await storage.readNotebook('bad')).toMatchObject({ reason: 'damaged', text: null });
  expect((await storage.readNotebook('good')).ok).toBe(true);
  const listed = await storage.listNotebooks();
  expect(listed.ok && listed.damaged.map(({ id }) => id)).toEqual(['bad']);
  expect(listed.ok && listed.notebooks).toHaveLength(3);
  await storage.deleteNotebook('bad');
  const after = await storage.listNotebooks();
  expect(after.ok && after.damaged).toEqual([]);
});

test('the browser is asked for room and for persistence; where it does not answer, that is said', async () => {
  expect(await storage.estimateSpace()).toBeNull();
  expect(await storage.requestPersistence()).toBeNull();
  const asked = await browser.open({
    space: {
      persist: () => Promise.resolve(true),
      estimate: () => Promise.resolve({ usage: 5, quota: 10 }),
    },
  });
  expect(await asked.estimateSpace()).toEqual({ usageBytes: 5, quotaBytes: 10 });
  expect(await asked.requestPersistence()).toBe(true);
  const silent = await browser.open({
    space: { persist: () => Promise.reject(new Error('No.')), estimate: () => Promise.resolve({}) },
  });
  expect(await silent.estimateSpace()).toBeNull();
  expect(await silent.requestPersistence()).toBeNull();
});
