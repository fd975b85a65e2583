import { createStorage, uploadStorage } from '../gpu/buffers';
import { createPlan, encodePlans, type Plan } from '../gpu/plan';
import { gradientProducts, numProductGroups, tensorSquares } from '../kernels/optimizer/optimizer';
import type { SegmentGradients, UpdateBatch } from '../protocol/policyApi';
import { partArenas, type CompiledState } from './compiledState';
import { gramMatrix, numProductReadings, pairsOf } from './compiledStats';
import { prepareSlices, type PreparedSlice } from './compiledUpdate';
import { parameterSpecs, sizeOf } from './parameters';

/**
 * `PolicyApi.segmentGradients` on the compiled engine: the passes of an update's first step into the arenas that the next update
 * overwrites anyway, then inner products instead of a step. One read-back.
 */

/** Room for the sums over parameter tensors; made when they are first asked for. */
function tensorBuffers(state: CompiledState) {
  const { cohort, cache, hypers } = state;
  if (state.tensors !== null) return state.tensors;
  const starts = [0];
  for (const { shape } of parameterSpecs(cohort.architecture, cohort.vocabularySize))
    starts.push(starts.at(-1)! + sizeOf(shape));
  const count = starts.length - 1;
  state.tensors = {
    count,
    starts: uploadStorage(cache.device, Int32Array.from(starts), 'tensor starts'),
    squares: createStorage(cache.device, hypers.length * count, 'tensor squares'),
  };
  return state.tensors;
}

/** Of `count` parts: the inner products of each pair (of the one with itself), then each part's sums over the tensors. */
function productPlans(state: CompiledState, count: number): Promise<Plan[]> {
  const { productPlans: known, cache, hypers, numParameters, products } = state;
  const plans = known.get(count);
  if (plans) return Promise.all(plans);
  const parts = partArenas(state, count);
  const { starts, squares, count: numTensors } = tensorBuffers(state);
  const shape = { numReplicas: hypers.length, numParameters, numTensors };
  const pairs = count === 1 ? [[0, 0] as const] : pairsOf(count);
  const calls = [
    ...pairs.map(([i, j]) =>
      gradientProducts(hypers.length, numParameters, [parts[i]!, parts[j]!], products),
    ),
    ...parts.map((part) => tensorSquares(shape, part, { starts, squares })),
  ];
  const fresh = calls.map((call) => createPlan(cache, [call]));
  known.set(count, fresh);
  return Promise.all(fresh);
}

/** Every slice into its own arena. */
async function issueGradients(
  { stage, cache }: CompiledState,
  slices: readonly PreparedSlice[],
  arenas: readonly GPUBuffer[],
): Promise<void> {
  const plans = await Promise.all(
    slices.map(({ stacked }, part) =>
      stage.plan(stacked.shape, { kind: 'gradient', gradients: arenas[part]! }),
    ),
  );
  for (const [part, { stacked, losses, forward }] of slices.entries()) {
    stage.upload(stacked, losses);
    const encoder = cache.device.createCommandEncoder();
    encodePlans(encoder, [forward, plans[part]!]);
    cache.device.queue.submit([encoder.finish()]);
  }
}

/** [pairs] × [R, groups, 3], then [parts] × [R, tensors]. */
async function readProducts(state: CompiledState, count: number): Promise<Float32Array[]> {
  const { cache, readback, hypers, numParameters, products } = state;
  const plans = await productPlans(state, count);
  const { squares, count: numTensors } = tensorBuffers(state);
  const numPairs = numProductReadings(count);
  const sizes = plans.map(
    (_, index) =>
      hypers.length * (index < numPairs ? 3 * numProductGroups(numParameters) : numTensors),
  );
  const reading = readback.begin(sizes.reduce((sum, size) => sum + size, 0));
  const encoder = cache.device.createCommandEncoder();
  for (const [index, plan] of plans.entries()) {
    encodePlans(encoder, [plan]);
    reading.copy(encoder, index < numPairs ? products : squares, sizes[index]!);
  }
  cache.device.queue.submit([encoder.finish()]);
  return reading.finish();
}

/** One replica's part of what was read. */
function segmentsOf(
  { numParameters }: CompiledState,
  slices: readonly PreparedSlice[],
  read: readonly Float32Array[],
  { replica, numTensors }: { replica: number; numTensors: number },
): SegmentGradients {
  const count = slices.length;
  const gram = gramMatrix(read, count, replica, numProductGroups(numParameters));
  const squares = read.slice(numProductReadings(count));
  const own = [...slices.keys()].filter((index) => slices[index]!.packed[replica] !== null);
  return {
    replica,
    segments: own.map((index) => slices[index]!.agent),
    products: Float64Array.from(own.flatMap((i) => own.map((j) => gram[i * count + j]!))),
    tensorSquares: Float64Array.from(
      own.flatMap((index) =>
        Array.from(squares[index]!.subarray(replica * numTensors, (replica + 1) * numTensors)),
      ),
    ),
  };
}

/** See `PolicyApi.segmentGradients`. */
export async function compiledGradients(
  state: CompiledState,
  batch: UpdateBatch,
): Promise<readonly SegmentGradients[]> {
  if (batch.replicas.length === 0) return [];
  const minibatches = new Int32Array(batch.replicas.length);
  const slices = (await prepareSlices(state, { ...batch, minibatches })).flat();
  await issueGradients(state, slices, partArenas(state, slices.length));
  const read = await readProducts(state, slices.length);
  const { count: numTensors } = tensorBuffers(state);
  return [...new Set(batch.replicas)].map((replica) =>
    segmentsOf(state, slices, read, { replica, numTensors }),
  );
}
