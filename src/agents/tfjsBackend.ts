import '@tensorflow/tfjs-core/dist/register_all_gradients';
import '@tensorflow/tfjs-backend-cpu';
import * as tf from '@tensorflow/tfjs-core';
import type { ComputeBackend } from '../config/experimentSpec';
import { registerMatmulGradient } from './matmulGradient';

/** One thread: the threaded build breaks when its worker is minified, and needs cross-origin isolation. */
async function prepareWasm(): Promise<string> {
  const [{ setWasmPaths, setThreadsCount }, simd, plain] = await Promise.all([
    import('@tensorflow/tfjs-backend-wasm'),
    import('@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url'),
    import('@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url'),
  ]);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  setThreadsCount(1);
  setWasmPaths({
    'tfjs-backend-wasm-simd.wasm': simd.default,
    'tfjs-backend-wasm.wasm': plain.default,
    // tfjs insists on a path for each binary; this one is never loaded with threads off.
    'tfjs-backend-wasm-threaded-simd.wasm': simd.default,
  });
  const hasSimd = await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT');
  return hasSimd === true ? 'WebAssembly SIMD, one thread' : 'WebAssembly without SIMD, one thread';
}

async function prepareWebgpu(): Promise<string> {
  const adapter = await globalThis.navigator.gpu?.requestAdapter({
    powerPreference: 'high-performance',
  });
  if (!adapter)
    throw new Error(
      'This browser offers no WebGPU adapter. Use Chrome or Edge 113 or newer (on Linux with --enable-unsafe-webgpu), or choose the backend "wasm".',
    );
  await import('@tensorflow/tfjs-backend-webgpu');
  const { vendor, architecture, device, description } = adapter.info;
  const words = [vendor, architecture, device, description].filter((word) => word !== '');
  return `WebGPU ${words.join(' ')}`;
}

/**
 * Makes `backend` the current one of this thread and says in words what it runs on.
 * @throws Error when the browser does not offer it, with what to do.
 */
export async function selectBackend(backend: ComputeBackend): Promise<string> {
  registerMatmulGradient();
  let device = 'tfjs cpu, float32 in JavaScript';
  if (backend === 'wasm') device = await prepareWasm();
  if (backend === 'webgpu') device = await prepareWebgpu();
  if (!(await tf.setBackend(backend)))
    throw new Error(`The backend "${backend}" did not start here (${device}). Choose another one.`);
  await tf.ready();
  return device;
}
