import * as z from 'zod/mini';
import { fields } from '../config/fields';
import { fingerprintSchema, wordsSchema } from '../config/fingerprintSchema';
import { loggedInterventionSchema, maxLogged } from '../config/loggedIntervention';
import { countSchema } from '../config/schemaParts';
import { armNameSchema, metricSchema } from './names';

/** Of one recording. A notebook of the gallery has some hundred lines and some ten thousand numbers. */
export const maxRecordedLines = 10_000;
export const maxRecordedValues = 2 ** 20;

/** Longest text of packed numbers or episodes. Unit: characters. */
const maxPackedLength = 16 * 1024 * 1024;

const packed = z.string().check(z.maxLength(maxPackedLength));

/** One agent of one replica: lines that all have the axis number `axis`, in the order of `metrics`. */
const lineGroup = z.strictObject({
  arm: armNameSchema,
  seed: z.int(),
  agent: armNameSchema,
  axis: countSchema,
  metrics: z.array(metricSchema).check(z.minLength(1), z.maxLength(256)),
});

/** A recording as it stands in a file; its specification and its packed parts have parsers of their own. */
export const recordingFrameSchema = z.strictObject({
  version: z.literal(1),
  /** As it ran, in the words of the version that ran it. */
  spec: z.record(z.string(), z.unknown()),
  /** Of `spec` as it stands here: later versions add settings to it, and the hash of that is another. */
  specHash: z.string().check(z.regex(/^[0-9a-f]{16}$/, '16 hexadecimal digits')),
  ended: z.enum(['completed', 'stopped', 'failed']),
  /** Why it failed. */
  message: z.nullable(wordsSchema),
  notices: z.array(wordsSchema).check(z.maxLength(50)),
  /** Settings that changed while it ran; absent where none did, as in all recordings from before they could. */
  interventions: z.exactOptional(
    z.readonly(z.array(loggedInterventionSchema).check(z.minLength(1), z.maxLength(maxLogged))),
  ),
  /** Finished ones. */
  iterations: z.int().check(z.minimum(0), z.maximum(fields.iterations.max)),
  wallMs: z.number().check(z.minimum(0)),
  ...fingerprintSchema.shape,
  /** What was kept, where it was logged: a metric that is not here may have been. */
  metrics: z.array(metricSchema).check(z.maxLength(256)),
  /** Lengths of the distinct axes; their iterations follow one another in `iterationsOfAxes`. */
  axes: z
    .array(countSchema.check(z.maximum(fields.iterations.max + 1)))
    .check(z.maxLength(maxRecordedLines)),
  /** `packInt32` */
  iterationsOfAxes: packed,
  groups: z.array(lineGroup).check(z.maxLength(maxRecordedLines)),
  /** `packFloat64`: group by group, metric by metric. */
  values: packed,
  /** `packTranscripts`; null = none were kept. */
  transcripts: z.nullable(packed),
});

export type RecordingFrame = z.output<typeof recordingFrameSchema>;
