import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { assets, pageScripts } from './builtPage';
import { test } from './notebookTest';
import { tinySpec } from './tinySpec';

/** Said by tfjs when no backend is registered: in every bundle that holds its core. */
const tfjsMark = 'No backend found in registry';

function holdsTfjs(name: string): boolean {
  return readFileSync(join(assets, name), 'utf8').includes(tfjsMark);
}

test('no script of the page holds tfjs; the scripts of the workers do', () => {
  const scripts = pageScripts('everLoaded');
  // The entry and at least the charts, which are loaded later.
  expect(scripts.length).toBeGreaterThan(1);
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
