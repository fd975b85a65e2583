import type { CheckpointFiles } from './checkpointFiles';
import { readCheckpoint, sweepFiles, writeCheckpoint } from './checkpoints';
import { claimedNotebooks, claimNotebook, type Locks } from './claims';
import { openDatabase, type DatabaseWorld } from './database';
import { createNews, type NewsChannel } from './news';
import { createNotebookStore } from './notebookStore';
import { readFailure } from './refusals';
import { createRunStore, type StoreWorld } from './runStore';
import type { NotebookClaim, OpenedStorage, RunStorage, StorageSpace } from './storageApi';
import { createWriteGate } from './writeGate';

/** What storage needs of a browser. */
export interface StorageWorld extends DatabaseWorld {
  readonly files: CheckpointFiles;
  /** Null where the browser has none. */
  readonly locks: Locks | null;
  /** Asked for once; null where the browser has none. */
  readonly channel: () => NewsChannel | null;
  readonly space: Pick<StorageManager, 'persist' | 'estimate'> | null;
  /** Since 1970. Unit: ms. */
  readonly now: () => number;
  /** Letters and digits that no other call gives. */
  readonly freshId: () => string;
}

export async function openStorage(browser: StorageWorld): Promise<OpenedStorage> {
  const opened = await openDatabase(browser);
  if (!opened.ok) return opened;
  const { database } = opened;
  const { files, locks, space, now, freshId } = browser;
  const gate = createWriteGate(() => database.closed());
  const news = createNews(browser.channel());
  const world: StoreWorld = { database, files, now, freshId, gate, news };
  const claims = new Set<NotebookClaim>();
  await sweepAlone(locks, world);
  const storage: RunStorage = {
    ...createRunStore(world),
    ...createNotebookStore(world),
    ...checkpointStore(locks, world),
    retryRun: (runId) => gate.retry(runId),
    refusalOf: (runId) => gate.refusalOf(runId),
    async claimNotebook(notebookId) {
      const claim = await claimNotebook(locks, notebookId);
      claims.add(claim);
      return claim;
    },
    claimedNotebooks: () => claimedNotebooks(locks),
    onNews: (listener) => news.listen(listener),
    requestPersistence: async () => (await orNull(space?.persist())) ?? null,
    estimateSpace: async () => spaceOf(await orNull(space?.estimate())),
    onClosed: (listener) => database.onClosed(listener),
    async close() {
      await gate.settled();
      for (const claim of claims) claim.release();
      news.close();
      database.close();
    },
  };
  return { ok: true, storage };
}

const checkpointLock = 'marlbook.checkpoints';

function checkpointStore(
  locks: Locks | null,
  world: StoreWorld,
): Pick<RunStorage, 'writeCheckpoint' | 'readCheckpoint'> {
  const { gate, database } = world;
  return {
    writeCheckpoint(runId, iteration, bytes) {
      if (!Number.isSafeInteger(iteration) || iteration < 0)
        throw new RangeError(`A checkpoint of ${iteration} came: name an iteration, from 0.`);
      return gate.write(runId, `The checkpoint of iteration ${iteration}`, async () => {
        const write = () => writeCheckpoint(world, runId, iteration, bytes);
        // While it is held, no other tab takes the new file for one that nobody names.
        return locks === null ? write() : locks.request(checkpointLock, { mode: 'shared' }, write);
      });
    },
    readCheckpoint: (runId) =>
      gate.inTurn(runId, async () => {
        try {
          return await readCheckpoint(world, runId);
        } catch (error) {
          return { ...readFailure(database.closed(), error), skipped: [] };
        }
      }),
  };
}

/** Removes what a crash has left of checkpoints, unless a tab is writing one; then the next opening does it. */
async function sweepAlone(locks: Locks | null, world: StoreWorld): Promise<void> {
  if (locks === null) return;
  try {
    await locks.request(checkpointLock, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await sweepFiles(world);
    });
  } catch {
    // Nothing is lost by what is left over.
  }
}

async function orNull<T>(answer: Promise<T> | undefined): Promise<T | null> {
  try {
    return (await answer) ?? null;
  } catch {
    return null;
  }
}

function spaceOf(estimate: StorageEstimate | null): StorageSpace | null {
  if (estimate?.usage === undefined || estimate.quota === undefined) return null;
  return { usageBytes: estimate.usage, quotaBytes: estimate.quota };
}
