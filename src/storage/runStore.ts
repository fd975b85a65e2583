import { appendBatch, appendStores } from './appendBatch';
import { fileIn, removeAll, type CheckpointWorld } from './checkpoints';
import { together, type WriteTransaction } from './database';
import { allOfRun, ofRunAfter } from './keyRanges';
import type { News } from './news';
import { parseRun, readStores, runRows, summaryOf } from './readRun';
import { conflict, readFailure } from './refusals';
import { encodeRun, parseHead } from './runRow';
import type {
  ListedRuns,
  NewRun,
  RunBatch,
  RunStorage,
  RunSummary,
  RunWrite,
  DamagedRow,
} from './storageApi';
import { truncateChunks, truncateStores } from './truncateRun';
import type { WriteGate } from './writeGate';

export interface StoreWorld extends CheckpointWorld {
  readonly gate: WriteGate;
  readonly news: News;
}

type RunStore = Pick<
  RunStorage,
  'createRun' | 'appendToRun' | 'readRun' | 'listRuns' | 'deleteRun' | 'truncateRun'
>;

/** Runs: rows of the database, and the files of their checkpoints as far as they go with them. */
export function createRunStore(world: StoreWorld): RunStore {
  const { database, files, now, gate, news } = world;
  const tellSaved = createTeller(world);
  return {
    createRun: (run) =>
      gate.write(run.runId, 'The run', async () => {
        const outcome = await insertRun(world, run);
        if (outcome.ok) await tellSaved(run.runId, null);
        return outcome;
      }),
    appendToRun: (runId, batch) =>
      gate.write(runId, batchName(batch), async () => {
        const outcome = await database.write(appendStores, (transaction) =>
          appendBatch(transaction, runId, batch, now()),
        );
        if (outcome.ok) await tellSaved(runId, outcome.lastSavedIteration);
        return outcome;
      }),
    truncateRun: (runId, iteration) => {
      if (!Number.isSafeInteger(iteration) || iteration < 0)
        throw new RangeError(`A run cannot go back to ${iteration}: name an iteration, from 0.`);
      return gate.write(runId, `The run's way back to iteration ${iteration}`, async () => {
        const { outcome, unnamed } = await database.write(truncateStores, async (transaction) => {
          const later = transaction.objectStore('checkpoints').getAll(ofRunAfter(runId, iteration));
          const rows = await later;
          return {
            outcome: await truncateChunks(transaction, runId, iteration, now()),
            unnamed: rows.flatMap(fileIn),
          };
        });
        if (!outcome.ok) return outcome;
        await removeAll(files, unnamed);
        await tellSaved(runId, outcome.lastSavedIteration);
        return outcome;
      });
    },
    deleteRun: (runId) =>
      gate.inTurn(runId, async () => {
        const outcome = await gate.writeAlone('The deletion of the run', async () => {
          const rows = await database.write(truncateStores, (transaction) =>
            removeRun(transaction, runId),
          );
          await removeAll(files, rows.flatMap(fileIn));
          return { ok: true };
        });
        if (!outcome.ok) return outcome;
        gate.retry(runId);
        news.tell({ kind: 'runDeleted', runId });
        return outcome;
      }),
    readRun: (runId) =>
      gate.inTurn(runId, async () => {
        try {
          return parseRun(
            await database.read(readStores, (transaction) => runRows(transaction, runId)),
          );
        } catch (error) {
          return { ...readFailure(database.closed(), error), issues: [], intact: null };
        }
      }),
    listRuns: (notebookId) => listRuns(world, notebookId),
  };
}

/** `Iterations 3 to 5 of the run` */
function batchName({ events }: RunBatch): string {
  const iterations = events.filter((event) => event.kind === 'iteration');
  const [first, last] = [iterations[0]?.iteration, iterations.at(-1)?.iteration];
  if (first === undefined || last === undefined) return 'What is told of the run';
  return first === last
    ? `Iteration ${first} of the run`
    : `Iterations ${first} to ${last} of the run`;
}

/** Nothing is written that could not be read again. */
async function insertRun({ database }: StoreWorld, run: NewRun): Promise<RunWrite> {
  const row = encodeRun(run);
  const head = parseHead(row, run.runId);
  if (!head.ok) {
    const [issue] = head.issues;
    const message = `The run could not be saved: ${issue?.path ?? ''}: ${issue?.message ?? ''}`;
    return { ok: false, reason: 'failed', message, lastSavedIteration: null };
  }
  return database.write(['runs'], async (transaction) => {
    const store = transaction.objectStore('runs');
    if ((await store.getKey(run.runId)) !== undefined)
      return conflict('A run of this id is saved already: give the new one another.', null);
    await store.put(row, run.runId);
    return { ok: true, lastSavedIteration: null };
  });
}

/** The rows of its checkpoints, whose files go next. */
async function removeRun(
  transaction: WriteTransaction,
  runId: string,
): Promise<readonly unknown[]> {
  const range = allOfRun(runId);
  const rows = await transaction.objectStore('checkpoints').getAll(range);
  await together([
    () => transaction.objectStore('runs').delete(runId),
    ...(['chunks', 'transcripts', 'groups', 'checkpoints'] as const).map(
      (name) => () => transaction.objectStore(name).delete(range),
    ),
  ]);
  return rows;
}

/** Tells other tabs how far a run is saved. They hear nothing of one whose head cannot be read. */
function createTeller({
  database,
  news,
}: StoreWorld): (runId: string, lastSavedIteration: number | null) => Promise<void> {
  const notebooks = new Map<string, string>();
  const notebookOf = async (runId: string): Promise<string | undefined> => {
    const row = await database.read(['runs'], (transaction) =>
      transaction.objectStore('runs').get(runId),
    );
    const head = parseHead(row, runId);
    return head.ok ? head.value.notebookId : undefined;
  };
  return async (runId, lastSavedIteration) => {
    try {
      const notebookId = notebooks.get(runId) ?? (await notebookOf(runId));
      if (notebookId === undefined) return;
      notebooks.set(runId, notebookId);
      news.tell({ kind: 'runSaved', runId, notebookId, lastSavedIteration });
    } catch {
      // It is saved all the same; other tabs see it when they next look.
    }
  };
}

async function listRuns({ database }: StoreWorld, notebookId?: string): Promise<ListedRuns> {
  try {
    return await database.read(['runs', 'checkpoints'], async (transaction) => {
      const store = transaction.objectStore('runs');
      const [ids, rows, keys] = await Promise.all([
        store.getAllKeys(),
        store.getAll(),
        transaction.objectStore('checkpoints').getAllKeys(),
      ]);
      const runs: RunSummary[] = [];
      const damaged: DamagedRow[] = [];
      for (const [i, runId] of ids.entries()) {
        const checkpoints = keys.flatMap(([id, iteration]) => (id === runId ? [iteration] : []));
        const parsed = summaryOf({ runId, row: rows[i], checkpoints });
        if (!parsed.ok) damaged.push({ id: String(runId), issues: parsed.issues });
        else if (notebookId === undefined || parsed.summary.head.notebookId === notebookId)
          runs.push(parsed.summary);
      }
      runs.sort((a, b) => b.head.startedAt - a.head.startedAt);
      return { ok: true, runs, damaged };
    });
  } catch (error) {
    return readFailure(database.closed(), error);
  }
}
