/**
 * `npm test`: installs what is missing, runs every gate, and ends with one line `N passed, N failed`. Unit and end-to-end
 * tests count one by one; every other gate counts as one.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import {
  CommandError,
  ensureDependencies,
  projectFolder,
  requireNode,
  runMain,
  runTool,
  say,
} from './project.mjs';
import { gateCounts, playwrightCounts, vitestCounts } from './testCounts.mjs';

/** @typedef {import('./testCounts.mjs').Counts} Counts */

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {readonly [packageName: string, tool: string, ...args: string[]]} tool
 * @property {string} [report] name of the JSON report that the tool writes
 * @property {(code: number, report: unknown) => Counts} counts
 */

const reportFolder = join(projectFolder, 'node_modules', '.cache', 'reports');
const vitestReport = join(reportFolder, 'vitest.json');
const playwrightReport = join(reportFolder, 'playwright.json');
const linted = ['src', 'workers', 'e2e', 'vite.config.ts', 'playwright.config.ts'];

/** @type {readonly Stage[]} */
const stages = [
  { name: 'types', tool: ['typescript', 'tsc', '-b'], counts: gateCounts },
  {
    name: 'lint',
    tool: ['oxlint', 'oxlint', '--type-aware', '--deny-warnings', ...linted],
    counts: gateCounts,
  },
  { name: 'format', tool: ['prettier', 'prettier', '--check', '.'], counts: gateCounts },
  { name: 'dead code', tool: ['knip', 'knip'], counts: gateCounts },
  {
    name: 'unit tests',
    tool: [
      'vitest',
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${vitestReport}`,
    ],
    report: vitestReport,
    counts: vitestCounts,
  },
  { name: 'build', tool: ['vite', 'vite', 'build', '--logLevel', 'warn'], counts: gateCounts },
  {
    name: 'end to end',
    tool: ['@playwright/test', 'playwright', 'test', '--reporter=list,json'],
    report: playwrightReport,
    counts: playwrightCounts,
  },
];

/** @param {string | undefined} path a report that may be missing or cut short when its tool crashed */
function readReport(path) {
  if (path === undefined || !existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * @param {Stage} stage
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<{ name: string; counts: Counts; seconds: number }>}
 */
async function runStage({ name, tool, report, counts }, environment) {
  say(`\n── ${name} ──`);
  const beginMs = performance.now();
  const [packageName, toolName, ...args] = tool;
  const code = await runTool(packageName, toolName, args, environment);
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
    return {
      CHROMIUM_PATH: await ensureChromium(),
      PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
    };
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
  rmSync(reportFolder, { recursive: true, force: true });
  mkdirSync(reportFolder, { recursive: true });
  const results = [];
  for (const stage of stages) results.push(await runStage(stage, environment));
  sayTable(results);
  const passed = results.reduce((sum, { counts }) => sum + counts.passed, 0);
  const failed = results.reduce((sum, { counts }) => sum + counts.failed, 0);
  say(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

await runMain(main);
