import { expose } from 'comlink';
import { requestComputeDevice } from '../../src/gpu/device';
import { createBenchThread } from './benchThread';
import { createCompiledBenchSampler } from './compiledSampling';
import { createCompiledTraining } from './compiledTraining';
import { countDevices } from './deviceCounts';
import { createTfjsSampler } from './tfjsSampling';
import { createTfjsTraining } from './tfjsTraining';
import type { Training } from './training';
import type { TrainingTask } from './trainingTask';

const openDevice = async (): Promise<GPUDevice> =>
  (await requestComputeDevice(navigator.gpu)).device;

/** jax-js makes its memory as it is loaded: not before it is wanted. */
async function jaxTraining(task: TrainingTask, backend: 'webgpu' | 'wasm'): Promise<Training> {
  // One thread on wasm, as tfjs has and as any page on a plain static host. Where memory can be shared, jax-js starts one a core,
  // which at small sizes costs more than it brings.
  if (backend === 'wasm') Reflect.deleteProperty(globalThis, 'SharedArrayBuffer');
  const { createJaxTraining } = await import('./jaxTraining');
  return createJaxTraining(task, backend);
}

expose(
  createBenchThread(
    {
      trainings: {
        compiled: async (task, numReplicas) =>
          createCompiledTraining(await openDevice(), task, numReplicas),
        tfjsWebgpu: (task) => createTfjsTraining(task, 'webgpu'),
        tfjsWasm: (task) => createTfjsTraining(task, 'wasm'),
        jaxWebgpu: (task) => jaxTraining(task, 'webgpu'),
        jaxWasm: (task) => jaxTraining(task, 'wasm'),
      },
      samplers: {
        compiled: async (request) => createCompiledBenchSampler(await openDevice(), request),
        tfjsWebgpu: (request) => createTfjsSampler(request, 'webgpu'),
        tfjsWasm: (request) => createTfjsSampler(request, 'wasm'),
      },
      openDevice,
    },
    countDevices(),
  ),
);
