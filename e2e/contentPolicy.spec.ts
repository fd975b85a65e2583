import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { contentPolicy } from './commands/contentPolicy.mjs';
import { distFolder } from './commands/project.mjs';
import { test } from './notebookTest';
import { tinySpec } from './tinySpec';
import { openEverything, saveEverything } from './wholePage';

/** What the policy refused, in the page and in its workers. */
function refusalsOf(page: Page): readonly string[] {
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) refusals.push(message.text());
  });
  return refusals;
}

test('the built page carries the policy before anything that it loads', () => {
  const html = readFileSync(join(distFolder, 'index.html'), 'utf8');
  const quoted = contentPolicy.replaceAll("'", '&#39;');
  const at = html.indexOf(`http-equiv="Content-Security-Policy" content="${quoted}"`);
  expect(at).toBeGreaterThan(0);
  for (const loaded of ['<script', '<link']) expect(html.indexOf(loaded)).toBeGreaterThan(at);
  expect(html).not.toMatch(/<script(?![^>]* src=)/);
});

for (const backend of ['webgpu', 'wasm'] as const)
  test(`on ${backend} nothing that the page does is refused by its policy`, async ({
    notebook,
  }) => {
    const { page } = notebook;
    const refusals = refusalsOf(page);
    await notebook.openSpec({ ...tinySpec, backend });
    await notebook.runToEnd();
    await notebook.finished();
    expect(await saveEverything(notebook)).toHaveLength(12);
    await openEverything(notebook);
    await page.goto(notebook.url);
    await expect(page.getByRole('heading', { level: 1, name: 'A first tour' })).toBeVisible();
    // Fonts of formulas come when they are first drawn.
    await page.evaluate(() => document.fonts.ready.then(() => true));
    expect(refusals).toEqual([]);
  });

test('a script that gets into the text of the page does not run, nor does a text become code', async ({
  notebook,
}) => {
  const { page } = notebook;
  const refusals = refusalsOf(page);
  await notebook.open();
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken over"';
    document.head.append(script);
    const image = document.createElement('div');
    image.innerHTML = '<img src="data:," onerror="document.title = \'taken over\'">';
    document.body.append(image);
    const link = document.createElement('a');
    link.href = 'javascript:document.title="taken over"';
    document.body.append(link);
    link.click();
    Reflect.apply(setTimeout, globalThis, ['document.title = "taken over"', 0]);
  });
  // The element, the attribute, the address and the text.
  await expect.poll(() => refusals.length).toBeGreaterThanOrEqual(4);
  expect(await page.title()).not.toContain('taken over');
});

test('nothing is sent to another origin, and none may frame the page', async ({ notebook }) => {
  const { page } = notebook;
  const asked: string[] = [];
  const other = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('content-type', 'text/html');
    response.end(`<iframe src="${notebook.url}"></iframe>`);
  });
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve);
  });
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const origin = `http://127.0.0.1:${port}`;
  try {
    await notebook.open();
    const sent = await page.evaluate(async (to) => {
      const image = new Image();
      image.src = `${to}/image`;
      navigator.sendBeacon(`${to}/beacon`, 'x');
      return fetch(`${to}/fetch`).then(
        () => 'sent',
        () => 'refused',
      );
    }, origin);
    expect(sent).toBe('refused');
    expect(asked).toEqual([]);
    // The other server is there: the page of its own is answered.
    await page.goto(`${origin}/frame`);
    expect(asked).toContain('/frame');
    const frame = page.frames().find((candidate) => candidate !== page.mainFrame());
    await expect.poll(() => frame?.url()).toMatch(/^chrome-error:/);
  } finally {
    other.closeAllConnections();
    other.close();
  }
});
