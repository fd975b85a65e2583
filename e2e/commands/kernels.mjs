/**
 * `npm run kernels`: the WGSL kernels on a device of Dawn for Node, against plain loops. On Linux the device is Chromium's software
 * adapter, the same on every machine, unless VK_ICD_FILENAMES names another Vulkan driver.
 */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { CommandError, ensureDependencies, runMain, runTool } from './project.mjs';

const driver = 'vk_swiftshader_icd.json';

/**
 * Where Chromium keeps its software Vulkan driver. Debian's command is a script beside which there is none.
 * @param {string} chromium path of the executable
 * @throws {CommandError} when there is none
 */
function driverFolder(chromium) {
  const folders = [dirname(realpathSync(chromium)), '/usr/lib/chromium', '/usr/lib64/chromium'];
  const folder = folders.find((candidate) => existsSync(join(candidate, driver)));
  if (folder === undefined)
    throw new CommandError(
      `No ${driver} beside ${chromium}: set VK_ICD_FILENAMES to a Vulkan driver, or CHROMIUM_PATH to a Chromium that has one.`,
    );
  return folder;
}

/** @returns {Promise<NodeJS.ProcessEnv>} what the Vulkan loader has to know */
async function vulkanEnvironment() {
  if (process.platform !== 'linux' || process.env['VK_ICD_FILENAMES'] !== undefined) return {};
  const folder = driverFolder(await ensureChromium());
  const path = [folder, process.env['LD_LIBRARY_PATH']].filter((part) => part !== undefined);
  return { VK_ICD_FILENAMES: join(folder, driver), LD_LIBRARY_PATH: path.join(delimiter) };
}

async function main() {
  await ensureDependencies();
  const args = ['run', '--config', 'vitest.kernels.config.ts', ...process.argv.slice(2)];
  return runTool('vitest', 'vitest', args, await vulkanEnvironment());
}

await runMain(main);
