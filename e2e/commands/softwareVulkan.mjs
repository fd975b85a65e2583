/** Chromium's software Vulkan driver, for Dawn in Node: the same adapter on every machine. */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { CommandError } from './project.mjs';

const driver = 'vk_swiftshader_icd.json';

/**
 * Where Chromium keeps it. Debian's command is a script beside which there is none.
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

/**
 * What the Vulkan loader of a child process has to know to use it.
 * @param {string} chromium path of the executable
 * @returns {NodeJS.ProcessEnv}
 */
export function softwareVulkan(chromium) {
  const folder = driverFolder(chromium);
  const path = [folder, process.env['LD_LIBRARY_PATH']].filter((part) => part !== undefined);
  return { VK_ICD_FILENAMES: join(folder, driver), LD_LIBRARY_PATH: path.join(delimiter) };
}
