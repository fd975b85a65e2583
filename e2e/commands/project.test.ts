import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandError, hasDependencies, hasFreshBuild, requireNode } from './project.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marlbook-project-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, content: unknown, changedSeconds = 1000): void {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
  utimesSync(file, changedSeconds, changedSeconds);
}

test.each(['20.19.0', '20.20.1', '22.0.0', '24.1.0'])('Node %s is new enough', (version) => {
  expect(() => requireNode(version)).not.toThrow();
});

test.each(['18.20.4', '20.18.9'])(
  'Node %s is refused with the version that is needed',
  (version) => {
    expect(() => requireNode(version)).toThrow(CommandError);
    expect(() => requireNode(version)).toThrow(`This is Node ${version}; Marlbook needs 20.19`);
  },
);

test('dependencies are complete when every needed package has the locked version', () => {
  const react = { version: '19.3.1' };
  const packages = {
    '': {},
    'node_modules/react': react,
    'node_modules/other-platform': { version: '1.0.0', optional: true },
  };
  write('package-lock.json', { packages });
  expect(hasDependencies(folder)).toBe(false); // nothing installed
  write('node_modules/.package-lock.json', { packages: { 'node_modules/react': react } });
  expect(hasDependencies(folder)).toBe(true); // the optional package may be absent
  write('node_modules/.package-lock.json', {
    packages: { 'node_modules/react': { version: '18.0.0' } },
  });
  expect(hasDependencies(folder)).toBe(false); // another version
});

test('a build is fresh until a source changes after it', () => {
  write('index.html', '', 1000);
  write('src/app/App.tsx', '', 1000);
  utimesSync(join(folder, 'src/app'), 1000, 1000);
  utimesSync(join(folder, 'src'), 1000, 1000);
  expect(hasFreshBuild(folder)).toBe(false); // no build at all
  write('dist/index.html', '', 2000);
  expect(hasFreshBuild(folder)).toBe(true);
  write('src/app/App.test.ts', '', 3000);
  utimesSync(join(folder, 'src/app'), 1000, 1000);
  expect(hasFreshBuild(folder)).toBe(true); // a test is not part of the page
  write('src/app/App.tsx', '', 3000);
  expect(hasFreshBuild(folder)).toBe(false);
});
