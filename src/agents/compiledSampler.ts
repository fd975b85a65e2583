import { plannedBuffers, requireBuffers, type BufferMaker } from '../gpu/bufferBudget';
import { encodePlans, type Plan } from '../gpu/plan';
import { createPlanStore } from '../gpu/planStore';
import type { SampleCalls, SampledTurns } from '../protocol/policyApi';
import type { SamplingShape } from './compiledDecode';
import type { CompiledState } from './compiledState';
import { batchedPath, persistentPath, type DecodePath, type DecodeResults } from './decodePath';
import { packRows, unpackRows, type SamplingRows } from './samplingRows';

/** `PolicyApi.sample` on the compiled engine: whole turns on the device, one read-back a call, all replicas side by side. */

export interface CompiledSampler {
  sample(calls: SampleCalls): Promise<SampledTurns>;
  destroy(): void;
}

/** How rows go from token to token; the tokens are the same but for float32 rounding. */
export type Decoding =
  /** Four dispatches and nine a layer for each token. */
  | { readonly kind: 'batched' }
  /** One dispatch for so many tokens, four rows a workgroup. */
  | { readonly kind: 'persistent'; readonly tokensPerDispatch: number };

/** Plans of this many shapes are kept: the least recently used goes first. */
const maxPlans = 32;

/** Buffers for as many rows, prompts and tokens as were ever asked for, and plans on them. */
interface Decoder {
  /** Room for the rows, and what the device reads of them. To be called before `plan`. */
  upload(rows: SamplingRows): void;
  plan(shape: SamplingShape, isGreedy: boolean): Promise<Plan>;
  /** Of the last plan. */
  draws(): GPUBuffer;
  destroy(): void;
}

function largerOf(a: SamplingShape, b: SamplingShape): SamplingShape {
  return {
    ...a,
    numRows: Math.max(a.numRows, b.numRows),
    numPrompts: Math.max(a.numPrompts, b.numPrompts),
    length: Math.max(a.length, b.length),
    width: Math.max(a.width, b.width),
  };
}

function createDecoder<B extends DecodeResults>(
  { stage, cache, cohort }: CompiledState,
  path: DecodePath<B>,
): Decoder {
  let own: { readonly room: SamplingShape; readonly buffers: B } | null = null;
  /** Of which memory the plans are. */
  let planned: unknown = null;
  const plans = createPlanStore(cache, maxPlans);
  const buffers = (): B => {
    if (own === null) throw new Error('The decoder has no rows yet: call upload() first.');
    return own.buffers;
  };
  const reserve = (shape: SamplingShape): void => {
    const room = largerOf(shape, own?.room ?? shape);
    if (own !== null && JSON.stringify(room) === JSON.stringify(own.room)) return;
    const allocate = (device: BufferMaker): B => path.createBuffers(device, room, cohort.maxLength);
    requireBuffers(cache.device.limits, plannedBuffers(allocate), room.numReplicas);
    plans.clear();
    if (own !== null) path.destroyBuffers(own.buffers);
    own = { room, buffers: allocate(cache.device) };
  };
  return {
    upload(rows) {
      reserve(rows.shape);
      path.upload(cache.device.queue, buffers(), rows);
    },
    plan(shape, isGreedy) {
      const { pass } = stage.memory();
      if (planned !== pass) plans.clear();
      planned = pass;
      const { numRows, numPrompts, length, width } = shape;
      return plans.get(JSON.stringify([numRows, numPrompts, length, width, isGreedy]), () =>
        path.calls(shape, pass, buffers(), isGreedy),
      );
    },
    draws: () => buffers().draws,
    destroy() {
      plans.clear();
      if (own !== null) path.destroyBuffers(own.buffers);
      own = null;
    },
  };
}

/** What was drawn, [R, B, L, 2]: one submit, one read-back. */
async function draw(
  { stage, cache, weights, readback }: CompiledState,
  decoder: Decoder,
  rows: SamplingRows,
  isGreedy: boolean,
): Promise<Float32Array> {
  const { shape, prompts } = rows;
  const { device } = cache;
  stage.reserve([prompts]);
  const { pass } = stage.memory();
  device.queue.writeBuffer(pass.tokens, 0, rows.tokens);
  device.queue.writeBuffer(pass.siteRows, 0, rows.siteRows);
  decoder.upload(rows);
  const forward = await stage.plan(prompts, { kind: 'forward', weights });
  const decode = await decoder.plan(shape, isGreedy);
  const count = 2 * shape.numReplicas * shape.numRows * shape.width;
  const reading = readback.begin(count);
  const encoder = device.createCommandEncoder();
  encodePlans(encoder, [forward, decode]);
  reading.copy(encoder, decoder.draws(), count);
  device.queue.submit([encoder.finish()]);
  const [draws] = await reading.finish();
  return draws!;
}

/**
 * One call of `sample` at a time. `state` outlives the sampler, and its stage does the passes over the prompts.
 * @throws RangeError where the persistent path does not fit into the device's limits.
 */
export function createCompiledSampler(
  state: CompiledState,
  decoding: Decoding = { kind: 'batched' },
): CompiledSampler {
  const { architecture, vocabularySize, maxActionTokens } = state.cohort;
  const cohort = { architecture, vocabularySize, numReplicas: state.hypers.length };
  const decoder =
    decoding.kind === 'batched'
      ? createDecoder(state, batchedPath)
      : createDecoder(
          state,
          persistentPath(state.cache.device.limits, cohort, decoding.tokensPerDispatch),
        );
  return {
    async sample(calls) {
      if (calls.replicas.length === 0)
        return { actionTokens: new Int32Array(), rolloutLogprobs: new Float32Array() };
      const rows = packRows(cohort, calls);
      const draws = await draw(state, decoder, rows, calls.greedy);
      return unpackRows(rows, calls, draws, maxActionTokens);
    },
    destroy: () => decoder.destroy(),
  };
}
