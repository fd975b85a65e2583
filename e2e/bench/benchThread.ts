import { countsBetween, type DeviceCounts } from './deviceCounts';
import { matmulRates, type MatmulRate } from './matmulRates';
import type { Sampler, SamplerFactory, SamplerName, SamplingRequest } from './sampling';
import type { Training } from './training';
import { createTrainingTask, type BenchShape, type TrainingTask } from './trainingTask';

/** What the bench asks of one thread: in a browser a worker of its own for every library and shape, in Node the process itself. */

export type PeerName = 'compiled' | 'tfjsWebgpu' | 'tfjsWasm' | 'jaxWebgpu' | 'jaxWasm';

/** Makes the step of a library; only the compiled one stacks replicas. */
type TrainingFactory = (task: TrainingTask, numReplicas: number) => Promise<Training>;

interface OpenRequest {
  readonly peer: PeerName;
  readonly shape: BenchShape;
  readonly numReplicas: number;
}

export interface Opened {
  readonly numParameters: number;
  /** From nothing (no device, no pipelines) to the first loss. Unit: ms. */
  readonly firstMs: number;
  /** [3][R] of the first three steps, each before its update. */
  readonly losses: readonly (readonly number[])[];
  /** The last of these three steps, waited for: a first estimate. Unit: ms. */
  readonly estimateMs: number;
}

export interface BenchThread {
  open(request: OpenRequest): Promise<Opened>;
  /** Steps issued one after another, the last one's loss read back. Unit: ms, mean over the steps. */
  measure(numSteps: number): Promise<number>;
  /** Until a step is issued on an idle queue, nothing awaited; what a library defers is not in it. Unit: ms, mean over the steps. */
  issue(numSteps: number): Promise<number>;
  /** Of `numSteps` steps together, without the read-back after them; then the bytes alive. */
  count(numSteps: number): Promise<{ steps: DeviceCounts; bytes: number }>;
  matmulRates(budgetMs: number): Promise<MatmulRate[]>;
  /** Makes a sampler and lets it run once. */
  openSampler(name: SamplerName, request: SamplingRequest): Promise<{ firstMs: number }>;
  /** Unit: ms for all turns of the request, once. */
  sample(): Promise<number>;
}

/** What a thread can make. */
export interface BenchTools {
  readonly trainings: Readonly<Record<PeerName, TrainingFactory | null>>;
  readonly samplers: Readonly<Record<SamplerName, SamplerFactory | null>>;
  readonly openDevice: () => Promise<GPUDevice>;
}

/** Runs the first three steps. */
async function firstSteps(create: () => Promise<Training>) {
  const beginMs = performance.now();
  const training = await create();
  const losses: number[][] = [];
  let firstMs = 0;
  let estimateMs = 0;
  for (let step = 0; step < 3; step++) {
    const stepBeginMs = performance.now();
    training.step();
    losses.push(await training.lastLosses());
    const endMs = performance.now();
    if (step === 0) firstMs = endMs - beginMs;
    estimateMs = endMs - stepBeginMs;
  }
  return { training, opened: { firstMs, losses, estimateMs } };
}

/** Of one open training. */
async function meanStepMs(training: Training, numSteps: number): Promise<number> {
  const beginMs = performance.now();
  for (let step = 0; step < numSteps; step++) {
    training.step();
    await training.start();
  }
  await training.lastLosses();
  return (performance.now() - beginMs) / numSteps;
}

async function meanIssueMs(training: Training, numSteps: number): Promise<number> {
  let sumMs = 0;
  for (let step = 0; step < numSteps; step++) {
    const beginMs = performance.now();
    training.step();
    sumMs += performance.now() - beginMs;
    await training.lastLosses();
  }
  return sumMs / numSteps;
}

/** @param readCounts of the WebGPU calls so far; other threads of the same process may be among them, one call at a time */
export function createBenchThread(tools: BenchTools, readCounts: () => DeviceCounts): BenchThread {
  let training: Training | null = null;
  let sampler: Sampler | null = null;
  /** Alive of what this thread made. Unit: bytes. */
  let ownBytes = 0;
  const opened = (): Training => {
    if (training === null) throw new Error('The thread was asked for steps before open().');
    return training;
  };
  const tracked = async <T>(act: () => Promise<T>): Promise<T> => {
    const before = readCounts().bytes;
    const result = await act();
    ownBytes += readCounts().bytes - before;
    return result;
  };
  return {
    open: ({ peer, shape, numReplicas }) =>
      tracked(async () => {
        const factory = tools.trainings[peer];
        if (factory === null) throw new Error(`${peer} does not run here.`);
        const task = createTrainingTask(shape);
        const first = await firstSteps(() => factory(task, numReplicas));
        ({ training } = first);
        return { ...first.opened, numParameters: task.numParameters };
      }),
    measure: (numSteps) => tracked(() => meanStepMs(opened(), numSteps)),
    issue: (numSteps) => tracked(() => meanIssueMs(opened(), numSteps)),
    async count(numSteps) {
      const steps = await tracked(async () => {
        const before = readCounts();
        for (let step = 0; step < numSteps; step++) {
          opened().step();
          await opened().start();
        }
        const after = readCounts();
        await opened().lastLosses();
        return countsBetween(before, after);
      });
      return { steps, bytes: ownBytes };
    },
    matmulRates: async (budgetMs) => matmulRates(await tools.openDevice(), budgetMs),
    async openSampler(name, request) {
      const factory = tools.samplers[name];
      if (factory === null) throw new Error(`The sampler ${name} does not run here.`);
      const beginMs = performance.now();
      sampler = await factory(request);
      await sampler();
      return { firstMs: performance.now() - beginMs };
    },
    async sample() {
      if (sampler === null) throw new Error('The thread was asked for turns before openSampler().');
      const beginMs = performance.now();
      await sampler();
      return performance.now() - beginMs;
    },
  };
}
