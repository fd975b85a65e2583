import { expose } from 'comlink';
import { requestComputeDevice } from '../../src/gpu/device';
import { createBenchThread } from './benchThread';
import { createCompiledTraining } from './compiledTraining';
import { countDevices } from './deviceCounts';
import { createJaxTraining } from './jaxTraining';
import { createTfjsSampler } from './tfjsSampling';
import { createTfjsTraining } from './tfjsTraining';

const openDevice = (): Promise<GPUDevice> => requestComputeDevice(navigator.gpu);

expose(
  createBenchThread(
    {
      trainings: {
        compiled: async (task, numReplicas) =>
          createCompiledTraining(await openDevice(), task, numReplicas),
        tfjsWebgpu: (task) => createTfjsTraining(task, 'webgpu'),
        tfjsWasm: (task) => createTfjsTraining(task, 'wasm'),
        jaxWebgpu: (task) => createJaxTraining(task, 'webgpu'),
        jaxWasm: (task) => createJaxTraining(task, 'wasm'),
      },
      samplers: {
        // The seam for the compiled sampler: its factory goes here, its name into the lists of benchPage.ts and nodeBench.ts.
        compiled: null,
        tfjsWebgpu: (request) => createTfjsSampler(request, 'webgpu'),
        tfjsWasm: (request) => createTfjsSampler(request, 'wasm'),
      },
      openDevice,
    },
    countDevices(),
  ),
);
