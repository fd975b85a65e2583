import { strToU8 } from 'fflate';
import { parseSpec } from '../config/parseSpec';
import { specHash } from '../config/specHash';
import {
  archiveFormat,
  archiveNames,
  archiveVersion,
  checkpointFolder,
  type RunArchive,
} from './archiveFormat';
import { archiveReadme } from './archiveReadme';
import { jsonLines } from './jsonLines';
import { parseArchive } from './parseArchive';
import { sortingReplacer, stableReplacer } from './stableReplacer';
import { transcriptLines } from './transcriptLines';
import { writeZip } from './writeZip';

/** Pretty for people, and the same text for the same data. */
function jsonFile(value: unknown): Uint8Array {
  return strToU8(`${JSON.stringify(value, null, 1)}\n`);
}

/** Keys sorted: a notebook that was opened has them in the order of its schema, one that was edited in any. */
function notebookFile(notebook: RunArchive['notebook']): Uint8Array {
  return strToU8(`${JSON.stringify(notebook, sortingReplacer, 1)}\n`);
}

/**
 * The archive’s bytes: a ZIP with fixed times and sorted names, equal for equal runs. `parseArchive` reads it, and what it gives
 * writes the same bytes again. Throws RangeError for a specification that is not valid, for what does not fit an archive, and for
 * whatever the reader would refuse: nobody should find that out when the page is gone.
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
    [archiveNames.notebook, notebookFile(archive.notebook)],
    [archiveNames.metricsCsv, strToU8(archive.metricsCsv)],
    [archiveNames.metricsParquet, archive.metricsParquet],
    [archiveNames.events, strToU8(jsonLines(archive.events, stableReplacer))],
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
  const zip = writeZip(files);
  assertReadable(zip);
  return zip;
}

function assertReadable(zip: Uint8Array): void {
  const read = parseArchive(zip);
  if (read.ok) return;
  const [issue] = read.issues;
  throw new RangeError(`The run cannot be archived: ${issue?.path}: ${issue?.message}`);
}
