/**
 * `npm test`: installs what is missing, runs every gate, and ends with one line `N passed, N failed`. Unit and end-to-end
 * tests count one by one; every other gate counts as one.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import {
  CommandError,
  ensureDependencies,
  projectFolder,
  requireNode,
  runCommand,
  runMain,
  say,
} from './project.mjs';
import { gateCounts, playwrightCounts, vitestCounts } from './testCounts.mjs';

/** @typedef {import('./testCounts.mjs').Counts} Counts */

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {readonly [script: string, ...args: string[]]} script of package.json
 * @property {string} [report] the JSON report that the script writes
 * @property {(code: number, report: unknown) => Counts} counts
 */

const reportFolder = 'node_modules/.cache/reports';
const vitestReport = `${reportFolder}/vitest.json`;
const kernelsReport = `${reportFolder}/kernels.json`;
const pageReport = `${reportFolder}/page.json`;
const aloneReport = `${reportFolder}/alone.json`;

/** @type {readonly Stage[]} */
const stages = [
  { name: 'types', script: ['typecheck'], counts: gateCounts },
  { name: 'lint', script: ['lint'], counts: gateCounts },
  { name: 'format', script: ['format:check'], counts: gateCounts },
  { name: 'dead code', script: ['deadcode'], counts: gateCounts },
  {
    name: 'unit tests',
    script: ['unit', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    report: vitestReport,
    counts: vitestCounts,
  },
  {
    name: 'kernels',
    script: [
      'kernels',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${kernelsReport}`,
    ],
    report: kernelsReport,
    counts: vitestCounts,
  },
  { name: 'build', script: ['build', '--logLevel', 'warn'], counts: gateCounts },
  {
    name: 'end to end',
    script: ['e2e', '--project=page', '--reporter=list,json'],
    report: pageReport,
    counts: playwrightCounts,
  },
  {
    name: 'alone',
    script: ['e2e', '--project=alone', '--reporter=list,json'],
    report: aloneReport,
    counts: playwrightCounts,
  },
];

/** @param {string | undefined} path a report that may be missing or cut short when its tool crashed */
function readReport(path) {
  if (path === undefined) return null;
  try {
    return JSON.parse(readFileSync(join(projectFolder, path), 'utf8'));
  } catch {
    return null;
  }
}

/**
 * @param {Stage} stage
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<{ name: string; counts: Counts; seconds: number }>}
 */
async function runStage({ name, script: [script, ...args], report, counts }, environment) {
  say(`\n── ${name} ──`);
  const beginMs = performance.now();
  const code = await runCommand('npm', ['run', '--silent', script, '--', ...args], {
    ...environment,
    ...(report !== undefined && { PLAYWRIGHT_JSON_OUTPUT_FILE: join(projectFolder, report) }),
  });
  const seconds = (performance.now() - beginMs) / 1000;
  return { name, counts: counts(code, readReport(report)), seconds };
}

/** @param {readonly { name: string; counts: Counts; seconds: number }[]} results */
function sayTable(results) {
  say(
    `\n${'stage'.padEnd(12)}${'passed'.padStart(8)}${'failed'.padStart(8)}${'seconds'.padStart(9)}`,
  );
  for (const { name, counts, seconds } of results) {
    const cells = [`${counts.passed}`.padStart(8), `${counts.failed}`.padStart(8)];
    const skipped = counts.skipped > 0 ? `  (${counts.skipped} skipped)` : '';
    say(`${name.padEnd(12)}${cells.join('')}${seconds.toFixed(1).padStart(9)}${skipped}`);
  }
}

/** Installs what is missing. @returns {Promise<NodeJS.ProcessEnv | null>} for the stages; null when that failed */
async function prepare() {
  try {
    requireNode();
    await ensureDependencies();
    return { CHROMIUM_PATH: await ensureChromium() };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return null;
  }
}

async function main() {
  const environment = await prepare();
  if (environment === null) {
    say('0 passed, 1 failed');
    return 1;
  }
  // Reports of an earlier run must not stand in for a tool that crashes now.
  const folder = join(projectFolder, reportFolder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const results = [];
  for (const stage of stages) results.push(await runStage(stage, environment));
  sayTable(results);
  const passed = results.reduce((sum, { counts }) => sum + counts.passed, 0);
  const failed = results.reduce((sum, { counts }) => sum + counts.failed, 0);
  say(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

await runMain(main);
