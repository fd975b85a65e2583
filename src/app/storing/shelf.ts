import { byIteration } from './byIteration';
import { answerOf, keysOfRun, type Database } from './database';
import type { RunPart } from './freshPart';
import {
  parseNotebookRecord,
  parseRunRecord,
  type NotebookRecord,
  type Parsed,
  type RunRecord,
} from './records';

/** What is stored, as a whole: those that can be read, and in words those that cannot. */
export interface ShelfContents {
  readonly notebooks: readonly NotebookRecord[];
  readonly runs: readonly RunRecord[];
  readonly damages: readonly string[];
}

/** A run with what it logged, as it stands in the database. */
export interface StoredLog {
  readonly rows: readonly unknown[];
  readonly episodes: readonly unknown[];
}

/** Notebooks and their runs in the browser's database. Everything rejects with what the browser says. */
export interface Shelf {
  readonly saveNotebook: (record: NotebookRecord) => Promise<void>;
  /**
   * Writes what is new of a run together with what is told of it and, where it is given, its notebook; all or nothing.
   * @param forgotten iterations whose episodes the page no longer remembers
   */
  readonly append: (
    run: RunRecord,
    part: RunPart | null,
    more: { readonly notebook: NotebookRecord | null; readonly forgotten: readonly number[] },
  ) => Promise<void>;
  readonly contents: () => Promise<ShelfContents>;
  readonly logOf: (runId: string) => Promise<StoredLog>;
  readonly deleteRun: (runId: string) => Promise<void>;
  /** With all of its runs. */
  readonly deleteNotebook: (id: string) => Promise<void>;
}

export function createShelf({ transact }: Database): Shelf {
  return {
    saveNotebook: (record) =>
      transact(['notebooks'], 'readwrite', (transaction) => {
        transaction.objectStore('notebooks').put(record);
      }),
    append: (run, part, { notebook, forgotten }) =>
      transact(['notebooks', 'runs', 'rows', 'episodes'], 'readwrite', (transaction) => {
        if (notebook !== null) transaction.objectStore('notebooks').put(notebook);
        transaction.objectStore('runs').put(run);
        if (part !== null) putPart(transaction, run.id, part);
        const episodes = transaction.objectStore('episodes');
        for (const iteration of forgotten) episodes.delete([run.id, iteration]);
      }),
    contents: () => transact(['notebooks', 'runs'], 'readonly', readContents),
    logOf: (runId) =>
      transact(['rows', 'episodes'], 'readonly', async (transaction) => {
        const read = (store: string): Promise<unknown[]> =>
          answerOf<unknown[]>(transaction.objectStore(store).getAll(keysOfRun(runId)));
        const [rows, episodes] = await Promise.all([read('rows'), read('episodes')]);
        return { rows, episodes };
      }),
    deleteRun: (runId) =>
      transact(['runs', 'rows', 'episodes'], 'readwrite', (transaction) =>
        removeRun(transaction, runId),
      ),
    deleteNotebook: (id) =>
      transact(['notebooks', 'runs', 'rows', 'episodes'], 'readwrite', async (transaction) => {
        transaction.objectStore('notebooks').delete(id);
        const runs = await answerOf<unknown[]>(transaction.objectStore('runs').getAll());
        for (const data of runs) {
          const run = parseRunRecord(data);
          if (run.ok && run.value.notebookId === id) removeRun(transaction, run.value.id);
        }
      }),
  };
}

function putPart(transaction: IDBTransaction, runId: string, part: RunPart): void {
  const { rows, times, transcripts } = part;
  const [first] = rows;
  if (first === undefined) return;
  transaction.objectStore('rows').put({ rows, times }, [runId, first.iteration]);
  const episodes = transaction.objectStore('episodes');
  for (const [iteration, told] of byIteration(transcripts))
    episodes.put({ transcripts: told }, [runId, iteration]);
}

function removeRun(transaction: IDBTransaction, runId: string): void {
  transaction.objectStore('runs').delete(runId);
  for (const store of ['rows', 'episodes']) transaction.objectStore(store).delete(keysOfRun(runId));
}

async function readContents(transaction: IDBTransaction): Promise<ShelfContents> {
  const all = (store: string): Promise<unknown[]> =>
    answerOf<unknown[]>(transaction.objectStore(store).getAll());
  const [notebooks, runs] = await Promise.all([all('notebooks'), all('runs')]);
  const damages: string[] = [];
  const readable = <T>(parsed: Parsed<T>): T[] => {
    if (parsed.ok) return [parsed.value];
    damages.push(parsed.message);
    return [];
  };
  return {
    notebooks: notebooks.flatMap((data) => readable(parseNotebookRecord(data))),
    runs: runs.flatMap((data) => readable(parseRunRecord(data))),
    damages,
  };
}
