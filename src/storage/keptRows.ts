import { columnBytes } from '../metrics/columnBytes';
import { keepRecords, maxKeptBytes } from '../notebook/keptRecords';
import { keepTranscripts, type Told } from '../notebook/keptTranscripts';
import { together, type WriteTransaction } from './database';
import type { StoredGroup } from './groupRow';
import { allOfRun } from './keyRanges';
import type { KeptEvent } from './storageApi';
import { encodeTranscript } from './transcriptRow';
import type { Schema } from './upgrades';

/** Episodes and group records: of each run those that the page itself would keep, by the same rules, told by their keys alone. */

export type IterationEvent = Extract<KeptEvent, { kind: 'iteration' }>;

interface KeptRow<K> extends Told {
  readonly key: K;
  /** Unit: bytes. */
  readonly bytes: number;
  /** What is to be stored; null where it is stored already. */
  readonly value: unknown;
}

type Keep<K> = (kept: readonly KeptRow<K>[], fresh: readonly KeptRow<K>[]) => readonly KeptRow<K>[];

interface RowStore<K> {
  put(value: unknown, key: K): Promise<unknown>;
  delete(key: K): Promise<void>;
}

/** @param fresh a list an iteration */
async function exchange<K>(
  store: RowStore<K>,
  saved: readonly KeptRow<K>[],
  fresh: readonly (readonly KeptRow<K>[])[],
  keep: Keep<K>,
): Promise<void> {
  const kept = new Set(fresh.reduce(keep, saved));
  await together([
    ...saved
      .filter((row) => !kept.has(row))
      .map(
        ({ key }) =>
          () =>
            store.delete(key),
      ),
    ...fresh
      .flat()
      .filter((row) => kept.has(row))
      .map(
        ({ key, value }) =>
          () =>
            store.put(value, key),
      ),
  ]);
}

export async function putEpisodes(
  transaction: WriteTransaction,
  runId: string,
  iterations: readonly IterationEvent[],
): Promise<void> {
  if (iterations.every(({ transcripts }) => transcripts.length === 0)) return;
  type Key = Schema['transcripts']['key'];
  const store = transaction.objectStore('transcripts');
  const rowOf = (key: Key, value: unknown = null): KeptRow<Key> => ({
    key,
    iteration: key[1],
    spikingAgents: { length: key[3] },
    bytes: 0,
    value,
  });
  const saved = await store.getAllKeys(allOfRun(runId));
  const fresh = iterations.map(({ iteration, transcripts }) =>
    transcripts.map((transcript, place) =>
      rowOf(
        [runId, iteration, place, transcript.spikingAgents.length],
        encodeTranscript(transcript),
      ),
    ),
  );
  await exchange<Key>(
    store,
    saved.map((key) => rowOf(key)),
    fresh,
    keepTranscripts,
  );
}

export async function putGroups(
  transaction: WriteTransaction,
  runId: string,
  iterations: readonly IterationEvent[],
): Promise<void> {
  if (iterations.every(({ groups }) => groups.length === 0)) return;
  type Key = Schema['groups']['key'];
  const store = transaction.objectStore('groups');
  const rowOf = (key: Key, value: unknown = null): KeptRow<Key> => ({
    key,
    iteration: key[1],
    spikingAgents: { length: key[3] },
    bytes: key[4],
    value,
  });
  const saved = await store.getAllKeys(allOfRun(runId));
  const fresh = iterations.map(({ iteration, groups }) =>
    groups.map((group, place) =>
      rowOf(
        [runId, iteration, place, group.spikingAgents.length, columnBytes(group)],
        group satisfies StoredGroup,
      ),
    ),
  );
  const keep: Keep<Key> = (kept, ofIteration) =>
    keepRecords(kept, ofIteration, { bytesOf: ({ bytes }) => bytes, maxBytes: maxKeptBytes });
  await exchange<Key>(
    store,
    saved.map((key) => rowOf(key)),
    fresh,
    keep,
  );
}
