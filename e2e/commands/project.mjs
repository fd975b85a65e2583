/**
 * What every command needs before it can work: the folder of the project, a Node that is new enough, the dependencies and a
 * build. Only `node:` imports, because these run before anything is installed.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const distFolder = join(projectFolder, 'dist');

/** A failure that the user can act on: commands print the message alone, without a stack. */
export class CommandError extends Error {}

/** @param {string} line one line of progress, for people */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs a command to its end with the user's terminal as output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [environment] added to the present one
 * @returns {Promise<number>} exit code; 1 when it could not start or was killed
 */
export function runCommand(command, args, environment = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: projectFolder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit'],
      // npm is a .cmd script on Windows, which only a shell starts.
      shell: process.platform === 'win32' && command === 'npm',
    });
    child.on('error', (error) => {
      process.stderr.write(`${command} did not start: ${error.message}\n`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/**
 * Runs a tool of the project, such as `vite`, with the Node that runs this.
 * @param {string} packageName the package that brings the tool
 * @param {string} tool its name in that package's `bin`
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Promise<number>} exit code
 */
export function runTool(packageName, tool, args, environment = {}) {
  const folder = join(projectFolder, 'node_modules', packageName);
  /** @type {{ bin: string | Record<string, string> }} */
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const script = typeof bin === 'string' ? bin : bin[tool];
  if (script === undefined)
    throw new CommandError(`${packageName} brings no command ${tool}: run npm ci again.`);
  return runCommand(process.execPath, [join(folder, script), ...args], environment);
}

/**
 * @param {string} [version] of Node, without the v
 * @throws {CommandError} below 20.19, the oldest that the tools run on
 */
export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new CommandError(
      `This is Node ${version}; Marlbook needs 20.19 or newer. Install it from nodejs.org and run the command again.`,
    );
}

/** @typedef {{ packages: Record<string, { version?: string; optional?: boolean }> }} Lockfile */

/**
 * Whether what npm installed is what the lock file asks for. Compared by content: a fresh checkout gives the lock file a new
 * time without any need to install.
 * @param {string} folder
 */
export function hasDependencies(folder) {
  const installedPath = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installedPath)) return false;
  /** @type {Lockfile} */
  const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  /** @type {Lockfile} */
  const installed = JSON.parse(readFileSync(installedPath, 'utf8'));
  // Optional packages are left out on platforms that they are not made for.
  return Object.entries(wanted.packages).every(
    ([path, { version, optional }]) =>
      path === '' || optional === true || installed.packages[path]?.version === version,
  );
}

/** Installs exactly what the lock file says, when that is not what is there. */
export async function ensureDependencies() {
  if (hasDependencies(projectFolder)) return;
  say('Installing dependencies (npm ci) …');
  const code = await runCommand('npm', ['ci', '--no-fund', '--no-audit']);
  if (code !== 0)
    throw new CommandError(
      `npm ci ended with exit code ${code}: its message stands above. Check the network, then run the command again.`,
    );
}

const sourcePlaces = [
  'e2e/commands/contentPolicy.mjs',
  'index.html',
  'package.json',
  'package-lock.json',
  'public',
  'src',
  'tsconfig.base.json',
  'vite.config.ts',
  'workers',
];

/**
 * Time of the last change under a path. Unit: ms since 1970; 0 when it does not exist. Tests are not part of a build.
 * @param {string} path
 * @returns {number}
 */
function lastChangeMs(path) {
  if (!existsSync(path) || /\.(test|bench)\.tsx?$/.test(path)) return 0;
  const info = statSync(path);
  if (!info.isDirectory()) return info.mtimeMs;
  const children = readdirSync(path).map((name) => lastChangeMs(join(path, name)));
  return Math.max(info.mtimeMs, ...children);
}

/**
 * Whether `dist` is at least as new as everything that it is made from.
 * @param {string} folder
 */
export function hasFreshBuild(folder) {
  const builtMs = lastChangeMs(join(folder, 'dist', 'index.html'));
  return builtMs > 0 && sourcePlaces.every((place) => lastChangeMs(join(folder, place)) <= builtMs);
}

/** Builds the page when there is no build or an old one. */
export async function ensureBuild() {
  if (hasFreshBuild(projectFolder)) return;
  say('Building the page (vite build) …');
  const code = await runTool('vite', 'vite', ['build', '--logLevel', 'warn']);
  if (code !== 0)
    throw new CommandError(`vite build ended with exit code ${code}: its message stands above.`);
}

/**
 * Runs a command's main function; a CommandError becomes one line on stderr and exit code 1.
 * @param {() => Promise<number>} main resolves to the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
