/** `npm run bench -- --node`: the compiled engine through Dawn for Node, in a process of its own that gets its Vulkan driver at its start. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { CommandError, projectFolder, say } from './project.mjs';
import { softwareVulkan } from './softwareVulkan.mjs';

const outFolder = join(projectFolder, 'node_modules', '.cache', 'bench-node');
/** As in e2e/bench/nodeBench.ts. */
const noAdapterCode = 3;

async function buildNodeBench() {
  say('Building the bench …');
  const { build } = await import('vite');
  await build({
    root: projectFolder,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: 'e2e/bench/nodeBench.ts',
      outDir: outFolder,
      emptyOutDir: true,
      target: 'node20',
    },
  });
}

/**
 * @param {string} size
 * @param {string} file
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<number>} exit code
 */
function runNodeBench(size, file, environment) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(outFolder, 'nodeBench.js'), size, file], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const end = () => {
      child.kill('SIGKILL');
      process.exit(130);
    };
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
    child.on('error', () => resolve(1));
    child.on('close', (code) => {
      process.off('SIGINT', end);
      process.off('SIGTERM', end);
      resolve(code ?? 1);
    });
  });
}

/**
 * @param {import('./benchOptions.mjs').BenchOptions} options
 * @returns {Promise<import('./bench.mjs').Outcome>}
 */
export async function measureInNode({ size, adapter }) {
  await buildNodeBench();
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const file = join(folder, 'bench.json');
  try {
    let code = adapter === 'swiftshader' ? noAdapterCode : await runNodeBench(size, file, {});
    if (code === noAdapterCode) {
      if (adapter === 'default')
        throw new CommandError('Dawn finds no adapter: use --adapter swiftshader.');
      say('Using SwiftShader, which computes on the processor.');
      code = await runNodeBench(size, file, softwareVulkan(await ensureChromium()));
    }
    if (code !== 0)
      throw new CommandError(`The bench in Node ended with exit code ${code}: see above.`);
    /** @type {Omit<import('./bench.mjs').Outcome, 'browser'>} */
    const outcome = JSON.parse(readFileSync(file, 'utf8'));
    return { ...outcome, browser: `Node ${process.versions.node}, Dawn` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
