import * as z from 'zod/mini';
import { isPlainObject, type PlainObject } from '../config/dataPath';
import type { ExperimentSpec } from '../config/experimentSpec';
import { firstIssues, shown, toSpecIssues } from '../config/issueMessages';
import { parseSpec } from '../config/parseSpec';
import { specHash } from '../config/specHash';
import type { SpecIssue } from '../config/specIssue';
import {
  archiveEventSchema,
  archiveFormat,
  archiveNames,
  archiveVersion,
  type RunArchive,
} from './archiveFormat';
import { checkpointIn, groupCheckpoints } from './archiveCheckpoints';
import { fingerprintSchema, type Fingerprint } from '../config/fingerprintSchema';
import { parseJsonLines } from './jsonLines';
import { issuesUnder, parsedUnless, refusal, type Parsed } from './parsed';
import { readZip } from './readZip';
import { parseJsonBytes } from './strictJson';
import { parseTranscriptLines } from './transcriptLines';
import { strictUtf8 } from './utf8';
import { zipLimits } from './zipFormat';

type Files = ReadonlyMap<string, Uint8Array>;

/** Largest JSON file but the notebook, and the notebook with its recordings. Unit: bytes. */
const maxJsonBytes = 1024 * 1024;
const maxNotebookBytes = 64 * 1024 * 1024;

const eventLimits = { maxBytes: 16 * 1024 * 1024, maxLines: 100_000 };

const manifestSchema = z.strictObject({
  format: z.literal(archiveFormat),
  schemaVersion: z.literal(archiveVersion),
  specHash: z.string(),
});

const csvHeader = 'arm,seed,agent,iteration,metric,value\r\n';

/**
 * The run in an archive, or what is wrong and in which file. Files that are missing, unknown or damaged are faults, as is an archive of
 * another version. The notebook is plain data that its own parser still has to read; the metric files are for other programs and only
 * looked at from outside. Never throws.
 */
export function parseArchive(zip: Uint8Array): Parsed<RunArchive> {
  const read = readZip(zip, zipLimits);
  if (!read.ok) return read;
  const files = read.value;
  const manifest = parseManifest(files);
  if (!manifest.ok) return manifest;
  const names = parsedUnless(nameIssues(files), files);
  if (!names.ok) return names;
  const spec = parseSpecFile(files, manifest.value);
  if (!spec.ok) return spec;
  return parseParts(files, spec.value);
}

function under<T>(name: string, parsed: Parsed<T>): Parsed<T> {
  return parsed.ok ? parsed : { ok: false, issues: issuesUnder(name, parsed.issues) };
}

/** Of a file whose presence has been checked. */
function bytesOf(files: Files, name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(files.get(name) ?? []);
}

function parseManifest(files: Files): Parsed<string> {
  const name = archiveNames.manifest;
  if (!files.has(name))
    return refusal(
      name,
      'Is missing: this is no archive of Marlbook. Choose the file that was exported.',
    );
  const json = under(name, parseJsonBytes(bytesOf(files, name), maxJsonBytes));
  if (!json.ok) return json;
  const version = isPlainObject(json.value) ? json.value['schemaVersion'] : undefined;
  if (Number.isInteger(version) && version !== archiveVersion)
    return refusal(
      `${name}.schemaVersion`,
      `${shown(version)} came, this page reads ${archiveVersion}: open the archive with the Marlbook that wrote it, or a newer one.`,
    );
  const parsed = manifestSchema.safeParse(json.value);
  return parsed.success
    ? { ok: true, value: parsed.data.specHash }
    : {
        ok: false,
        issues: firstIssues(issuesUnder(name, toSpecIssues(parsed.error.issues, json.value))),
      };
}

function nameIssues(files: Files): readonly SpecIssue[] {
  const fixed: readonly string[] = Object.values(archiveNames);
  const missing = fixed
    .filter((name) => !files.has(name))
    .map((path) => ({ path, message: 'Is missing: export the run again.' }));
  const unknown = [...files.keys()]
    .filter((name) => !fixed.includes(name) && checkpointIn(name) === null)
    .map((path) => ({ path, message: 'No file of an archive: remove it.' }));
  return [...missing, ...unknown];
}

function parseSpecFile(files: Files, hash: string): Parsed<ExperimentSpec> {
  const name = archiveNames.spec;
  const json = under(name, parseJsonBytes(bytesOf(files, name), maxJsonBytes));
  if (!json.ok) return json;
  const parsed = parseSpec(json.value);
  if (!parsed.ok) return { ok: false, issues: issuesUnder(name, parsed.issues) };
  // The hash names the document as it stands: one from before some of today's settings has none of them.
  const found = isPlainObject(json.value) ? specHash(json.value) : '';
  return found === hash
    ? { ok: true, value: parsed.spec }
    : refusal(
        `${archiveNames.manifest}.specHash`,
        `${shown(hash)} came, but spec.json has ${found}: one of them was changed. Export the run again.`,
      );
}

function parseParts(files: Files, spec: ExperimentSpec): Parsed<RunArchive> {
  const part = <T>(name: string, parse: (bytes: Uint8Array<ArrayBuffer>) => Parsed<T>): Parsed<T> =>
    under(name, parse(bytesOf(files, name)));
  const notebook = part(archiveNames.notebook, parseObject);
  const csv = part(archiveNames.metricsCsv, parseCsv);
  const parquet = part(archiveNames.metricsParquet, parseParquet);
  const events = part(archiveNames.events, (bytes) =>
    parseJsonLines(bytes, archiveEventSchema, eventLimits),
  );
  const transcripts = part(archiveNames.transcripts, parseTranscriptLines);
  const fingerprint = part(archiveNames.fingerprint, parseFingerprint);
  const checkpoints = groupCheckpoints(files, spec);
  if (!notebook.ok) return notebook;
  if (!csv.ok) return csv;
  if (!parquet.ok) return parquet;
  if (!events.ok) return events;
  if (!transcripts.ok) return transcripts;
  if (!fingerprint.ok) return fingerprint;
  if (!checkpoints.ok) return checkpoints;
  return {
    ok: true,
    value: {
      spec,
      notebook: notebook.value,
      metricsCsv: csv.value,
      metricsParquet: parquet.value,
      events: events.value,
      transcripts: transcripts.value,
      fingerprint: fingerprint.value,
      checkpoints: checkpoints.value,
    },
  };
}

function parseObject(bytes: Uint8Array): Parsed<PlainObject> {
  const json = parseJsonBytes(bytes, maxNotebookBytes);
  if (!json.ok) return json;
  return isPlainObject(json.value)
    ? { ok: true, value: json.value }
    : refusal('', `${shown(json.value)} came, expected a notebook (an object).`);
}

function parseFingerprint(bytes: Uint8Array): Parsed<Fingerprint> {
  const json = parseJsonBytes(bytes, maxJsonBytes);
  if (!json.ok) return json;
  const parsed = fingerprintSchema.safeParse(json.value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, issues: firstIssues(toSpecIssues(parsed.error.issues, json.value)) };
}

function parseCsv(bytes: Uint8Array): Parsed<string> {
  const text = strictUtf8(bytes);
  return text?.startsWith(csvHeader) === true
    ? { ok: true, value: text }
    : refusal('', `Does not begin with ${csvHeader.trim()}: export the run again.`);
}

/** `PAR1`, first and last in every Parquet file. */
const parquetMagic = '80,65,82,49';

function parseParquet(bytes: Uint8Array<ArrayBuffer>): Parsed<Uint8Array<ArrayBuffer>> {
  const isParquet = [bytes.subarray(0, 4), bytes.subarray(-4)].every(
    (ends) => ends.join() === parquetMagic,
  );
  return isParquet ? { ok: true, value: bytes } : refusal('', 'Is no Parquet file.');
}
