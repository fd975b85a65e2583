import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distFolder } from './commands/project.mjs';

/** Where the scripts of the built page lie. */
export const assets = join(distFolder, 'assets');

const imports = {
  /** What the browser fetches before the entry runs. */
  beforeStart: /(?:from|import)\s*[`"']\.\/([\w.-]+\.js)[`"']/g,
  /** And what it fetches when a part of the page is looked at. */
  everLoaded: /(?:from|import)\s*\(?\s*[`"']\.\/([\w.-]+\.js)[`"']/g,
} as const;

/** Names of the scripts that the page loads: its entry and what that imports. Workers are started, not imported. */
export function pageScripts(when: keyof typeof imports): readonly string[] {
  const [, entry] = /<script[^>]*src="\.\/assets\/([^"]+\.js)"/.exec(
    readFileSync(join(distFolder, 'index.html'), 'utf8'),
  ) ?? [undefined, ''];
  const seen = new Set([entry ?? '']);
  for (const name of seen) {
    const text = readFileSync(join(assets, name), 'utf8');
    for (const [, imported] of text.matchAll(imports[when])) seen.add(imported ?? '');
  }
  return [...seen];
}
