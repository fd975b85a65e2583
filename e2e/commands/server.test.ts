import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { contentPolicy } from './contentPolicy.mjs';
import { serveFolder } from './server.mjs';

const root = mkdtempSync(join(tmpdir(), 'marlbook-server-'));
const folder = join(root, 'dist');
mkdirSync(join(folder, 'assets'), { recursive: true });
writeFileSync(join(folder, 'index.html'), '<title>page</title>');
writeFileSync(join(folder, 'assets', 'kernel.wasm'), Uint8Array.of(0, 0x61, 0x73, 0x6d));
writeFileSync(join(root, 'secret.txt'), 'outside the served folder');
afterAll(() => rmSync(root, { recursive: true }));

/** `fetch` would resolve `..` before sending; this sends the path as it is. */
function statusOfRawPath(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, path, host: '127.0.0.1' }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test.each([
  [true, 'same-origin', 'require-corp'],
  [false, null, null],
])('isolated %s: every answer says so', async (isIsolated, opener, embedder) => {
  const site = await serveFolder({ folder, isIsolated });
  for (const path of ['', 'assets/kernel.wasm']) {
    const { headers } = await fetch(`${site.url}${path}`);
    expect(headers.get('cross-origin-opener-policy')).toBe(opener);
    expect(headers.get('cross-origin-embedder-policy')).toBe(embedder);
  }
  await site.close();
});

test('every answer carries the policy that the page carries, and who may frame it', async () => {
  const site = await serveFolder({ folder });
  for (const path of ['', 'assets/kernel.wasm']) {
    const { headers } = await fetch(`${site.url}${path}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.startsWith(contentPolicy)).toBe(true);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
  await site.close();
});

test('the policy lets no script run that is not a file of the site', () => {
  const [scripts = ''] = /script-src[^;]*/.exec(contentPolicy) ?? [];
  expect(scripts.split(' ')).toEqual(['script-src', "'self'", "'wasm-unsafe-eval'"]);
  expect(contentPolicy).toContain("connect-src 'self';");
});

test('the page and its assets come from a sub-path with their media types', async () => {
  const site = await serveFolder({ folder, basePath: '/lab/marl/' });
  const page = await fetch(site.url);
  const binary = await fetch(`${site.url}assets/kernel.wasm?v=1`);
  const above = await fetch(new URL('/', site.url));
  await site.close();
  expect(await page.text()).toBe('<title>page</title>');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  // WebAssembly.compileStreaming accepts this type only.
  expect(binary.headers.get('content-type')).toBe('application/wasm');
  expect(above.status).toBe(404);
});

test('nothing outside the folder is readable, however the path is written', async () => {
  const site = await serveFolder({ folder });
  const paths = ['/../secret.txt', '/%2e%2e/secret.txt', '/assets/../../secret.txt', '/%', '/%00'];
  const statuses = await Promise.all(paths.map((path) => statusOfRawPath(site.port, path)));
  await site.close();
  expect(statuses).toEqual([404, 404, 404, 404, 404]);
});

test('writing is refused and a missing file is a 404', async () => {
  const site = await serveFolder({ folder });
  const written = await fetch(site.url, { method: 'POST', body: 'x' });
  const missing = await fetch(`${site.url}assets/none.js`);
  await site.close();
  expect([written.status, missing.status]).toEqual([405, 404]);
});

test('a taken port gives way to the next free one', async () => {
  const first = await serveFolder({ folder });
  const second = await serveFolder({ folder, port: first.port });
  await Promise.all([first.close(), second.close()]);
  expect(second.port).toBeGreaterThan(first.port);
  expect(second.port).toBeLessThan(first.port + 100);
});
