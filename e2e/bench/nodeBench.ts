import { writeFileSync } from 'node:fs';
import { globals } from 'webgpu';
import { dawnDevice } from '../../src/gpu/testing/dawnDevice';
import type { BenchHost } from './benchHost';
import { benchPlans, type BenchSize } from './benchSizes';
import { createBenchThread, type BenchTools } from './benchThread';
import { createCompiledBenchSampler } from './compiledSampling';
import { createCompiledTraining } from './compiledTraining';
import { countDevices } from './deviceCounts';
import { runBench } from './runBench';

/** The compiled engine alone, on Dawn in this process: `node nodeBench.js <size> <file for the result>`. */

/** Exit code where there is no adapter: the caller may offer another driver. */
const noAdapterCode = 3;

Object.assign(globalThis, globals);
const readCounts = countDevices();
/** Of the threads that are open: they end with them. */
const devices: GPUDevice[] = [];

async function openDevice(): Promise<GPUDevice> {
  const device = await dawnDevice();
  devices.push(device);
  return device;
}

const tools: BenchTools = {
  trainings: {
    compiled: async (task, numReplicas) =>
      createCompiledTraining(await openDevice(), task, numReplicas),
    tfjsWebgpu: null,
    tfjsWasm: null,
    jaxWebgpu: null,
    jaxWasm: null,
  },
  samplers: {
    compiled: async (request) => createCompiledBenchSampler(await openDevice(), request),
    tfjsWebgpu: null,
    tfjsWasm: null,
  },
  openDevice,
};

const host: BenchHost = {
  peers: ['compiled'],
  samplers: ['compiled'],
  note(line) {
    process.stdout.write(`${line}\n`);
    return Promise.resolve();
  },
  // All in this process: what they count is counted together, one after another.
  async withThreads(count, act) {
    try {
      return await act(Array.from({ length: count }, () => createBenchThread(tools, readCounts)));
    } finally {
      for (const device of devices.splice(0)) device.destroy();
    }
  },
};

function isSize(text: string | undefined): text is BenchSize {
  return text !== undefined && text in benchPlans;
}

/** Describes the adapter, or ends the process where there is none. */
async function adapterInWords(): Promise<string> {
  const device = await openDevice().catch(() => process.exit(noAdapterCode));
  const { vendor, architecture, device: model, description } = device.adapterInfo;
  return [vendor, architecture, model, description].filter((word) => word !== '').join(' ');
}

async function main(): Promise<void> {
  const [size, file] = process.argv.slice(2);
  if (!isSize(size) || file === undefined) throw new Error('Usage: nodeBench.js <size> <file>');
  const adapter = await adapterInWords();
  await host.note(`Adapter: ${adapter}`);
  const measurements = await runBench(host, size);
  writeFileSync(file, JSON.stringify({ measurements, adapter }));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
// Dawn's threads would keep the process alive.
process.exit();
