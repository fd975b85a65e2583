/**
 * `npm run kernels`: the WGSL kernels on a device of Dawn for Node, against plain loops. On Linux the device is Chromium's software
 * adapter, the same on every machine, unless VK_ICD_FILENAMES names another Vulkan driver.
 */
import { ensureChromium } from './chromium.mjs';
import { ensureDependencies, runMain, runTool } from './project.mjs';
import { softwareVulkan } from './softwareVulkan.mjs';

/** @returns {Promise<NodeJS.ProcessEnv>} what the Vulkan loader has to know */
async function vulkanEnvironment() {
  if (process.platform !== 'linux' || process.env['VK_ICD_FILENAMES'] !== undefined) return {};
  return softwareVulkan(await ensureChromium());
}

async function main() {
  await ensureDependencies();
  const args = ['run', '--config', 'vitest.kernels.config.ts', ...process.argv.slice(2)];
  return runTool('vitest', 'vitest', args, await vulkanEnvironment());
}

await runMain(main);
