import { encodePlans, createPlan, type Plan } from '../gpu/plan';
import type { Reading } from '../gpu/readback';
import {
  accumulate,
  gradientProducts,
  numProductGroups,
  optimizerCalls,
  packHypers,
  type OptimizerHyper,
} from '../kernels/optimizer/optimizer';
import { turnStats, type LossHyper } from '../kernels/policyLoss/policyLoss';
import type { ReplicaHyper, UpdateBatch, UpdateStats } from '../protocol/policyApi';
import { referenceLogprobs } from './compiledScore';
import { partArenas, type CompiledState } from './compiledState';
import { lossHyperOf, optimizerHyperOf } from './kernelHypers';
import { slicesOf, type CohortSlice } from './cohortSlices';
import { stackTurns, type StackedTurns } from './stackTurns';
import { compiledStats, numProductReadings, pairsOf, type StepReading } from './compiledStats';

/**
 * `PolicyApi.update` on the compiled engine: every slice (one agent's turns of one minibatch, all replicas side by side) is one pass
 * forwards and backwards, every optimizer step one step of all replicas that have it. All is issued before the one read-back.
 */

/** A slice ready to be uploaded, with its plans. */
export interface PreparedSlice extends CohortSlice {
  readonly stacked: StackedTurns;
  readonly losses: readonly LossHyper[];
  readonly forward: Plan;
  readonly statistics: Plan;
}

/** Numbers of a slice's summary of one replica. */
const summarySize = turnStats.length + 1;

/** [minibatches][segments]; makes room on the stage. */
export async function prepareSlices(
  state: CompiledState,
  batch: UpdateBatch,
): Promise<PreparedSlice[][]> {
  const { stage, weights, hypers } = state;
  const minibatches = slicesOf(batch, hypers, state.cohort.maxActionTokens);
  const references = await referenceLogprobs(state, batch, minibatches.flat());
  const stacks = new Map(
    minibatches.flat().map((slice) => {
      const refLogprobs = references.get(slice);
      const { objective } = batch;
      const turns = slice.packed.map(
        (packed, replica) =>
          packed && { packed, objective, refLogprobs: refLogprobs?.[replica] ?? null },
      );
      return [slice, stackTurns(turns)] as const;
    }),
  );
  stage.reserve([...stacks.values()].map(({ shape }) => shape));
  const prepare = async (slice: CohortSlice): Promise<PreparedSlice> => {
    const stacked = stacks.get(slice)!;
    const [forward, statistics] = await Promise.all([
      stage.plan(stacked.shape, { kind: 'forward', weights }),
      stage.plan(stacked.shape, { kind: 'statistics' }),
    ]);
    const losses = hypers.map(({ loss }, replica) =>
      lossHyperOf(batch.objective, loss, slice.tokenShares[replica]!),
    );
    return { ...slice, stacked, losses, forward, statistics };
  };
  return Promise.all(minibatches.map((slices) => Promise.all(slices.map(prepare))));
}

/** The optimizer step on `count` parts: their sum, the inner products of each pair where there are several, and the step. */
function stepPlans(state: CompiledState, count: number): Promise<Plan[]> {
  const { stepPlans: known, cache, hypers, numParameters } = state;
  const plans = known.get(count);
  if (plans) return Promise.all(plans);
  const numReplicas = hypers.length;
  const parts = partArenas(state, count);
  const optimizer = optimizerCalls(numReplicas, numParameters, {
    ...state,
    hypers: state.optimizerHypers,
    gradient: state.gradients,
  });
  const sums =
    count === 1
      ? []
      : parts.map((part, index) =>
          accumulate(
            numReplicas * numParameters,
            part,
            state.gradients,
            index === 0 ? 'overwrite' : 'add',
          ),
        );
  const angles = pairsOf(count).map(([i, j]) => [
    gradientProducts(numReplicas, numParameters, [parts[i]!, parts[j]!], state.products),
  ]);
  const fresh = [sums, ...angles, optimizer].map((calls) => createPlan(cache, calls));
  known.set(count, fresh);
  return Promise.all(fresh);
}

/** Who takes a step in this minibatch of this epoch, and how. */
function hypersOfStep(
  hypers: readonly ReplicaHyper[],
  batch: UpdateBatch,
  isActive: (replica: number) => boolean,
): OptimizerHyper[] {
  return hypers.map(({ optimizer }, replica) => ({
    ...optimizerHyperOf(optimizer),
    learningRate: batch.learningRates[replica]!,
    isActive: isActive(replica),
  }));
}

interface Issue {
  readonly state: CompiledState;
  readonly batch: UpdateBatch;
  readonly reading: Reading;
}

/** One slice into its part of the gradient, and its statistics into the reading. */
function issueSlice({ state, reading }: Issue, slice: PreparedSlice, gradient: Plan): void {
  const { device } = state.cache;
  state.stage.upload(slice.stacked, slice.losses);
  const encoder = device.createCommandEncoder();
  encodePlans(encoder, [slice.forward, gradient]);
  const { summary } = state.stage.memory().loss;
  reading.copy(encoder, summary, state.hypers.length * summarySize);
  device.queue.submit([encoder.finish()]);
}

/** The step itself; `plans` as `stepPlans` gives them. */
function issueStep({ state, reading }: Issue, plans: readonly Plan[]): void {
  const { device } = state.cache;
  const encoder = device.createCommandEncoder();
  const count = state.hypers.length * 3 * numProductGroups(state.numParameters);
  const [sums, ...rest] = plans;
  if (sums!.numDispatches > 0) encodePlans(encoder, [sums!]);
  for (const angles of rest.slice(0, -1)) {
    encodePlans(encoder, [angles]);
    reading.copy(encoder, state.products, count);
  }
  encodePlans(encoder, [rest.at(-1)!]);
  // One part is the whole: its norm is the step's own.
  if (rest.length === 1) reading.copy(encoder, state.products, count);
  device.queue.submit([encoder.finish()]);
}

/** Numbers that come back from an update. */
function readingSize(
  state: CompiledState,
  minibatches: readonly PreparedSlice[][],
  numEpochs: number,
): number {
  const total = (of: (slices: readonly PreparedSlice[]) => number): number =>
    minibatches.reduce((sum, slices) => sum + of(slices), 0);
  const numSummaries = (numEpochs + 1) * total((slices) => slices.length);
  const numReadings = numEpochs * total((slices) => numProductReadings(slices.length));
  const perReading = 3 * numProductGroups(state.numParameters);
  return state.hypers.length * (numSummaries * summarySize + numReadings * perReading);
}

/** All epochs and minibatches. Returns what each entry of the reading will be. */
function issueAll(
  issue: Issue,
  minibatches: readonly PreparedSlice[][],
  plans: ReadonlyMap<
    readonly PreparedSlice[],
    { gradients: readonly Plan[]; step: readonly Plan[] }
  >,
  numEpochs: readonly number[],
): StepReading[] {
  const { state, batch } = issue;
  const steps: StepReading[] = [];
  const epochs = Math.max(...numEpochs);
  for (let epoch = 0; epoch < epochs; epoch++)
    for (const slices of minibatches) {
      const takesPart = (replica: number): boolean =>
        epoch < numEpochs[replica]! && slices.some(({ packed }) => packed[replica] !== null);
      const { gradients, step } = plans.get(slices)!;
      const hypers = hypersOfStep(state.hypers, batch, takesPart);
      state.cache.device.queue.writeBuffer(state.optimizerHypers, 0, packHypers(hypers));
      for (const [part, slice] of slices.entries()) issueSlice(issue, slice, gradients[part]!);
      issueStep(issue, step);
      steps.push({ kind: 'step', slices, takesPart });
    }
  if (batch.objective === 'policyGradient')
    for (const slices of minibatches) {
      for (const slice of slices) issueFinal(issue, slice);
      steps.push({ kind: 'final', slices, takesPart: () => true });
    }
  return steps;
}

/** Where the weights have come to: the statistics of a slice after the last step. */
function issueFinal({ state, reading }: Issue, slice: PreparedSlice): void {
  const { device } = state.cache;
  state.stage.upload(slice.stacked, slice.losses);
  const encoder = device.createCommandEncoder();
  encodePlans(encoder, [slice.forward, slice.statistics]);
  reading.copy(encoder, state.stage.memory().loss.summary, state.hypers.length * summarySize);
  device.queue.submit([encoder.finish()]);
}

/** See `PolicyApi.update`. */
export async function updateCompiled(
  state: CompiledState,
  batch: UpdateBatch,
): Promise<UpdateStats> {
  if (batch.replicas.length === 0) return { agents: [] };
  const { stage, hypers, readback } = state;
  const minibatches = await prepareSlices(state, batch);
  const prepared = await Promise.all(
    minibatches.map(async (slices) => {
      const arenas = partArenas(state, slices.length);
      const gradients = await Promise.all(
        slices.map(({ stacked }, part) =>
          stage.plan(stacked.shape, { kind: 'gradient', gradients: arenas[part]! }),
        ),
      );
      return [slices, { gradients, step: await stepPlans(state, slices.length) }] as const;
    }),
  );
  const numEpochs = hypers.map(({ loss }) =>
    batch.objective === 'supervised' ? 1 : loss.numUpdateEpochs,
  );
  const reading = readback.begin(readingSize(state, minibatches, Math.max(...numEpochs)));
  const steps = issueAll({ state, batch, reading }, minibatches, new Map(prepared), numEpochs);
  return { agents: compiledStats(state, batch, steps, await reading.finish()) };
}
