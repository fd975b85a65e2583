import { create, globals } from 'webgpu';
import { requestComputeDevice } from '../device';

/** Dawn's instances end with their object: kept, because devices do not hold them. */
const instances: GPU[] = [];

/**
 * Dawn for Node as a browser's `navigator.gpu`, for tests without a browser. Its Vulkan driver is found by the loader: Chromium's own software
 * adapter with VK_ICD_FILENAMES and LD_LIBRARY_PATH, as `npm run kernels` sets them.
 */
export function dawnGpu(): GPU {
  Object.assign(globalThis, globals);
  const gpu = create([]);
  instances.push(gpu);
  return gpu;
}

/** A device of it, whose errors fail the test. */
export async function dawnDevice(): Promise<GPUDevice> {
  const { device } = await requestComputeDevice(dawnGpu());
  device.addEventListener('uncapturederror', ({ error }) => {
    throw new Error(`WebGPU: ${error.message}`);
  });
  return device;
}
