import { z } from 'zod';
import { fields } from '../config/fields';
import { armNameSchema, metricSchema } from './names';

/** Of one recording. A notebook of the gallery has some hundred lines and some ten thousand numbers. */
export const maxRecordedLines = 10_000;
export const maxRecordedValues = 2 ** 20;

/** Longest text of packed numbers or episodes. Unit: characters. */
const maxPackedLength = 16 * 1024 * 1024;

const packed = z.string().max(maxPackedLength);
const words = z.string().max(1000);
const counted = z.int().min(0);

/** One agent of one replica: lines that all have the axis number `axis`, in the order of `metrics`. */
const lineGroup = z.strictObject({
  arm: armNameSchema,
  seed: z.int(),
  agent: armNameSchema,
  axis: counted,
  metrics: z.array(metricSchema).min(1).max(256),
});

/** A recording as it stands in a file; its specification and its packed parts have parsers of their own. */
export const recordingFrameSchema = z.strictObject({
  version: z.literal(1),
  /** As it ran, in the words of the version that ran it. */
  spec: z.record(z.string(), z.unknown()),
  /** Of `spec` as it stands here: later versions add settings to it, and the hash of that is another. */
  specHash: z.string().regex(/^[0-9a-f]{16}$/, '16 hexadecimal digits'),
  ended: z.enum(['completed', 'stopped', 'failed']),
  /** Why it failed. */
  message: words.nullable(),
  notices: z.array(words).max(50),
  /** Finished ones. */
  iterations: z.int().min(0).max(fields.iterations.max),
  wallMs: z.number().min(0),
  /** When it ended. ISO 8601, UTC. */
  date: z.iso.datetime(),
  versions: z.strictObject({ marlbook: words, browser: words }),
  device: z.strictObject({
    userAgent: words,
    policies: z
      .array(
        z.strictObject({
          policyId: armNameSchema,
          backend: z.enum(['webgpu', 'wasm', 'cpu']),
          device: words,
          numParameters: counted,
        }),
      )
      .max(64),
  }),
  /** What was kept, where it was logged: a metric that is not here may have been. */
  metrics: z.array(metricSchema).max(256),
  /** Lengths of the distinct axes; their iterations follow one another in `iterationsOfAxes`. */
  axes: z.array(counted.max(fields.iterations.max + 1)).max(maxRecordedLines),
  /** `packInt32` */
  iterationsOfAxes: packed,
  groups: z.array(lineGroup).max(maxRecordedLines),
  /** `packFloat64`: group by group, metric by metric. */
  values: packed,
  /** `packTranscripts`; null = none were kept. */
  transcripts: packed.nullable(),
});

export type RecordingFrame = z.output<typeof recordingFrameSchema>;
