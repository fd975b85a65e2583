import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { distFolder } from './commands/project.mjs';
import { test } from './notebookTest';
import { tinySpec } from './tinySpec';

const assets = join(distFolder, 'assets');

/** Said by tfjs when no backend is registered: in every bundle that holds its core. */
const tfjsMark = 'No backend found in registry';

/** Scripts that the page loads: its entry and what that imports, now or later. Workers are started, not imported. */
function pageScripts(): readonly string[] {
  const [, entry] = /<script[^>]*src="\.\/assets\/([^"]+\.js)"/.exec(
    readFileSync(join(distFolder, 'index.html'), 'utf8'),
  ) ?? [undefined, ''];
  const seen = new Set([entry ?? '']);
  for (const name of seen) {
    const text = readFileSync(join(assets, name), 'utf8');
    for (const [, imported] of text.matchAll(
      /(?:from|import)\s*\(?\s*[`"']\.\/([\w.-]+\.js)[`"']/g,
    ))
      seen.add(imported ?? '');
  }
  return [...seen];
}

test('no script of the page holds tfjs; the scripts of the workers do', () => {
  const scripts = pageScripts();
  // The entry and at least the charts, which are loaded later.
  expect(scripts.length).toBeGreaterThan(1);
  const holdsTfjs = (name: string): boolean =>
    readFileSync(join(assets, name), 'utf8').includes(tfjsMark);
  expect(scripts.filter(holdsTfjs)).toEqual([]);
  const others = readdirSync(assets).filter(
    (name) => name.endsWith('.js') && !scripts.includes(name),
  );
  expect(others.filter(holdsTfjs)).not.toEqual([]);
});

test('every request of a page at a sub-path stays below it, while it loads, runs, is edited and read', async ({
  notebook,
}) => {
  const requests: string[] = [];
  const failures: string[] = [];
  notebook.page.on('request', (request) => requests.push(request.url()));
  notebook.page.on('response', (response) => {
    if (!response.ok()) failures.push(`${response.status()} ${response.url()}`);
  });
  await notebook.openSpec({ ...tinySpec, backend: 'wasm' });
  await notebook.runToEnd();
  await notebook.finished();
  await notebook.set('Groups', 'Group size', '8');
  await expect(await notebook.tableRows('Success', 'Success')).not.toHaveCount(0);
  await notebook.button('Use dark colours').click();
  // The recording sees workers too, and the binary that they load.
  expect(requests.some((url) => url.includes('policy.worker'))).toBe(true);
  expect(requests.some((url) => url.endsWith('.wasm'))).toBe(true);
  const strays = requests.filter(
    (url) => !url.startsWith(notebook.url) && !/^(blob|data):/.test(url),
  );
  expect(strays).toEqual([]);
  expect(failures).toEqual([]);
});

test('a page without errors: nothing is thrown and nothing is logged as an error', async ({
  notebook,
}) => {
  const errors: string[] = [];
  notebook.page.on('pageerror', (error) => errors.push(error.message));
  notebook.page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await notebook.openSpec(tinySpec);
  await notebook.runToEnd();
  await notebook.finished();
  expect(errors).toEqual([]);
});
