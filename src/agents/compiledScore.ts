import { encodePlans } from '../gpu/plan';
import type { ScoreTurns, UpdateBatch } from '../protocol/policyApi';
import type { CohortSlice } from './cohortSlices';
import type { CompiledState } from './compiledState';
import { groupRows } from './groupRows';
import { lossHyperOf } from './kernelHypers';
import type { PackedTurns } from './packTurns';
import { packScored, unpackScores } from './scoreTurns';
import { stackTurns } from './stackTurns';

/** Log-probabilities of written turns on the compiled engine. */

/** [slices][R] float32 [N, L] of each slice's turns under `weights`, in its own packing; null where a replica has none. One read-back. */
async function logprobsOf(
  state: CompiledState,
  slices: readonly (readonly (PackedTurns | null)[])[],
  weights: GPUBuffer,
): Promise<(Float32Array | null)[][]> {
  const { stage, readback, cache, hypers } = state;
  const stacks = slices.map((packed) =>
    stackTurns(
      packed.map(
        (turns) => turns && { packed: turns, objective: 'policyGradient', refLogprobs: null },
      ),
    ),
  );
  stage.reserve(stacks.map(({ shape }) => shape));
  const plans = await Promise.all(
    stacks.map(({ shape }) =>
      Promise.all([
        stage.plan(shape, { kind: 'forward', weights }),
        stage.plan(shape, { kind: 'logprobs' }),
      ]),
    ),
  );
  // Of no loss, but what is uploaded must be whole.
  const losses = hypers.map(({ loss }) => lossHyperOf('policyGradient', loss, 1));
  const sizes = stacks.map(({ shape }) => hypers.length * shape.numTurns * shape.actionWidth);
  const reading = readback.begin(sizes.reduce((sum, size) => sum + size, 0));
  for (const [index, stacked] of stacks.entries()) {
    stage.upload(stacked, losses);
    const encoder = cache.device.createCommandEncoder();
    encodePlans(encoder, plans[index]!);
    reading.copy(encoder, stage.memory().loss.slopes, sizes[index]!);
    cache.device.queue.submit([encoder.finish()]);
  }
  const read = await reading.finish();
  return slices.map((packed, index) => {
    const { numTurns, actionWidth } = stacks[index]!.shape;
    const stride = numTurns * actionWidth;
    return packed.map((turns, replica) => {
      if (turns === null) return null;
      const own = new Float32Array(turns.mask.length);
      for (let turn = 0; turn < turns.turnCounts.length; turn++) {
        const start = replica * stride + turn * actionWidth;
        own.set(read[index]!.subarray(start, start + turns.actionWidth), turn * turns.actionWidth);
      }
      return own;
    });
  });
}

/** By slice: [R] its turns under the reference. Empty where no replica's update looks at one. Throws an Error where it was never kept. */
export async function referenceLogprobs(
  state: CompiledState,
  batch: UpdateBatch,
  slices: readonly CohortSlice[],
): Promise<Map<CohortSlice, readonly (Float32Array | null)[]>> {
  const hasPenalty = state.hypers.map(({ loss }) => loss.refKlCoef > 0);
  const isAsked = slices.some(({ packed }) =>
    packed.some((turns, replica) => turns !== null && hasPenalty[replica]),
  );
  if (batch.objective === 'supervised' || !isAsked) return new Map();
  if (state.reference === null)
    throw new Error('The loss has a KL penalty, but keepReference() was never called.');
  const logprobs = await logprobsOf(
    state,
    slices.map(({ packed }) => packed),
    state.reference,
  );
  return new Map(slices.map((slice, index) => [slice, logprobs[index]!]));
}

/** See `PolicyApi.score`. */
export async function scoreCompiled(
  state: CompiledState,
  turns: ScoreTurns,
  under: 'current' | 'reference',
): Promise<Float32Array> {
  const byReplica = groupRows(turns.replicas.keys(), (row) => turns.replicas[row]!);
  const hasReference = [...byReplica.keys()].every(
    (replica) => state.hypers[replica]!.loss.refKlCoef > 0,
  );
  const weights = under === 'current' ? state.weights : hasReference ? state.reference : null;
  if (weights === null)
    throw new Error('This replica has no reference to score under: its loss has no KL penalty.');
  const packed = state.hypers.map((_, replica) => {
    const rows = byReplica.get(replica);
    return rows === undefined ? null : packScored(turns, rows);
  });
  const [logprobs] = await logprobsOf(state, [packed], weights);
  return unpackScores(
    turns,
    Array.from(byReplica, ([replica, rows]) => ({
      rows,
      packed: packed[replica]!,
      values: logprobs![replica]!,
    })),
  );
}
