/** Finds a Chromium, or gets one. Order: CHROMIUM_PATH, an installed browser, Playwright's download, Debian's package. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CommandError, runCommand, runTool, say } from './project.mjs';

const commandNames = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'google-chrome-beta',
  'microsoft-edge',
  'microsoft-edge-stable',
];

/** @param {NodeJS.ProcessEnv} environment */
function usualPlaces(environment) {
  const applications = ['/Applications', join(environment['HOME'] ?? '', 'Applications')];
  const onMac = ['Google Chrome', 'Chromium', 'Microsoft Edge'].flatMap((name) =>
    applications.map((folder) => join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
  );
  const programs = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap(
    (name) => environment[name] ?? [],
  );
  const onWindows = programs.flatMap((folder) => [
    join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
    join(folder, 'Chromium', 'Application', 'chrome.exe'),
    join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
  ]);
  const path = environment['PATH'] ?? '';
  const onPath = commandNames.flatMap((name) =>
    path.split(delimiter).map((folder) => join(folder, name)),
  );
  return [...onPath, ...onMac, ...onWindows, '/opt/google/chrome/chrome', '/snap/bin/chromium'];
}

/**
 * Whether the file is there and starts: a downloaded Chromium may miss system libraries.
 * @param {string} path
 */
function canStart(path) {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  // On Windows `--version` opens a window instead of printing.
  if (process.platform === 'win32') return true;
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}

/** Where Playwright keeps its own Chromium, if it has downloaded one. */
async function playwrightChromium() {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return canStart(path) ? path : null;
}

/**
 * A Chromium that is already on this machine. Needs installed dependencies.
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Promise<string | null>} path of the executable
 * @throws {CommandError} when CHROMIUM_PATH names nothing that starts
 */
export async function installedChromium(environment = process.env) {
  const named = environment['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') {
    if (canStart(named)) return named;
    throw new CommandError(
      `CHROMIUM_PATH is ${named}, which does not start: correct it, or unset it to search for a browser.`,
    );
  }
  return usualPlaces(environment).find(canStart) ?? playwrightChromium();
}

/** @returns {Promise<boolean>} whether Debian's package was installed */
async function installDebianPackage() {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return false;
  say("Installing Debian's Chromium package (apt-get install chromium) …");
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  const updated = await runCommand('apt-get', ['update', '-qq'], quiet);
  if (updated !== 0)
    say(`apt-get update ended with exit code ${updated}; trying to install anyway.`);
  const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
  return (await runCommand('apt-get', install, quiet)) === 0;
}

/**
 * Finds a Chromium, installs one when there is none, and says which it is.
 * @returns {Promise<string>} path of the executable
 * @throws {CommandError} when none could be found or installed
 */
export async function ensureChromium() {
  let path = await installedChromium();
  if (path === null) {
    say("No Chrome or Chromium found. Downloading Playwright's (playwright install chromium) …");
    await runTool('@playwright/test', 'playwright', ['install', 'chromium']);
    path = await installedChromium();
  }
  if (path === null && (await installDebianPackage())) path = await installedChromium();
  if (path === null)
    throw new CommandError(
      'No Chromium found and none could be installed: install Chrome or Chromium, or set CHROMIUM_PATH to its executable.',
    );
  say(`Browser: ${path}`);
  return path;
}

/**
 * Command-line switches for an automated Chromium with WebGPU.
 * @param {'default' | 'swiftshader'} adapter `swiftshader` computes on the processor: the same numbers on every machine
 * @returns {string[]}
 */
export function chromiumFlags(adapter) {
  return [
    '--no-sandbox',
    '--enable-unsafe-webgpu',
    ...(adapter === 'swiftshader'
      ? ['--use-webgpu-adapter=swiftshader']
      : ['--enable-features=Vulkan']),
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
}
