import { create, globals } from 'webgpu';
import { requestComputeDevice } from '../device';

/** Dawn's instances end with their object: kept, because devices do not hold them. */
const instances: GPU[] = [];

/**
 * A device of Dawn for Node, for tests of kernels without a browser. Its Vulkan driver is found by the loader: Chromium's own
 * software adapter with VK_ICD_FILENAMES and LD_LIBRARY_PATH, as `npm run kernels` sets them.
 */
export async function dawnDevice(): Promise<GPUDevice> {
  Object.assign(globalThis, globals);
  const gpu = create([]);
  instances.push(gpu);
  const { device } = await requestComputeDevice(gpu);
  device.addEventListener('uncapturederror', ({ error }) => {
    throw new Error(`WebGPU: ${error.message}`);
  });
  return device;
}
