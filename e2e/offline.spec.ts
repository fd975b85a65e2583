import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { distFolder } from './commands/project.mjs';
import { offlineScript, writeOfflineScript } from './commands/offlineScript.mjs';
import { serveFolder } from './commands/server.mjs';
import { NotebookPage } from './notebookPage';
import { test as base } from './notebookTest';
import { longSpec, tinySpec } from './tinySpec';

interface Deployment {
  readonly url: string;
  /** Puts a page with another title in the place of the first. */
  readonly deployNext: () => void;
  /** Likewise, but the page is still the one before: a deployment that stopped half-way. */
  readonly deployHalf: () => void;
}

/** @param script of the build that is there */
function deployNext(folder: string, script: string): void {
  const page = join(folder, 'index.html');
  const html = readFileSync(page, 'utf8').replace('<title>Marlbook', '<title>Next Marlbook');
  writeFileSync(page, html);
  writeOfflineScript(folder, script.slice(script.indexOf('\n') + 1));
}

/** A site of its own, that a newer build can be put into. */
const test = base.extend<{ deployment: Deployment }>({
  serviceWorkers: 'allow',
  deployment: async ({ browserName }, use, info) => {
    const folder = info.outputPath(`site-${browserName}`);
    cpSync(distFolder, folder, { recursive: true });
    const script = readFileSync(join(folder, offlineScript), 'utf8');
    const site = await serveFolder({ folder, basePath: '/lab/marlbook/' });
    await use({
      url: site.url,
      deployNext: () => deployNext(folder, script),
      deployHalf() {
        const page = join(folder, 'index.html');
        const before = readFileSync(page);
        deployNext(folder, script);
        writeFileSync(page, before);
      },
    });
    await site.close();
    rmSync(folder, { recursive: true });
  },
  notebook: async ({ page, deployment }, use) => {
    await use(new NotebookPage(page, deployment.url));
  },
});

/** The site is kept, and the page is answered from what is kept. */
async function kept(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.reload();
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state))
    .toBe('activated');
}

/** Asks whether there is a newer version, as the browser does by itself from time to time. */
function lookForNext(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
  });
}

test('after one visit the page opens without a network, and an experiment runs on it', async ({
  notebook,
  context,
}) => {
  const { page } = notebook;
  await notebook.openSpec({ ...tinySpec, backend: 'wasm' });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await context.setOffline(true);
  await page.reload();
  await notebook.runToEnd();
  await notebook.finished();
  expect((await notebook.rows()).length).toBeGreaterThan(0);
  // A part that was never looked at before, and a notebook that comes as a file.
  await notebook.command('Add text');
  await page.keyboard.type('$\\frac{1}{2}$');
  await page.goto(notebook.url);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'A first tour' })).toBeVisible();
});

test('the page can be installed: its manifest has a name, a start and icons that are there', async ({
  notebook,
}) => {
  const { page } = notebook;
  await notebook.open();
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
    const response = await fetch(link?.href ?? '');
    const data: unknown = await response.json();
    return data;
  });
  expect(manifest).toMatchObject({ name: 'Marlbook', start_url: './', display: 'standalone' });
  const widths = await page.evaluate(async () => {
    const icons = [192, 512].map(async (size) => {
      const image = new Image();
      image.src = new URL(`icon-${size}.png`, document.baseURI).href;
      await image.decode();
      return image.naturalWidth;
    });
    return Promise.all(icons);
  });
  expect(widths).toEqual([192, 512]);
});

test('a new version waits until the reader asks for it', async ({ notebook, deployment }) => {
  const { page } = notebook;
  await notebook.open();
  await kept(page);
  const ready = notebook.notice('A new version is ready');
  deployment.deployNext();
  await lookForNext(page);
  await expect(ready).toBeVisible();
  await page.reload();
  await expect(ready).toBeVisible();
  await expect(page).not.toHaveTitle(/^Next/);
  await ready.getByRole('button', { name: 'Reload' }).click();
  await expect(page).toHaveTitle(/^Next/);
  await expect(ready).toBeHidden();
});

test('while a run is active a new version waits for its end', async ({ notebook, deployment }) => {
  const { page } = notebook;
  await notebook.openSpec({ ...longSpec, backend: 'cpu' });
  await kept(page);
  await notebook.run.click();
  await notebook.started();
  deployment.deployNext();
  await lookForNext(page);
  const ready = notebook.notice('A new version is ready');
  await expect(ready).toContainText('waits for the end of the run');
  await expect(ready.getByRole('button')).toHaveCount(0);
  const { iteration } = await notebook.progress();
  await expect
    .poll(async () => (await notebook.progress()).iteration, { timeout: 60_000 })
    .toBeGreaterThan(iteration);
  await notebook.button('Stop').click();
  await ready.getByRole('button', { name: 'Reload' }).click();
  await expect(page).toHaveTitle(/^Next/);
});

test('a site of which a part is of another version is not kept, and the page stays what it was', async ({
  notebook,
  deployment,
}) => {
  const { page } = notebook;
  await notebook.open();
  await kept(page);
  deployment.deployHalf();
  await lookForNext(page);
  const isOver = () =>
    page.evaluate(async () => {
      const { installing, waiting } = await navigator.serviceWorker.ready;
      return installing === null && waiting === null;
    });
  await expect.poll(isOver).toBe(true);
  await expect(notebook.notice('A new version is ready')).toHaveCount(0);
  await page.reload();
  await expect(notebook.run).toBeVisible();
  await expect(page).not.toHaveTitle(/^Next/);
});
