import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { siteFiles, writeOfflineScript } from './offlineScript.mjs';

const folder = mkdtempSync(join(tmpdir(), 'marlbook-offline-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), 'abc');
writeFileSync(join(folder, 'marlbook.png'), 'a picture');
writeFileSync(join(folder, 'assets', 'a.woff2'), 'a font');
writeFileSync(join(folder, 'assets', 'a.ttf'), 'the same font for others');
afterAll(() => rmSync(folder, { recursive: true }));

function versionOf(): string {
  writeOfflineScript(folder, 'start();');
  const script = readFileSync(join(folder, 'offline.js'), 'utf8');
  return /"version":"(\w+)"/.exec(script)?.[1] ?? '';
}

test('the files are listed with their hashes, without what no browser here needs and without the script itself', () => {
  versionOf();
  const files = siteFiles(folder);
  expect(files.map(({ path }) => path)).toEqual(['assets/a.woff2', 'index.html']);
  // SHA-256 of “abc”, FIPS 180-2, B.1.
  expect(files[1]?.sha256).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('equal files are one version, a changed file is another', () => {
  const version = versionOf();
  expect(version).toMatch(/^[0-9a-f]{16}$/);
  expect(versionOf()).toBe(version);
  writeFileSync(join(folder, 'index.html'), 'abd');
  expect(versionOf()).not.toBe(version);
});
