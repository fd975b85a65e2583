/** Writes the script that keeps the built site for use without a network; see `workers/offline.worker.ts`. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Its name in the site. It must lie on top: a script may only answer for what lies beside or below it. */
export const offlineScript = 'offline.js';

/** Not needed to open the page: fonts for browsers that train nothing, the picture of the README. */
const notKept = /\.(?:ttf|woff)$|^marlbook\.png$/;

/** @param {string | Uint8Array} content */
function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * The files of a built site that are kept, by name.
 * @param {string} folder
 */
export function siteFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, path: file.slice(folder.length + 1).replaceAll(sep, '/') }))
    .filter(({ path }) => path !== offlineScript && !notKept.test(path))
    .map(({ file, path }) => ({ path, sha256: sha256(readFileSync(file)) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * @param {string} folder of the built site
 * @param {string} script what the list of files goes in front of, as JavaScript
 */
export function writeOfflineScript(folder, script) {
  const files = siteFiles(folder);
  const version = sha256(JSON.stringify(files) + script).slice(0, 16);
  const site = JSON.stringify({ version, files });
  writeFileSync(join(folder, offlineScript), `const marlbookSite = ${site};\n${script}`);
}
