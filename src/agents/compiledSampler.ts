import { encodePlans, type Plan } from '../gpu/plan';
import { createPlanStore } from '../gpu/planStore';
import type { SampleCalls, SampledTurns } from '../protocol/policyApi';
import {
  createDecodeBuffers,
  destroyDecodeBuffers,
  samplingCalls,
  type DecodeBuffers,
  type SamplingShape,
} from './compiledDecode';
import type { CompiledState } from './compiledState';
import { groupRows } from './groupRows';
import { bucketSize } from './packTurns';
import { divergedMessage } from './sampleTurns';
import type { StackShape } from './stackTurns';

/** `PolicyApi.sample` on the compiled engine: whole turns on the device, one read-back a call, all replicas side by side. */

export interface CompiledSampler {
  sample(calls: SampleCalls): Promise<SampledTurns>;
  destroy(): void;
}

/** Rows and distinct prompts of one replica. */
interface ReplicaRows {
  readonly replica: number;
  /** Indices into the calls. */
  readonly rows: readonly number[];
  readonly prompts: readonly Int32Array[];
  /** [rows] */
  readonly promptOf: readonly number[];
}

function distinctPrompts(
  calls: SampleCalls,
  replica: number,
  rows: readonly number[],
): ReplicaRows {
  const known = new Map<string, number>();
  const prompts: Int32Array[] = [];
  const promptOf = rows.map((row) => {
    const start = row * calls.promptWidth;
    const prompt = calls.promptTokens.subarray(start, start + calls.promptLengths[row]!);
    const key = String.fromCharCode(...prompt);
    const index = known.get(key) ?? prompts.length;
    if (index === prompts.length) prompts.push(prompt);
    known.set(key, index);
    return index;
  });
  return { replica, rows, prompts, promptOf };
}

/** Everything that the device reads, in the common shape of all replicas. */
interface Packed {
  readonly prompts: StackShape;
  readonly shape: SamplingShape;
  readonly tokens: Int32Array<ArrayBuffer>;
  readonly siteRows: Int32Array<ArrayBuffer>;
  readonly promptOf: Int32Array<ArrayBuffer>;
  readonly promptLengths: Int32Array<ArrayBuffer>;
  readonly keys: Uint32Array<ArrayBuffer>;
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), 1);
}

function shapesOf(
  { cohort, hypers }: CompiledState,
  parts: readonly ReplicaRows[],
  calls: SampleCalls,
): Pick<Packed, 'prompts' | 'shape'> {
  const numPrompts = bucketSize(most(parts.map(({ prompts }) => prompts.length)));
  const length = most(parts.flatMap(({ prompts }) => prompts.map((prompt) => prompt.length)));
  const { architecture, vocabularySize } = cohort;
  return {
    prompts: {
      numSequences: numPrompts,
      length,
      numSites: numPrompts,
      numTurns: 1,
      actionWidth: 1,
    },
    shape: {
      architecture,
      vocabularySize,
      numReplicas: hypers.length,
      numRows: bucketSize(most(parts.map(({ rows }) => rows.length))),
      numPrompts,
      length,
      width: most([...calls.actionLengths]),
    },
  };
}

function pack(state: CompiledState, parts: readonly ReplicaRows[], calls: SampleCalls): Packed {
  const shapes = shapesOf(state, parts, calls);
  const { numReplicas, numRows, numPrompts, length } = shapes.shape;
  const packed = {
    ...shapes,
    tokens: new Int32Array(numReplicas * numPrompts * length),
    siteRows: new Int32Array(numReplicas * numPrompts),
    promptOf: new Int32Array(numReplicas * numRows),
    promptLengths: new Int32Array(numReplicas * numRows).fill(1),
    keys: new Uint32Array(2 * numReplicas * numRows),
  };
  for (const { replica, rows, prompts, promptOf } of parts) {
    for (const [index, prompt] of prompts.entries()) {
      packed.tokens.set(prompt, (replica * numPrompts + index) * length);
      packed.siteRows[replica * numPrompts + index] = index * length + prompt.length - 1;
    }
    for (const [place, row] of rows.entries()) {
      const at = replica * numRows + place;
      packed.promptOf[at] = promptOf[place]!;
      packed.promptLengths[at] = calls.promptLengths[row]!;
      packed.keys.set(calls.noiseKeys.subarray(2 * row, 2 * row + 2), 2 * at);
    }
  }
  return packed;
}

/** [B, L] of the calls from what was drawn. Throws an Error where the logits of a token that was asked for are not finite. */
function unpack(
  parts: readonly ReplicaRows[],
  calls: SampleCalls,
  { numRows, width }: SamplingShape,
  { draws, maxActionTokens }: { draws: Float32Array; maxActionTokens: number },
): SampledTurns {
  const count = calls.replicas.length * maxActionTokens;
  const actionTokens = new Int32Array(count);
  const rolloutLogprobs = new Float32Array(count);
  for (const { replica, rows } of parts)
    for (const [place, row] of rows.entries())
      for (let position = 0; position < calls.actionLengths[row]!; position++) {
        const at = 2 * ((replica * numRows + place) * width + position);
        const logprob = draws[at + 1]!;
        // The kernel marks logits that are not finite by a value no log-probability has.
        if (!(logprob < 1)) throw new Error(divergedMessage);
        actionTokens[row * maxActionTokens + position] = draws[at]!;
        rolloutLogprobs[row * maxActionTokens + position] = Math.min(0, logprob);
      }
  return { actionTokens, rolloutLogprobs };
}

/** Buffers for as many rows and tokens as were ever asked for, and plans on them. */
interface Decoder {
  buffersFor(shape: SamplingShape): DecodeBuffers;
  plan(shape: SamplingShape, isGreedy: boolean): Promise<Plan>;
  destroy(): void;
}

function createDecoder({ stage, cache, cohort }: CompiledState): Decoder {
  let own: { readonly room: SamplingShape; readonly buffers: DecodeBuffers } | null = null;
  /** Of which memory the plans are. */
  let planned: unknown = null;
  const plans = createPlanStore(cache);
  const buffersFor = (shape: SamplingShape): DecodeBuffers => {
    if (own !== null && own.room.numRows >= shape.numRows && own.room.width >= shape.width)
      return own.buffers;
    if (own !== null) destroyDecodeBuffers(own.buffers);
    plans.clear();
    const room = {
      ...shape,
      numRows: Math.max(shape.numRows, own?.room.numRows ?? 0),
      width: Math.max(shape.width, own?.room.width ?? 0),
    };
    own = { room, buffers: createDecodeBuffers(cache.device, room, cohort.maxLength) };
    return own.buffers;
  };
  return {
    buffersFor,
    plan(shape, isGreedy) {
      const { pass } = stage.memory();
      if (planned !== pass) plans.clear();
      planned = pass;
      const { numRows, numPrompts, length, width } = shape;
      return plans.get(JSON.stringify([numRows, numPrompts, length, width, isGreedy]), () =>
        samplingCalls(shape, pass, buffersFor(shape), isGreedy),
      );
    },
    destroy() {
      plans.clear();
      if (own !== null) destroyDecodeBuffers(own.buffers);
      own = null;
    },
  };
}

/** What was drawn, [R, B, L, 2]: one submit, one read-back. */
async function draw(
  { stage, cache, weights, readback }: CompiledState,
  decoder: Decoder,
  packed: Packed,
  isGreedy: boolean,
): Promise<Float32Array> {
  const { shape, prompts } = packed;
  const { device } = cache;
  stage.reserve([prompts]);
  const buffers = decoder.buffersFor(shape);
  const forward = await stage.plan(prompts, { kind: 'forward', weights });
  const decode = await decoder.plan(shape, isGreedy);
  const { pass } = stage.memory();
  const count = 2 * shape.numReplicas * shape.numRows * shape.width;
  const reading = readback.begin(count);
  device.queue.writeBuffer(pass.tokens, 0, packed.tokens);
  device.queue.writeBuffer(pass.siteRows, 0, packed.siteRows);
  device.queue.writeBuffer(buffers.promptOf, 0, packed.promptOf);
  device.queue.writeBuffer(buffers.promptLengths, 0, packed.promptLengths);
  device.queue.writeBuffer(buffers.keys, 0, packed.keys);
  const encoder = device.createCommandEncoder();
  encodePlans(encoder, [forward, decode]);
  reading.copy(encoder, buffers.draws, count);
  device.queue.submit([encoder.finish()]);
  const [draws] = await reading.finish();
  return draws!;
}

export function createCompiledSampler(state: CompiledState): CompiledSampler {
  const decoder = createDecoder(state);
  return {
    async sample(calls) {
      const byReplica = groupRows(calls.replicas.keys(), (row) => calls.replicas[row]!);
      const parts = Array.from(byReplica, ([replica, rows]) =>
        distinctPrompts(calls, replica, rows),
      );
      if (parts.length === 0)
        return { actionTokens: new Int32Array(), rolloutLogprobs: new Float32Array() };
      const packed = pack(state, parts, calls);
      const draws = await draw(state, decoder, packed, calls.greedy);
      const { maxActionTokens } = state.cohort;
      return unpack(parts, calls, packed.shape, { draws, maxActionTokens });
    },
    destroy: () => decoder.destroy(),
  };
}
