import * as z from 'zod/mini';
import { nameSchema, seedSchema } from '../config/experimentSpec';
import { countSchema } from '../config/schemaParts';
import { metricSchema } from '../notebook/names';

/**
 * What one batch brought to a run: a chunk, written once and never changed. Numbers of metric rows and gradient pairs stand in
 * columns, the names beside them once a chunk; each chunk can be read without the others. Axes: N rows, V values, P pairs.
 */

/** Any float64, NaN and ±Infinity included. */
const anyNumber = z.custom<number>((value) => typeof value === 'number', 'a number');
const orNull = z.nullable(anyNumber);

export const float64 = z.custom<Float64Array>(
  (value) => value instanceof Float64Array,
  'a column of float64',
);
const int32 = z.custom<Int32Array>((value) => value instanceof Int32Array, 'a column of int32');
export const uint16 = z.custom<Uint16Array>(
  (value) => value instanceof Uint16Array,
  'a column of uint16',
);
export const uint8 = z.custom<Uint8Array>(
  (value) => value instanceof Uint8Array,
  'a column of uint8',
);

/** Not `z.readonly`: that freezes what came, also where it was no list, and columns of numbers cannot be frozen. */
export const list = <T extends z.ZodMiniType>(
  entry: T,
): z.ZodMiniType<readonly z.output<T>[], readonly z.input<T>[]> => z.array(entry);

const backend = z.enum(['webgpu', 'wasm', 'cpu']);

const policyStatus = z.strictObject({
  policyId: nameSchema,
  numReplicas: countSchema,
  backend,
  device: z.string(),
  numParameters: countSchema,
  selfTest: z.nullable(z.strictObject({ logits: anyNumber, gradients: anyNumber })),
  compared: list(
    z.strictObject({
      backend,
      sampleMs: orNull,
      updateMs: orNull,
      refusal: z.nullable(z.string()),
    }),
  ),
  decoding: z.nullable(
    z.strictObject({
      kind: z.enum(['batched', 'persistent']),
      batchedMs: anyNumber,
      persistentMs: orNull,
    }),
  ),
});

const policyUsage = z.strictObject({
  policyId: nameSchema,
  sampledTokens: anyNumber,
  trainedTokens: anyNumber,
  sampleMs: anyNumber,
  updateMs: anyNumber,
  sampleHostMs: orNull,
  updateHostMs: orNull,
  sampleDeviceMs: orNull,
  updateDeviceMs: orNull,
  numDispatches: orNull,
  numSubmits: orNull,
  gpuBytes: orNull,
  numBuffers: orNull,
  numPipelines: orNull,
});

const chunkEvent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('policies'), policies: list(policyStatus) }),
  z.strictObject({
    kind: z.literal('iteration'),
    iteration: countSchema,
    /** Of the chunk's rows and pairs, those that follow those of the iteration before. */
    numRows: countSchema,
    numPairs: countSchema,
    tokens: anyNumber,
    times: z.strictObject({
      rolloutMs: anyNumber,
      advantagesMs: anyNumber,
      diagnosticsMs: anyNumber,
      updateMs: anyNumber,
    }),
  }),
  z.strictObject({
    kind: z.literal('throughput'),
    iteration: countSchema,
    policies: list(policyUsage),
  }),
  z.strictObject({ kind: z.literal('notice'), message: z.string() }),
]);

export const chunkSchema = z.strictObject({
  events: list(chunkEvent),
  rows: z.strictObject({
    /** Which metrics rows have, in their order. */
    metricSets: list(list(metricSchema)),
    /** Whose rows there are, and which of the sets they have. */
    lines: list(
      z.strictObject({
        arm: nameSchema,
        seed: seedSchema,
        /** Or `team`. */
        agent: nameSchema,
        metrics: countSchema,
      }),
    ),
    /** [N] */
    iterations: int32,
    /** [N] index into `lines`. */
    lineIds: int32,
    /** [V] row by row. */
    values: float64,
  }),
  pairs: z.strictObject({
    lines: list(
      z.strictObject({ arm: nameSchema, seed: seedSchema, a: nameSchema, b: nameSchema }),
    ),
    /** [P] index into `lines`. */
    lineIds: int32,
    /** [P] 0 where there is none. */
    updateCosines: float64,
    /** [P] 1 = there is one. */
    hasCosine: uint8,
    /** Of the pairs that were measured against chance. */
    conflicts: list(
      z.strictObject({
        /** Index among the P pairs, increasing. */
        pair: countSchema,
        iteration: countSchema,
        cosine: anyNumber,
        nullLow: anyNumber,
        nullMedian: anyNumber,
        isConflict: z.boolean(),
      }),
    ),
  }),
});

export type ChunkRow = z.output<typeof chunkSchema>;
export type ChunkEvent = ChunkRow['events'][number];
