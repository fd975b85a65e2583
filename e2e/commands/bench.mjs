/** `npm run bench`: the compiled engine against other libraries, in one browser and one run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { measureInNode } from './benchNode.mjs';
import { benchHelp, readBenchOptions } from './benchOptions.mjs';
import { benchTables } from './benchReport.mjs';
import { chromiumFlags, ensureChromium } from './chromium.mjs';
import {
  CommandError,
  ensureDependencies,
  projectFolder,
  requireNode,
  runMain,
  runTool,
  say,
} from './project.mjs';
import { serveFolder } from './server.mjs';
import { buildToolPage, reasonOf } from './toolPage.mjs';

/** @typedef {import('./benchOptions.mjs').BenchOptions} BenchOptions */
/** @typedef {import('./benchReport.mjs').BenchMeasurements} BenchMeasurements */

/**
 * @typedef {object} Outcome
 * @property {BenchMeasurements} measurements
 * @property {string} browser
 * @property {string} adapter
 */

/**
 * @param {string} executablePath
 * @param {string} url
 * @param {'default' | 'swiftshader'} adapter
 */
async function openPage(executablePath, url, adapter) {
  const { chromium } = await import('@playwright/test');
  // Playwright's own handlers end the browser with this process, on Ctrl-C too.
  const browser = await chromium
    .launch({ executablePath, args: chromiumFlags(adapter) })
    .catch((error) => {
      throw new CommandError(`${executablePath} did not start: ${reasonOf(error)}`);
    });
  const page = await browser.newPage();
  await page.goto(url);
  const found = await page.evaluate(async () => {
    const gpu = 'gpu' in navigator ? await navigator.gpu.requestAdapter() : null;
    if (gpu === null) return null;
    const { vendor, architecture, device, description } = gpu.info;
    return [vendor, architecture, device, description].filter((word) => word !== '').join(' ');
  });
  return { browser, page, adapter: found };
}

/**
 * A browser with an adapter: the hardware's, or with `auto` else the one that computes on the processor.
 * @param {string} executablePath
 * @param {string} url
 * @param {BenchOptions['adapter']} choice
 */
async function openWithAdapter(executablePath, url, choice) {
  const first = await openPage(
    executablePath,
    url,
    choice === 'swiftshader' ? 'swiftshader' : 'default',
  );
  if (first.adapter !== null) return { ...first, adapter: first.adapter };
  await first.browser.close();
  if (choice !== 'auto')
    throw new CommandError(
      `Chromium offers no WebGPU adapter (--adapter ${choice}): use --adapter swiftshader.`,
    );
  say('No WebGPU adapter for the GPU: using SwiftShader, which computes on the processor.');
  const second = await openPage(executablePath, url, 'swiftshader');
  if (second.adapter !== null) return { ...second, adapter: second.adapter };
  await second.browser.close();
  throw new CommandError(
    `${executablePath} offers no WebGPU adapter, not even SwiftShader: set CHROMIUM_PATH to a Chromium that has one.`,
  );
}

/**
 * @param {BenchOptions} options
 * @returns {Promise<Outcome>}
 */
async function measureInBrowser({ size, adapter: choice }) {
  const executablePath = await ensureChromium();
  const site = await serveFolder({ folder: await buildToolPage('bench'), isIsolated: true });
  const { browser, page, adapter } = await openWithAdapter(executablePath, site.url, choice);
  try {
    say(`Adapter: ${adapter}`);
    await page.exposeFunction('noteBench', say);
    /** @type {Promise<never>} */
    const lost = new Promise((_resolve, reject) => {
      const lose = () =>
        reject(new CommandError('The page or the browser ended during the run. Enough memory?'));
      page.on('crash', lose);
      browser.on('disconnected', lose);
    });
    // Afterwards nobody waits for it.
    lost.catch(() => {});
    const run = page
      .evaluate((runSize) => window.bench(runSize), size)
      .catch((error) => {
        throw new CommandError(reasonOf(error));
      });
    const measurements = await Promise.race([run, lost]);
    return { measurements, adapter, browser: `Chromium ${browser.version()}` };
  } finally {
    await browser.close();
    await site.close();
  }
}

/**
 * @param {string | null} out
 * @param {object} report
 */
function writeReport(out, report) {
  const file = out === null ? join(projectFolder, 'results', 'bench.json') : resolve(out);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ schema: 1, ...report }, null, 2)}\n`);
  say(`\nWrote ${relative(process.cwd(), file)}.`);
}

async function main() {
  const options = readBenchOptions(process.argv.slice(2));
  if (options === null) {
    say(benchHelp);
    return 0;
  }
  requireNode();
  await ensureDependencies();
  if (options.where === 'estimators') return runTool('vitest', 'vitest', ['bench', '--run']);
  const date = new Date().toISOString();
  const [loadBefore = 0] = loadavg();
  const { measurements, adapter, browser } = await (options.where === 'node'
    ? measureInNode(options)
    : measureInBrowser(options));
  const [loadAfter = 0] = loadavg();
  const [{ model: processor } = { model: 'unknown' }] = cpus();
  const load = [loadBefore, loadAfter];
  const machine = { date, browser, adapter, cores: cpus().length, processor, load };
  say(`\n${benchTables(measurements, machine)}`);
  writeReport(options.out, { machine, ...measurements });
  return 0;
}

await runMain(main);
