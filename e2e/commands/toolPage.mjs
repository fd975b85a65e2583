/** Pages that commands open beside the notebook itself: small, and built anew each time. */
import { join } from 'node:path';
import { projectFolder, say } from './project.mjs';

/**
 * First line of what went wrong, without the words of the driver.
 * @param {unknown} error
 */
export function reasonOf(error) {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return line.replace(/^page\.evaluate: (\w*Error: )?/, '');
}

/**
 * Builds `e2e/<name>/index.html`: an old page must never run.
 * @param {string} name
 * @returns the folder to serve
 */
export async function buildToolPage(name) {
  const outDir = join(projectFolder, 'node_modules', '.cache', name);
  say(`Building the page of ${name} …`);
  const { build } = await import('vite');
  await build({
    root: join(projectFolder, 'e2e', name),
    configFile: false,
    logLevel: 'error',
    base: './',
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      target: 'es2023',
      chunkSizeWarningLimit: 5000,
    },
  });
  return outDir;
}
