import { strToU8 } from 'fflate';
import * as z from 'zod/mini';
import type { PlainObject } from '../config/dataPath';
import type { ExperimentSpec } from '../config/experimentSpec';
import { parseSpec } from '../config/parseSpec';
import { specHash } from '../config/specHash';
import { archiveReadme } from './archiveReadme';
import type { Fingerprint } from '../config/fingerprintSchema';
import { jsonLines } from './jsonLines';
import type { LlamaFiles } from './llamaCheckpoint';
import { stableReplacer } from './stableReplacer';
import type { FileTranscript } from '../config/transcriptSchema';
import { transcriptLines } from './transcriptLines';
import { writeZip } from './writeZip';

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
  iteration: z.int().check(z.minimum(0)),
  kind: z
    .string()
    .check(z.regex(/^[a-z][A-Za-z]{0,31}$/, 'a lower-case letter, then up to 31 letters')),
  detail: z.string().check(z.maxLength(4096)),
});

export type ArchiveEvent = z.output<typeof archiveEventSchema>;

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

/** Pretty for people, and the same text for the same data. */
function jsonFile(value: unknown): Uint8Array {
  return strToU8(`${JSON.stringify(value, null, 1)}\n`);
}

/** Folder of a checkpoint’s two files. Ids are letters and digits. */
export function checkpointFolder({
  policyId,
  arm,
  seed,
}: Omit<ArchiveCheckpoint, 'files'>): string {
  return `checkpoints/${policyId}/${arm}/${seed}`;
}

/**
 * The archive’s bytes: a ZIP with fixed times and sorted names, equal for equal runs. `parseArchive` reads it, and what it gives
 * writes the same bytes again. Throws RangeError for a specification that is not valid, and for what does not fit an archive.
 */
export function writeArchive(archive: RunArchive): Uint8Array<ArrayBuffer> {
  // Through the parser, so that keys stand in its order whoever put the specification together.
  const parsed = parseSpec(archive.spec);
  if (!parsed.ok)
    throw new RangeError(
      `The specification cannot be archived: ${parsed.issues[0]?.path}: ${parsed.issues[0]?.message}`,
    );
  const { spec } = parsed;
  const files = new Map<string, Uint8Array>([
    [archiveNames.readme, strToU8(archiveReadme(spec))],
    [
      archiveNames.manifest,
      jsonFile({ format: archiveFormat, schemaVersion: archiveVersion, specHash: specHash(spec) }),
    ],
    [archiveNames.spec, jsonFile(spec)],
    [archiveNames.notebook, jsonFile(archive.notebook)],
    [archiveNames.metricsCsv, strToU8(archive.metricsCsv)],
    [archiveNames.metricsParquet, archive.metricsParquet],
    [archiveNames.events, strToU8(jsonLines(archive.events))],
    [archiveNames.transcripts, strToU8(transcriptLines(archive.transcripts))],
    [
      archiveNames.fingerprint,
      strToU8(`${JSON.stringify(archive.fingerprint, stableReplacer, 1)}\n`),
    ],
  ]);
  for (const checkpoint of archive.checkpoints) {
    const folder = checkpointFolder(checkpoint);
    if (files.has(`${folder}/config.json`))
      throw new RangeError(`${folder} came twice: one checkpoint for each policy of a replica.`);
    files.set(`${folder}/config.json`, checkpoint.files.config);
    files.set(`${folder}/model.safetensors`, checkpoint.files.model);
  }
  return writeZip(files);
}
