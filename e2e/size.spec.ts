import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { assets, pageScripts } from './builtPage';
import { test } from './notebookTest';

/** Compressed as a server sends them. Unit: kB = 1000 bytes. */
function sizeOf(names: readonly string[]): number {
  const sizes = names.map((name) => gzipSync(readFileSync(join(assets, name))).length);
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

/** Marks of libraries that a first visit has no use for before it has started. */
const lateMarks = { recharts: 'recharts-surface', katex: 'katex-html', comparison: 'cmdk-root' };

test('what the page loads before it starts is at most 170 kB compressed, without charts and text renderer', () => {
  const scripts = pageScripts('beforeStart');
  expect(scripts.length).toBeGreaterThan(1);
  expect(sizeOf(scripts)).toBeLessThanOrEqual(170);
  const texts = scripts.map((name) => readFileSync(join(assets, name), 'utf8'));
  const everything = pageScripts('everLoaded').map((name) =>
    readFileSync(join(assets, name), 'utf8'),
  );
  for (const mark of Object.values(lateMarks)) {
    // Otherwise the mark would prove nothing.
    expect(everything.some((text) => text.includes(mark))).toBe(true);
    expect(texts.filter((text) => text.includes(mark))).toEqual([]);
  }
});

/** What is fetched when a cell of the kind is first seen. Unit: kB compressed. */
const parts = [
  { part: 'charts', name: 'DependentBody', limit: 150 },
  { part: 'text', name: 'TextCellBody', limit: 125 },
  { part: 'settings', name: 'ConfigPanel', limit: 20 },
  { part: 'commands', name: 'CommandMenu', limit: 20 },
];

for (const { part, name, limit } of parts)
  test(`the ${part} are one script of at most ${limit} kB compressed`, () => {
    const scripts = readdirSync(assets).filter(
      (file) => file.startsWith(`${name}-`) && file.endsWith('.js'),
    );
    expect(scripts).toHaveLength(1);
    expect(sizeOf(scripts)).toBeLessThanOrEqual(limit);
  });
