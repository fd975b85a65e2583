import { together, type WriteTransaction } from './database';
import { encodeChunk } from './encodeChunk';
import { putEpisodes, putGroups, type IterationEvent } from './keptRows';
import { conflict, missingRun, unreadableRun } from './refusals';
import { parseProgress, withProgress, type Progress } from './runRow';
import type { RunBatch, RunWrite } from './storageApi';

export const appendStores = ['runs', 'chunks', 'transcripts', 'groups'] as const;

/** Adds a batch to a run inside a transaction, or says why it does not follow what is saved; then nothing is written. */
export async function appendBatch(
  transaction: WriteTransaction,
  runId: string,
  batch: RunBatch,
  savedAt: number,
): Promise<RunWrite> {
  const row = await transaction.objectStore('runs').get(runId);
  if (row === undefined) return missingRun();
  const parsed = parseProgress(row);
  if (!parsed.ok) return unreadableRun(null);
  const before = parsed.value;
  const iterations = batch.events.filter((event) => event.kind === 'iteration');
  const gap = gapMessage(before.lastIteration, iterations);
  if (gap !== null) return conflict(gap, before.lastIteration);
  const progress = progressAfter(before, batch, savedAt);
  const chunk = batch.events.length > 0 ? encodeChunk(batch.events) : null;
  await together([
    () => transaction.objectStore('runs').put(withProgress(row, progress), runId),
    () => putEpisodes(transaction, runId, iterations),
    () => putGroups(transaction, runId, iterations),
    async () => {
      if (chunk !== null)
        await transaction.objectStore('chunks').put(chunk, [runId, before.numChunks]);
    },
  ]);
  return { ok: true, lastSavedIteration: progress.lastIteration };
}

function progressAfter(
  before: Progress,
  { events, standing }: RunBatch,
  savedAt: number,
): Progress {
  const last = events.findLast((event) => event.kind === 'iteration');
  const { phase, message, endedAt } = standing;
  return {
    standing: { phase, message, endedAt },
    numChunks: before.numChunks + (events.length > 0 ? 1 : 0),
    lastIteration: last?.iteration ?? before.lastIteration,
    savedAt,
  };
}

/** Why the iterations do not follow what is saved, or their rows them; null where they do. */
function gapMessage(last: number | null, iterations: readonly IterationEvent[]): string | null {
  let expected = last === null ? 0 : last + 1;
  for (const { iteration, rows } of iterations) {
    if (iteration !== expected)
      return `Iteration ${iteration} came, but iteration ${expected} is to be saved next: another tab has written to this run, or a part was left out. Read the run anew, or save what is missing first.`;
    const stray = rows.find((row) => row.iteration !== iteration);
    if (stray !== undefined)
      return `A row of iteration ${stray.iteration} came with iteration ${iteration}: rows are saved with their own iteration.`;
    expected += 1;
  }
  return null;
}
