import * as z from 'zod/mini';
import { crc32 } from '../config/crc32';
import { toSpecIssues } from '../config/issueMessages';
import { countSchema } from '../config/schemaParts';
import type { CheckpointFiles } from './checkpointFiles';
import { together, type Database } from './database';
import { allOfRun } from './keyRanges';
import { conflict, missingRun, reasonOf, unreadableRun } from './refusals';
import { parseProgress } from './runRow';
import type { ReadCheckpoint, RunWrite, SkippedCheckpoint } from './storageApi';

/**
 * Checkpoints of runs. The bytes are written to a file of a new name first; then one transaction names it and forgets all but the
 * newest two; then their files are removed. A crash at any point leaves the checkpoints before, or with the new one, and at most a
 * file that nobody names, which is swept up when the storage is next opened.
 */

const partBytes = 2 ** 20;
const numKept = 2;

const checkpointSchema = z.strictObject({
  file: z.string().check(z.regex(/^[A-Za-z0-9._-]{1,200}$/, 'the name of a file')),
  /** Unit: bytes. */
  length: countSchema,
  crc32: countSchema,
  savedAt: z.number(),
});

export interface CheckpointWorld {
  readonly database: Database;
  readonly files: CheckpointFiles;
  readonly now: () => number;
  /** Makes the name of a file its own. */
  readonly freshId: () => string;
}

/** Rejects with what the browser says, having removed what it wrote. */
export async function writeCheckpoint(
  world: CheckpointWorld,
  runId: string,
  iteration: number,
  bytes: Uint8Array,
): Promise<RunWrite> {
  const early = await world.database.read(['runs', 'checkpoints'], async (transaction) =>
    standingOf(
      await transaction.objectStore('runs').get(runId),
      await transaction.objectStore('checkpoints').getAllKeys(allOfRun(runId)),
      iteration,
    ),
  );
  if (!early.ok) return early;
  const file = `${runId}.${iteration}.${world.freshId()}`;
  const sum = { length: 0, crc32: 0 };
  try {
    await world.files.write(file, summed(bytes, sum));
    const { outcome, unnamed } = await nameFile(world, [runId, iteration], { file, ...sum });
    await removeAll(world.files, outcome.ok ? unnamed : [file]);
    return outcome;
  } catch (error) {
    await removeAll(world.files, [file]);
    throw error;
  }
}

/** The bytes in parts; adds up what has been given. */
function* summed(
  bytes: Uint8Array,
  sum: { length: number; crc32: number },
): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += partBytes) {
    const part = bytes.subarray(at, at + partBytes);
    sum.crc32 = crc32(part, sum.crc32);
    sum.length += part.length;
    yield part;
  }
}

/** Whether the run can have a checkpoint of the iteration. */
function standingOf(
  row: unknown,
  keys: readonly (readonly [string, number])[],
  iteration: number,
): RunWrite {
  if (row === undefined) return missingRun();
  const parsed = parseProgress(row);
  if (!parsed.ok) return unreadableRun(null);
  const { lastIteration } = parsed.value;
  const newest = keys.at(-1)?.[1] ?? -1;
  if (lastIteration === null || iteration > lastIteration)
    return conflict(
      `A checkpoint of iteration ${iteration} came, but iterations are saved up to ${lastIteration ?? 'none'}: save the iterations first.`,
      lastIteration,
    );
  if (iteration < newest)
    return conflict(
      `A checkpoint of iteration ${iteration} came, but there is one of iteration ${newest}: another tab has written to this run, or take the run back first.`,
      lastIteration,
    );
  return { ok: true, lastSavedIteration: lastIteration };
}

interface NamedFile {
  readonly file: string;
  readonly length: number;
  readonly crc32: number;
}

/** The moment from which the checkpoint counts. `unnamed`: files that count no more. */
async function nameFile(
  { database, now }: CheckpointWorld,
  [runId, iteration]: readonly [string, number],
  named: NamedFile,
): Promise<{ readonly outcome: RunWrite; readonly unnamed: readonly string[] }> {
  return database.write(['runs', 'checkpoints'], async (transaction) => {
    const store = transaction.objectStore('checkpoints');
    const keys = await store.getAllKeys(allOfRun(runId));
    // The run may have been deleted or taken back while the bytes were written.
    const outcome = standingOf(await transaction.objectStore('runs').get(runId), keys, iteration);
    if (!outcome.ok) return { outcome, unnamed: [] };
    const others = keys.filter((key) => key[1] !== iteration);
    const replaced = keys.filter((key) => key[1] === iteration);
    const forgotten = others.slice(0, Math.max(0, others.length - (numKept - 1)));
    const gone = [...forgotten, ...replaced];
    const rows: unknown[] = [];
    await together([
      ...gone.map((key) => async () => rows.push(await store.get(key))),
      ...forgotten.map((key) => () => store.delete(key)),
      () => store.put({ ...named, savedAt: now() }, [runId, iteration]),
    ]);
    return { outcome, unnamed: rows.flatMap(fileIn) };
  });
}

/** The file that a row names, where one can be read in it. */
export function fileIn(row: unknown): readonly string[] {
  const parsed = checkpointSchema.safeParse(row);
  return parsed.success ? [parsed.data.file] : [];
}

/** What cannot be removed now is swept up when the storage is next opened. */
export async function removeAll(files: CheckpointFiles, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => files.remove(name).catch(() => undefined)));
}

/** The newest checkpoint that is whole. Rejects with what the browser says of the database. */
export async function readCheckpoint(
  { database, files }: Pick<CheckpointWorld, 'database' | 'files'>,
  runId: string,
): Promise<ReadCheckpoint> {
  const { keys, rows } = await database.read(['checkpoints'], async (transaction) => {
    const store = transaction.objectStore('checkpoints');
    const range = allOfRun(runId);
    return { keys: await store.getAllKeys(range), rows: await store.getAll(range) };
  });
  const skipped: SkippedCheckpoint[] = [];
  for (const [place, row] of [...rows.entries()].toReversed()) {
    const iteration = keys[place]![1];
    const bytes = await wholeBytes(files, row);
    if (typeof bytes !== 'string') return { ok: true, iteration, bytes, skipped };
    skipped.push({ iteration, reason: bytes });
  }
  const message =
    skipped.length === 0
      ? 'The run has no saved checkpoint: it can only be started anew.'
      : 'No saved checkpoint of the run is whole: it can only be started anew.';
  return { ok: false, reason: 'none', message, skipped };
}

/** The bytes that a row names, or in words why they are not whole. */
async function wholeBytes(files: CheckpointFiles, row: unknown): Promise<Uint8Array | string> {
  const parsed = checkpointSchema.safeParse(row);
  if (!parsed.success) {
    const [issue] = toSpecIssues(parsed.error.issues, row);
    return `Its entry is damaged (${issue?.path ?? ''}: ${issue?.message ?? ''})`;
  }
  const { file, length, crc32: expected } = parsed.data;
  let bytes: Uint8Array | null;
  try {
    bytes = await files.read(file);
  } catch (error) {
    return `Its file could not be read: ${reasonOf(error)}`;
  }
  if (bytes === null) return 'Its file is gone.';
  if (bytes.length !== length)
    return `Its file has ${bytes.length} bytes, expected ${length}: it was cut off or changed.`;
  const actual = crc32(bytes);
  return actual === expected
    ? bytes
    : `Its file is damaged: checksum ${actual}, expected ${expected}.`;
}

/** Removes files that no checkpoint names. To be called only while no tab is writing one. */
export async function sweepFiles({
  database,
  files,
}: Pick<CheckpointWorld, 'database' | 'files'>): Promise<void> {
  const present = await files.list();
  if (present.length === 0) return;
  const rows = await database.read(['checkpoints'], (transaction) =>
    transaction.objectStore('checkpoints').getAll(),
  );
  const named = new Set(rows.flatMap(fileIn));
  await removeAll(
    files,
    present.filter((name) => !named.has(name)),
  );
}
