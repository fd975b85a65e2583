/** `npm run experiment`: an experiment of the page without the page. Progress on the terminal, tables and files at the end. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureChromium } from './chromium.mjs';
import { experimentHelp, readExperimentOptions } from './experimentOptions.mjs';
import { experimentTables, loadFormats, progressLine, successByArm } from './experimentReport.mjs';
import { answerOf, openExperiment } from './notebookSession.mjs';
import {
  CommandError,
  distFolder,
  ensureBuild,
  ensureDependencies,
  projectFolder,
  requireNode,
  runMain,
  say,
} from './project.mjs';
import { serveFolder } from './server.mjs';

/** @typedef {import('./experimentOptions.mjs').ExperimentOptions} ExperimentOptions */
/** @typedef {import('./notebookSession.mjs').NotebookSession} NotebookSession */
/** @typedef {import('./experimentReport.mjs').Formats} Formats */

const interruptedCode = 130;
const isTerminal = process.stdout.isTTY;
/** Unit: ms. A terminal line is rewritten often, lines of a log file stay. */
const progressEveryMs = isTerminal ? 500 : 10_000;

/** @param {string} line shown in place of the last one on a terminal */
function showProgress(line) {
  if (!isTerminal) return say(line);
  const shown = line.slice(0, Math.max(20, (process.stdout.columns || 80) - 1));
  return process.stdout.write(`\r\u001B[K${shown}`);
}

/**
 * The first Ctrl-C (or a polite request to end) calls `onFirst`; the second ends the process.
 * @param {() => void} onFirst
 */
function handleInterruption(onFirst) {
  let isAsked = false;
  const handle = () => {
    if (isAsked) process.exit(interruptedCode);
    isAsked = true;
    onFirst();
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
  return { isAsked: () => isAsked };
}

/**
 * Shows where the run stands until it has ended.
 * @param {NotebookSession} session
 * @param {Promise<unknown>} ended
 * @param {Formats} formats
 */
async function followRun(session, ended, formats) {
  const over = answerOf(
    session,
    ended.then(() => true),
  );
  let numRows = 0;
  /** @type {ReadonlyMap<string, number>} */
  let success = new Map();
  let isOver = false;
  while (!isOver) {
    isOver = await Promise.race([over, wait(progressEveryMs, false, { ref: false })]);
    const seen = session.page.evaluate(
      (from) => ({ status: window.marlbook.status(), rows: window.marlbook.rows(from) }),
      numRows,
    );
    const { status, rows } = await answerOf(session, seen);
    numRows += rows.length;
    if (rows.length > 0) success = successByArm(rows);
    showProgress(progressLine(status, success, formats));
  }
  if (isTerminal) say('');
}

/**
 * Runs the loaded experiment to its end, which a Ctrl-C brings about early.
 * @param {NotebookSession} session
 * @param {Formats} formats
 */
async function trainToEnd(session, formats) {
  const { page } = session;
  const interruption = handleInterruption(() => {
    say('\nStopping after this iteration; Ctrl-C again ends at once without files.');
    // A page that is gone cannot stop: `crash` reports that.
    page.evaluate(() => window.marlbook.stop()).catch(() => {});
  });
  const ended = page.evaluate(() => window.marlbook.run());
  await followRun(session, ended, formats);
  const results = page.evaluate(() => ({
    status: window.marlbook.status(),
    summary: window.marlbook.summary(),
    csv: window.marlbook.csv(),
  }));
  return { ...(await answerOf(session, results)), isInterrupted: interruption.isAsked() };
}

/**
 * @param {string} folder
 * @param {object} summary
 * @param {string} csv
 */
function writeResults(folder, summary, csv) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'summary.json'),
    `${JSON.stringify({ schema: 1, ...summary }, null, 2)}\n`,
  );
  writeFileSync(join(folder, 'metrics.csv'), csv);
  say(`Wrote ${join(relative(process.cwd(), folder) || '.', 'summary.json')} and metrics.csv.`);
}

/**
 * @param {ExperimentOptions} options
 * @param {string} url of the served page
 * @param {string} executablePath of the browser
 */
async function runExperiment(options, url, executablePath) {
  const { session, spec } = await openExperiment({ executablePath, url, options, note: say });
  try {
    const { arms, seeds, iterations, backend } = spec;
    say(
      `${spec.title}: ${arms.length} arms × ${seeds.length} seeds, ${iterations} iterations, ${backend}`,
    );
    const formats = await loadFormats();
    const { status, summary, csv, isInterrupted } = await trainToEnd(session, formats);
    if (summary === null) throw new CommandError('The run ended before it began: no results.');
    say(`\n${experimentTables(summary.arms, formats)}\n`);
    for (const notice of status.notices) say(`Notice: ${notice}`);
    const usual = join(projectFolder, 'results', `${options.name}-${summary.specHash}`);
    writeResults(options.out === null ? usual : resolve(options.out), summary, csv);
    if (isInterrupted) return interruptedCode;
    if (status.phase === 'failed')
      throw new CommandError(`The run failed: ${status.message ?? 'the page gave no reason'}`);
    return 0;
  } finally {
    await session.close();
  }
}

async function main() {
  const options = readExperimentOptions(process.argv.slice(2));
  if (options === null) {
    say(experimentHelp);
    return 0;
  }
  requireNode();
  await ensureDependencies();
  const executablePath = await ensureChromium();
  await ensureBuild();
  const site = await serveFolder({ folder: distFolder });
  try {
    return await runExperiment(options, site.url, executablePath);
  } finally {
    await site.close();
  }
}

await runMain(main);
