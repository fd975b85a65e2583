import { together, type WriteTransaction } from './database';
import { encodeChunk } from './encodeChunk';
import { ofRunAfter } from './keyRanges';
import { parseChunk } from './parseChunk';
import { missingRun, unreadableRun } from './refusals';
import { parseProgress, withProgress } from './runRow';
import type { KeptEvent, RunWrite } from './storageApi';

export const truncateStores = ['runs', 'chunks', 'transcripts', 'groups', 'checkpoints'] as const;

/**
 * Takes a run back to an iteration inside a transaction. Damaged chunks after it go with the rest; where the iteration itself is in
 * one, nothing is changed.
 */
export async function truncateChunks(
  transaction: WriteTransaction,
  runId: string,
  iteration: number,
  savedAt: number,
): Promise<RunWrite> {
  const row = await transaction.objectStore('runs').get(runId);
  if (row === undefined) return missingRun();
  const parsed = parseProgress(row);
  if (!parsed.ok) return unreadableRun(null);
  const { numChunks, lastIteration } = parsed.value;
  const store = transaction.objectStore('chunks');
  const read = (number: number): Promise<unknown> => store.get([runId, number]);
  const end = Math.min(iteration, lastIteration ?? iteration);
  const kept = await chunksUpTo(read, numChunks, end);
  if (kept === null || (lastIteration !== null && kept.lastIteration === null))
    return unreadableRun(lastIteration);
  const last = kept.lastIteration;
  const progress = {
    standing: { phase: 'paused' as const, message: null, endedAt: null },
    numChunks: kept.numChunks,
    lastIteration: last,
    savedAt,
  };
  await together([
    () => transaction.objectStore('runs').put(withProgress(row, progress), runId),
    ...kept.changed.map(
      ([number, events]) =>
        () =>
          store.put(encodeChunk(events), [runId, number]),
    ),
    () => store.delete(ofRunAfter(runId, kept.numChunks - 1)),
    ...(['transcripts', 'groups', 'checkpoints'] as const).map(
      (name) => () => transaction.objectStore(name).delete(ofRunAfter(runId, iteration)),
    ),
  ]);
  return { ok: true, lastSavedIteration: last };
}

interface ChunksUpTo {
  readonly numChunks: number;
  readonly lastIteration: number | null;
  /** Those that lose a part. */
  readonly changed: readonly (readonly [number: number, events: readonly KeptEvent[]])[];
}

/**
 * Looks from the end for the chunk that has the iteration. What follows it before the next iteration stays: throughput, notices.
 * Null where the iteration is in a chunk that cannot be read.
 */
async function chunksUpTo(
  read: (number: number) => Promise<unknown>,
  numChunks: number,
  iteration: number,
): Promise<ChunksUpTo | null> {
  let end = numChunks;
  let changed: ChunksUpTo['changed'] = [];
  let isDamaged = false;
  for (let number = numChunks - 1; number >= 0; number--) {
    const parsed = parseChunk(await read(number));
    isDamaged ||= !parsed.ok;
    const events = parsed.ok ? upTo(parsed.events, iteration) : [];
    const isWhole = parsed.ok && events.length === parsed.events.length;
    if (!isWhole) {
      end = events.length > 0 ? number + 1 : number;
      changed = events.length > 0 ? [[number, events]] : [];
    }
    const last = events.findLast((event) => event.kind === 'iteration');
    if (last === undefined) continue;
    return isDamaged && last.iteration < iteration
      ? null
      : { numChunks: end, lastIteration: last.iteration, changed };
  }
  return isDamaged ? null : { numChunks: end, lastIteration: null, changed };
}

/** Everything before the first event of a later iteration; nothing where that is not the next one. */
function upTo(events: readonly KeptEvent[], iteration: number): readonly KeptEvent[] {
  const end = events.findIndex(
    (event) => event.kind === 'iteration' && event.iteration > iteration,
  );
  if (end === -1) return events;
  const first = events.find((event) => event.kind === 'iteration');
  return first !== undefined && first.iteration > iteration + 1 ? [] : events.slice(0, end);
}
