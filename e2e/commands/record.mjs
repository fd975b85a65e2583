/** `npm run record`: the notebooks of the gallery with their runs, in files that the page opens. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { chromiumFlags, ensureChromium } from './chromium.mjs';
import {
  CommandError,
  ensureDependencies,
  projectFolder,
  requireNode,
  runMain,
  say,
} from './project.mjs';
import { readRecordOptions, recordHelp } from './recordOptions.mjs';
import { serveFolder } from './server.mjs';
import { buildToolPage, reasonOf } from './toolPage.mjs';

/**
 * Naming the module brings `window.recorder` into the types.
 * @typedef {import('../record/recordPage').ExperimentPlan} ExperimentPlan
 */
/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {<T>(answer: Promise<T>) => Promise<T>} Ask the answer of the page, or a CommandError */

const notebooksFolder = join(projectFolder, 'public', 'notebooks');
/** Whole runs, with metrics that no notebook reads yet. */
const runsFolder = join(projectFolder, 'results', 'recordings');
const isTerminal = process.stdout.isTTY;
/** Unit: ms. A terminal line is rewritten often, lines of a log file stay. */
const progressEveryMs = isTerminal ? 300 : 15_000;

/**
 * @param {string} executablePath
 * @param {string} url
 */
async function openPage(executablePath, url) {
  const { chromium } = await import('@playwright/test');
  const browser = await chromium
    .launch({ executablePath, args: chromiumFlags('default') })
    .catch((error) => {
      throw new CommandError(`${executablePath} did not start: ${reasonOf(error)}`);
    });
  const page = await browser.newPage();
  await page.exposeFunction('noteRecorder', progressPrinter());
  await page.goto(url);
  await page.waitForFunction(() => 'recorder' in window, null, { timeout: 60_000 });
  /** @type {Promise<never>} */
  const lost = new Promise((_resolve, reject) => {
    const lose = () =>
      reject(new CommandError('The page or the browser ended during the run. Enough memory?'));
    page.on('crash', lose);
    browser.on('disconnected', lose);
  });
  // Afterwards nobody waits for it.
  lost.catch(() => {});
  /** @type {Ask} */
  const ask = (answer) =>
    Promise.race([
      lost,
      answer.catch((error) => {
        throw new CommandError(reasonOf(error));
      }),
    ]);
  return { browser, page, ask };
}

function progressPrinter() {
  let lastMs = 0;
  return (/** @type {string} */ line) => {
    const nowMs = Date.now();
    if (nowMs - lastMs < progressEveryMs) return;
    lastMs = nowMs;
    if (isTerminal) process.stdout.write(`\r\u001B[K  ${line.slice(0, 76)}`);
    else say(`  ${line}`);
  };
}

/** @param {string} path */
function textOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/**
 * The texts of recordings that might still do: of whole runs first.
 * @param {string} id
 * @param {string} experiment
 */
function keptRecordings(id, experiment) {
  const whole = textOf(join(runsFolder, `${id}-${experiment}.json`));
  const file = textOf(join(notebooksFolder, `${id}.json`));
  /** @type {{ recordings?: Record<string, unknown> }} */
  const { recordings } = file === null ? {} : JSON.parse(file);
  const published = recordings?.[experiment];
  return [
    ...(whole === null ? [] : [whole]),
    ...(published === undefined ? [] : [JSON.stringify(published)]),
  ];
}

/**
 * @param {{ page: Page; ask: Ask }} door
 * @param {{ id: string; experiment: ExperimentPlan }} place
 */
async function keptRecording({ page, ask }, { id, experiment }) {
  for (const text of keptRecordings(id, experiment.id)) {
    const place = { id, experiment: experiment.id, text };
    const isFresh = page.evaluate(
      (at) => window.recorder.isFresh(at.id, at.experiment, at.text),
      place,
    );
    if (await ask(isFresh)) return text;
  }
  return null;
}

/**
 * Runs one experiment and keeps its recording with every metric.
 * @param {{ page: Page; ask: Ask }} door
 * @param {{ id: string; experiment: ExperimentPlan; browser: string }} request
 */
async function newRecording({ page, ask }, { id, experiment, browser }) {
  say(`${id}, ${experiment.id}: ${experiment.size}`);
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  const recording = page.evaluate(
    ({ at, versions }) => window.recorder.record(at.id, at.experiment, versions),
    {
      at: { id, experiment: experiment.id },
      versions: { marlbook: version, browser },
    },
  );
  const text = await ask(recording);
  /** @type {{ ended: string; message: string | null; wallMs: number }} */
  const { ended, message, wallMs } = JSON.parse(text);
  if (isTerminal) say('');
  if (ended !== 'completed')
    throw new CommandError(`The run of ${experiment.id} ${ended}: ${message ?? 'no reason given'}`);
  say(`  ${ended} in ${Math.round(wallMs / 1000)} s`);
  mkdirSync(runsFolder, { recursive: true });
  writeFileSync(join(runsFolder, `${id}-${experiment.id}.json`), text);
  return text;
}

/**
 * The recording of one experiment: the one that is there, that of a new run, or null where there is none and none was wanted.
 * @param {{ page: Page; ask: Ask }} door
 * @param {{ id: string; experiment: ExperimentPlan; runs: 'missing' | 'all' | 'none'; browser: string }} request
 */
async function recordingOf(door, { runs, ...request }) {
  const kept = runs === 'all' ? null : await keptRecording(door, request);
  if (kept === null && runs !== 'none') return newRecording(door, request);
  say(
    `${request.id}, ${request.experiment.id}: the run is ${kept === null ? 'missing' : 'there'}.`,
  );
  return kept;
}

/**
 * @param {string} name of a file in the folder of the notebooks
 * @param {string} text
 */
function writeNotebookFile(name, text) {
  mkdirSync(notebooksFolder, { recursive: true });
  const path = join(notebooksFolder, name);
  writeFileSync(path, text);
  say(`Wrote ${relative(process.cwd(), path)}, ${Math.ceil(statSync(path).size / 1000)} kB.`);
}

/**
 * @param {{ page: Page; ask: Ask }} door
 * @param {{ id: string; runs: 'missing' | 'all' | 'none'; browser: string }} request
 */
async function recordNotebook(door, { id, ...request }) {
  const { page, ask } = door;
  /** @type {Record<string, string>} */
  const recordings = {};
  for (const experiment of await ask(page.evaluate((at) => window.recorder.experiments(at), id))) {
    const recording = await recordingOf(door, { id, experiment, ...request });
    if (recording !== null) recordings[experiment.id] = recording;
  }
  const file = page.evaluate(({ at, texts }) => window.recorder.file(at, texts), {
    at: id,
    texts: recordings,
  });
  writeNotebookFile(`${id}.json`, await ask(file));
}

/**
 * @param {{ page: Page; ask: Ask }} door
 * @param {readonly string[]} ids
 */
async function writeIndex({ page, ask }, ids) {
  const sizes = Object.fromEntries(
    ids.flatMap((id) => {
      const path = join(notebooksFolder, `${id}.json`);
      return existsSync(path) ? [[id, statSync(path).size]] : [];
    }),
  );
  writeNotebookFile(
    'index.json',
    await ask(page.evaluate((of) => window.recorder.index(of), sizes)),
  );
}

async function main() {
  const options = readRecordOptions(process.argv.slice(2));
  if (options === null) {
    say(recordHelp);
    return 0;
  }
  requireNode();
  await ensureDependencies();
  const executablePath = await ensureChromium();
  const site = await serveFolder({ folder: await buildToolPage('record') });
  const { browser, page, ask } = await openPage(executablePath, site.url);
  try {
    const ids = await ask(page.evaluate(() => window.recorder.ids()));
    if (options.notebook !== 'all' && !ids.includes(options.notebook))
      throw new CommandError(`${options.notebook} came, expected all or one of ${ids.join(', ')}.`);
    const asked = options.notebook === 'all' ? ids : [options.notebook];
    const request = { runs: options.runs, browser: `Chromium ${browser.version()}` };
    for (const id of asked) await recordNotebook({ page, ask }, { id, ...request });
    await writeIndex({ page, ask }, ids);
    return 0;
  } finally {
    await browser.close();
    await site.close();
  }
}

await runMain(main);
