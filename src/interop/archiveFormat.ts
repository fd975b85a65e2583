import * as z from 'zod/mini';
import type { PlainObject } from '../config/dataPath';
import type { ExperimentSpec } from '../config/experimentSpec';
import type { Fingerprint } from '../config/fingerprintSchema';
import { countSchema } from '../config/schemaParts';
import type { FileTranscript } from '../config/transcriptSchema';
import type { LlamaFiles } from './llamaCheckpoint';

/** A run in one file, so that somebody else can look at it, check it, and train on. */

/** Of the layout below. Another layout gets another number; readers refuse what they do not know. */
export const archiveVersion = 1;

export const archiveFormat = 'marlbook-archive';

/** Files with one fixed name. */
export const archiveNames = {
  readme: 'README.txt',
  manifest: 'manifest.json',
  spec: 'spec.json',
  notebook: 'notebook.json',
  metricsCsv: 'metrics.csv',
  metricsParquet: 'metrics.parquet',
  events: 'events.jsonl',
  transcripts: 'transcripts.jsonl',
  fingerprint: 'fingerprint.json',
} as const;

/** Something that happened to a run besides training: a notice, a pause, an intervention. */
export const archiveEventSchema = z.strictObject({
  /** Last finished one. */
  iteration: countSchema,
  kind: z
    .string()
    .check(z.regex(/^[a-z][A-Za-z]{0,31}$/, 'a lower-case letter, then up to 31 letters')),
  detail: z.string().check(z.maxLength(4096)),
});

type ArchiveEvent = z.output<typeof archiveEventSchema>;

/** One policy of one replica. */
export interface ArchiveCheckpoint {
  readonly policyId: string;
  readonly arm: string;
  readonly seed: number;
  readonly files: LlamaFiles;
}

export interface RunArchive {
  readonly spec: ExperimentSpec;
  /** As `encodeNotebookFile` gives it and `parseNotebookFile` reads it: the numbers that the page itself reads are in there. */
  readonly notebook: PlainObject;
  /** `metricsCsv` and `metricsParquet`, for other programs. */
  readonly metricsCsv: string;
  readonly metricsParquet: Uint8Array<ArrayBuffer>;
  readonly events: readonly ArchiveEvent[];
  readonly transcripts: readonly FileTranscript[];
  readonly checkpoints: readonly ArchiveCheckpoint[];
  readonly fingerprint: Fingerprint;
}

/** Folder of a checkpoint’s two files. Ids are letters and digits. */
export function checkpointFolder({
  policyId,
  arm,
  seed,
}: Omit<ArchiveCheckpoint, 'files'>): string {
  return `checkpoints/${policyId}/${arm}/${seed}`;
}
