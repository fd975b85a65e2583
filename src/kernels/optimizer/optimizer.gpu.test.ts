import { beforeAll, expect, test } from 'vitest';
import { createStorage, readFloats, uploadStorage } from '../../gpu/buffers';
import { createPipelineCache, createPlan, submitPlans } from '../../gpu/plan';
import { normals } from '../../gpu/testing/arrays';
import { dawnDevice } from '../../gpu/testing/dawnDevice';
import { runCalls } from '../../gpu/testing/runCalls';
import { mismatch } from '../../rl/golden/mismatch';
import {
  accumulate,
  gradientProducts,
  numProductGroups,
  optimizerCalls,
  packHypers,
  tensorSquares,
  type OptimizerHyper,
} from './optimizer';

let device: GPUDevice;
beforeAll(async () => {
  device = await dawnDevice();
});

const adamw: OptimizerHyper = {
  kind: 'adamw',
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.1,
  maxGradNorm: null,
  isActive: true,
};
const hypers: readonly OptimizerHyper[] = [
  adamw,
  { ...adamw, maxGradNorm: 0.5 },
  { ...adamw, kind: 'sgd', beta1: 0.8, learningRate: 0.1 },
  { ...adamw, isActive: false },
];

/** PyTorch's steps in float64. */
function plainSteps(
  hyper: OptimizerHyper,
  start: Float32Array,
  gradients: readonly Float32Array[],
): Float64Array {
  const weights = Float64Array.from(start);
  const [first, second] = [new Float64Array(start.length), new Float64Array(start.length)];
  let count = 0;
  for (const gradient of gradients) {
    const norm = Math.sqrt(gradient.reduce((sum, value) => sum + value * value, 0));
    if (!Number.isFinite(norm) || !hyper.isActive) continue;
    count += 1;
    const factor = hyper.maxGradNorm === null ? 1 : Math.min(1, hyper.maxGradNorm / (norm + 1e-6));
    for (const [i, raw] of gradient.entries()) {
      const slope = raw * factor;
      if (hyper.kind === 'sgd') {
        first[i] = hyper.beta1 * first[i]! + slope;
        weights[i]! -= hyper.learningRate * first[i];
        continue;
      }
      first[i] = hyper.beta1 * first[i]! + (1 - hyper.beta1) * slope;
      second[i] = hyper.beta2 * second[i]! + (1 - hyper.beta2) * slope * slope;
      const direction =
        first[i] /
        (1 - hyper.beta1 ** count) /
        (Math.sqrt(second[i] / (1 - hyper.beta2 ** count)) + hyper.epsilon);
      weights[i] =
        weights[i]! * (1 - hyper.learningRate * hyper.weightDecay) - hyper.learningRate * direction;
    }
  }
  return weights;
}

test.each([1, 7, 300, 9001])(
  'five steps on %i parameters, one of them not finite, are PyTorch’s',
  async (count) => {
    const numReplicas = hypers.length;
    const start = normals(9, numReplicas * count);
    const steps = Array.from({ length: 5 }, (_, step) => normals(step, numReplicas * count));
    steps[2]!.fill(NaN, 0, 1);
    steps[2]!.fill(Infinity, 2 * count, 2 * count + 1);
    const empty = (length: number): GPUBuffer => createStorage(device, length, 'state');
    const buffers = {
      hypers: uploadStorage(device, packHypers(hypers), 'hypers'),
      weights: uploadStorage(device, start, 'weights'),
      gradient: empty(numReplicas * count),
      moments1: empty(numReplicas * count),
      moments2: empty(numReplicas * count),
      progress: empty(4 * numReplicas),
      products: empty(3 * numReplicas * numProductGroups(count)),
      factors: empty(2 * numReplicas),
    };
    const plan = await createPlan(
      createPipelineCache(device),
      optimizerCalls(numReplicas, count, buffers),
    );
    const taken: number[][] = [];
    for (const gradient of steps) {
      device.queue.writeBuffer(buffers.gradient, 0, gradient);
      submitPlans(device, [plan]);
      const factors = await readFloats(device, buffers.factors);
      taken.push([0, 1, 2, 3].map((replica) => factors[2 * replica + 1]!));
    }
    const after = await readFloats(device, buffers.weights);
    for (const [replica, hyper] of hypers.entries()) {
      const own = (values: Float32Array): Float32Array =>
        values.subarray(replica * count, (replica + 1) * count);
      const expected = plainSteps(hyper, own(start), steps.map(own));
      expect(mismatch(own(after), expected, 1e-5)).toBeNull();
    }
    expect(taken).toEqual([
      [1, 1, 1, 0],
      [1, 1, 1, 0],
      [0, 1, 0, 0],
      [1, 1, 1, 0],
      [1, 1, 1, 0],
    ]);
    expect(plan.numDispatches).toBe(3);
  },
);

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

test.each([1, 257, 9001])(
  'two parts of %i numbers add up; their norms and their angle',
  async (count) => {
    const numReplicas = 2;
    const parts = [1, 2].map((seed) => normals(seed, numReplicas * count));
    const buffers = parts.map((part) => uploadStorage(device, part, 'part'));
    const total = createStorage(device, numReplicas * count, 'total');
    const numGroups = numProductGroups(count);
    const products = createStorage(device, 3 * numReplicas * numGroups, 'products');
    await runCalls(device, [
      accumulate(numReplicas * count, buffers[0]!, total, 'overwrite'),
      accumulate(numReplicas * count, buffers[1]!, total, 'add'),
      gradientProducts(numReplicas, count, [buffers[0]!, buffers[1]!], products),
    ]);
    const partials = await readFloats(device, products);
    for (let replica = 0; replica < numReplicas; replica++) {
      const own = (values: Float32Array): Float32Array =>
        values.subarray(replica * count, (replica + 1) * count);
      const [p, q] = [own(parts[0]!), own(parts[1]!)];
      const sums = [0, 1, 2].map((which) => {
        let sum = 0;
        for (let group = 0; group < numGroups; group++)
          sum += partials[3 * (replica * numGroups + group) + which]!;
        return sum;
      });
      const scale = dot(p, p) + dot(q, q);
      for (const [which, expected] of [dot(p, p), dot(p, q), dot(q, q)].entries())
        expect(Math.abs(sums[which]! - expected)).toBeLessThan(1e-6 * scale);
    }
  },
);

test('the squared norm of every tensor is that of its own numbers, also of tensors of one, none and many', async () => {
  const starts = Int32Array.of(0, 1, 1, 65, 1064, 5000);
  const [count, numReplicas, numTensors] = [5000, 3, starts.length - 1];
  const values = normals(8, numReplicas * count);
  const squares = createStorage(device, numReplicas * numTensors, 'squares');
  await runCalls(device, [
    tensorSquares(
      { numReplicas, numParameters: count, numTensors },
      uploadStorage(device, values, 'gradient'),
      { starts: uploadStorage(device, starts, 'starts'), squares },
    ),
  ]);
  const expected = Array.from({ length: numReplicas }, (_, replica) =>
    Array.from({ length: numTensors }, (__, tensor) => {
      const first = replica * count;
      const own = values.subarray(first + starts[tensor]!, first + starts[tensor + 1]!);
      return dot(own, own);
    }),
  ).flat();
  // float32 sums of up to 62 squares a thread, then of 64 threads.
  expect(mismatch(await readFloats(device, squares), Float64Array.from(expected), 1e-5)).toBeNull();
});
