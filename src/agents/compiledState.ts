import { requireBuffers } from '../gpu/bufferBudget';
import { createStorage } from '../gpu/buffers';
import type { PipelineCache, Plan } from '../gpu/plan';
import { createReadback, type Readback } from '../gpu/readback';
import { numProductGroups } from '../kernels/optimizer/optimizer';
import type { CohortSpec, ReplicaHyper } from '../protocol/policyApi';
import { createStage, type Stage } from './compiledStage';
import { initialWeights, parameterSpecs } from './parameters';
import { numParametersOf } from './parameterViews';
import { weightsKey } from './replica';

/** A cohort of the compiled engine: all its replicas stacked, weights and optimizer on the device. Axes: R replicas, P parameters. */

export interface CompiledState {
  readonly cohort: CohortSpec;
  /** [R] Replaced as a whole. */
  hypers: readonly ReplicaHyper[];
  readonly numParameters: number;
  readonly cache: PipelineCache;
  readonly stage: Stage;
  readonly readback: Readback;
  /** Of optimizer steps, by the number of parts. */
  readonly stepPlans: Map<number, Promise<Plan>[]>;
  /** Of inner products, likewise. */
  readonly productPlans: Map<number, Promise<Plan>[]>;
  /** [R, P] */
  readonly weights: GPUBuffer;
  readonly moments1: GPUBuffer;
  readonly moments2: GPUBuffer;
  /** [R, P] the whole gradient of a step. */
  readonly gradients: GPUBuffer;
  /** [R, P] each; one per agent that shares the policy, made when the first update with several comes. */
  readonly parts: GPUBuffer[];
  /** See `OptimizerBuffers`. */
  readonly optimizerHypers: GPUBuffer;
  readonly progress: GPUBuffer;
  readonly products: GPUBuffer;
  readonly factors: GPUBuffer;
  /** Where parameter tensors begin, int32 [tensors + 1], and sums over them [R, tensors]; null until asked for. */
  tensors: {
    readonly count: number;
    readonly starts: GPUBuffer;
    readonly squares: GPUBuffer;
  } | null;
  /** [R, P] frozen weights of the KL penalty; null until kept. */
  reference: GPUBuffer | null;
}

/** Weights depend on the seed and the policy's id alone, as everywhere. */
function writeInitialWeights(
  device: GPUDevice,
  cohort: CohortSpec,
  hypers: readonly ReplicaHyper[],
  weights: GPUBuffer,
): void {
  const specs = parameterSpecs(cohort.architecture, cohort.vocabularySize);
  let offset = 0;
  for (const { seed } of hypers)
    for (const values of initialWeights(specs, weightsKey(cohort.policyId, seed))) {
      device.queue.writeBuffer(weights, 4 * offset, Float32Array.from(values));
      offset += values.length;
    }
}

/** `now`: milliseconds of wall time, for what is spent waiting. */
export function createCompiledState(
  cache: PipelineCache,
  cohort: CohortSpec,
  hypers: readonly ReplicaHyper[],
  now: () => number,
): CompiledState {
  const numReplicas = hypers.length;
  const numParameters = numParametersOf(cohort.architecture, cohort.vocabularySize);
  const { device } = cache;
  const arena = { label: 'weights', size: 4 * numReplicas * numParameters };
  requireBuffers(device.limits, [arena], numReplicas);
  const empty = (label: string, perReplica: number): GPUBuffer =>
    createStorage(device, numReplicas * perReplica, label);
  const weights = empty('weights', numParameters);
  const gradients = empty('gradients', numParameters);
  writeInitialWeights(device, cohort, hypers, weights);
  return {
    cohort,
    hypers,
    numParameters,
    cache,
    stage: createStage(cache, { ...cohort, numReplicas }, { weights, gradients }),
    readback: createReadback(device, now),
    stepPlans: new Map(),
    productPlans: new Map(),
    weights,
    gradients,
    moments1: empty('first moments', numParameters),
    moments2: empty('second moments', numParameters),
    parts: [],
    optimizerHypers: empty('optimizer hypers', 8),
    progress: empty('optimizer progress', 4),
    products: empty('gradient products', 3 * numProductGroups(numParameters)),
    factors: empty('step factors', 2),
    tensors: null,
    reference: null,
  };
}

/** One gradient arena a slice: the whole one where there is but one. Their labels are the keys of the plans that write them. */
export function partArenas(state: CompiledState, count: number): GPUBuffer[] {
  if (count === 1) return [state.gradients];
  const { cache, hypers, numParameters, parts } = state;
  while (parts.length < count)
    parts.push(
      createStorage(cache.device, hypers.length * numParameters, `gradients ${parts.length}`),
    );
  return parts.slice(0, count);
}

export function destroyCompiledState(state: CompiledState): void {
  state.stage.destroy();
  state.readback.destroy();
  const { weights, gradients, moments1, moments2, parts, reference } = state;
  const { optimizerHypers, progress, products, factors } = state;
  const all = [
    weights,
    gradients,
    moments1,
    moments2,
    optimizerHypers,
    progress,
    products,
    factors,
  ];
  for (const buffer of [...all, ...parts]) buffer.destroy();
  state.tensors?.starts.destroy();
  state.tensors?.squares.destroy();
  reference?.destroy();
}
