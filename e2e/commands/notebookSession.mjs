/** A notebook in a headless Chromium, driven through the page's `window.marlbook`. */
import { chromiumFlags } from './chromium.mjs';
import { CommandError } from './project.mjs';

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('@playwright/test').Browser} Browser */
/** @typedef {import('./experimentOptions.mjs').AdapterChoice} AdapterChoice */
/** @typedef {import('./experimentOptions.mjs').ExperimentOptions} ExperimentOptions */

/**
 * @typedef {object} NotebookSession
 * @property {Page} page
 * @property {Promise<never>} crash rejects when the page or the browser is lost
 * @property {() => Promise<void>} close
 */

/** @param {unknown} error a failure's first line, without what Playwright puts around it */
function reasonOf(error) {
  const message = error instanceof Error ? error.message : String(error);
  const [line = message] = message.split('\n');
  return line.replace(/^page\.\w+: (Error: )?/, '');
}

/**
 * @param {Page} page
 * @param {Browser} browser
 * @returns {Promise<never>}
 */
function crashOf(page, browser) {
  /** @type {Promise<never>} */
  const crash = new Promise((_resolve, reject) => {
    const lose = (/** @type {string} */ what) =>
      reject(
        new CommandError(
          `${what} during the run and took its results along. Is there enough memory?`,
        ),
      );
    page.on('crash', () => lose('The page crashed'));
    page.on('close', () => lose('The page was closed'));
    browser.on('disconnected', () => lose('The browser ended'));
  });
  // It also fires when the session is closed in order, when nobody waits for it any more.
  crash.catch(() => {});
  return crash;
}

/**
 * The answer to a question to the page.
 * @template T
 * @param {NotebookSession} session
 * @param {Promise<T>} answer a `page.evaluate`
 * @returns {Promise<T>}
 * @throws {CommandError} when the page is lost or throws instead of answering
 */
export async function answerOf({ crash }, answer) {
  try {
    return await Promise.race([crash, answer]);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`The page reports: ${reasonOf(error)}`);
  }
}

/**
 * @param {{ executablePath: string; url: string; adapter: 'default' | 'swiftshader' }} options
 * @returns {Promise<NotebookSession>}
 */
async function openNotebook({ executablePath, url, adapter }) {
  const { chromium } = await import('@playwright/test');
  const browser = await chromium
    .launch({
      executablePath,
      args: chromiumFlags(adapter),
      // Ctrl-C must reach the run, not the browser.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
    .catch((error) => {
      throw new CommandError(`${executablePath} did not start: ${reasonOf(error)}`);
    });
  // Nothing is kept for a next visit: this browser has none.
  const page = await browser.newPage({ serviceWorkers: 'block' });
  page.on('pageerror', (error) => process.stderr.write(`Error in the page: ${error.message}\n`));
  const crash = crashOf(page, browser);
  try {
    await page.goto(url);
    await page.waitForFunction(() => 'marlbook' in window, null, { timeout: 60_000 });
  } catch (error) {
    await browser.close();
    throw new CommandError(`The page at ${url} did not open: ${reasonOf(error)}`);
  }
  return { page, crash, close: () => browser.close() };
}

/**
 * Fills the form from the command line, by the page's own checks.
 * @param {NotebookSession} session
 * @param {ExperimentOptions} options
 */
async function loadExperiment(session, { source, adjust }) {
  const loaded = session.page.evaluate(({ from, changes }) => window.marlbook.load(from, changes), {
    from: source,
    changes: adjust,
  });
  const result = await answerOf(session, loaded);
  if (result.ok) return result.spec;
  const issues = result.issues.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  throw new CommandError(`The experiment was refused: ${issues.join('; ')}`);
}

/** @param {Page} page */
function hasAdapter(page) {
  return page.evaluate(
    async () => 'gpu' in navigator && (await navigator.gpu.requestAdapter()) !== null,
  );
}

/**
 * Opens the notebook with the experiment in its form. Without a hardware adapter, `auto` starts the browser again with the
 * one that computes on the processor.
 * @param {{ executablePath: string; url: string; options: ExperimentOptions; note: (line: string) => void }} request
 */
export async function openExperiment({ executablePath, url, options, note }) {
  const first = options.adapter === 'swiftshader' ? 'swiftshader' : 'default';
  let session = await openNotebook({ executablePath, url, adapter: first });
  try {
    let spec = await loadExperiment(session, options);
    if (spec.backend === 'webgpu' && !(await hasAdapter(session.page))) {
      if (options.adapter !== 'auto')
        throw new CommandError(
          `Chromium offers no WebGPU adapter (--adapter ${first}): use --adapter swiftshader or --backend wasm.`,
        );
      note('No WebGPU adapter for the GPU: using SwiftShader, which computes on the processor.');
      await session.close();
      session = await openNotebook({ executablePath, url, adapter: 'swiftshader' });
      spec = await loadExperiment(session, options);
    }
    return { session, spec };
  } catch (error) {
    await session.close();
    throw error;
  }
}
