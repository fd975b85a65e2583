import { expect } from '@playwright/test';
import { test } from './notebookTest';
import { tinySpec } from './tinySpec';
import { isOwnFile, openEverything, saveEverything } from './wholePage';

test('whatever is done with the page, it only ever reads files of its own site', async ({
  notebook,
}) => {
  const { page } = notebook;
  const strays: string[] = [];
  const read = new Set<string>();
  page.context().on('request', (request) => {
    const url = request.url();
    // Made in the page, of what the page has: nothing leaves it.
    if (/^(blob|data):/.test(url)) return;
    if (isOwnFile(request, notebook.url)) read.add(url.slice(notebook.url.length));
    else strays.push(`${request.method()} ${url}`);
  });
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('websocket', (socket) => strays.push(socket.url()));
  await page.goto(notebook.url);
  await expect(page.getByRole('heading', { level: 1, name: 'A first tour' })).toBeVisible();
  await notebook.openSpec({ ...tinySpec, backend: 'wasm' });
  await page.reload();
  await notebook.runToEnd();
  await notebook.finished();
  await saveEverything(notebook);
  await openEverything(notebook);
  expect(errors).toEqual([]);
  expect(strays).toEqual([]);
  // The record is one of the whole page: its workers, the binary they load, a saved figure's font, a recorded notebook.
  for (const kind of [/policy\.worker/, /\.wasm$/, /\.woff2$/, /^notebooks\/tour\.json/, /saveRun/])
    expect(
      [...read].some((path) => kind.test(path)),
      String(kind),
    ).toBe(true);

  // All parts are there now: only a run still reads, and that the scripts of its threads.
  const before = new Set(read);
  const later: string[] = [];
  page.context().on('request', (request) => later.push(request.url()));
  await saveEverything(notebook);
  expect(later.filter((url) => !/^(blob|data):/.test(url) && !url.endsWith('.woff2'))).toEqual([]);
  await notebook.runToEnd();
  await notebook.finished();
  expect([...read].filter((path) => !before.has(path))).toEqual([]);
  expect(strays).toEqual([]);
});
