import { encodeNotebookRow, parseNotebookRow, parseNotebookSummary } from './notebooks';
import { readFailure } from './refusals';
import type { StoreWorld } from './runStore';
import type { DamagedRow, ListedNotebooks, NotebookSummary, RunStorage } from './storageApi';

type NotebookStore = Pick<
  RunStorage,
  'saveNotebook' | 'readNotebook' | 'listNotebooks' | 'deleteNotebook'
>;

/** Documents, without the runs that were made in them. */
export function createNotebookStore(world: StoreWorld): NotebookStore {
  const { database, gate, news } = world;
  return {
    async saveNotebook(notebookId, notebook, at) {
      const outcome = await gate.writeAlone('The notebook', async () => {
        const row = encodeNotebookRow(notebook, at);
        await database.write(['notebooks'], (transaction) =>
          transaction.objectStore('notebooks').put(row, notebookId),
        );
        return { ok: true };
      });
      if (outcome.ok) news.tell({ kind: 'notebookSaved', notebookId, savedAt: at });
      return outcome;
    },
    async readNotebook(notebookId) {
      try {
        const row = await database.read(['notebooks'], (transaction) =>
          transaction.objectStore('notebooks').get(notebookId),
        );
        return parseNotebookRow(notebookId, row);
      } catch (error) {
        return { ...readFailure(database.closed(), error), issues: [], text: null };
      }
    },
    listNotebooks: () => listNotebooks(world),
    async deleteNotebook(notebookId) {
      const outcome = await gate.writeAlone('The deletion of the notebook', async () => {
        await database.write(['notebooks'], (transaction) =>
          transaction.objectStore('notebooks').delete(notebookId),
        );
        return { ok: true };
      });
      if (outcome.ok) news.tell({ kind: 'notebookDeleted', notebookId });
      return outcome;
    },
  };
}

async function listNotebooks({ database }: StoreWorld): Promise<ListedNotebooks> {
  try {
    return await database.read(['notebooks'], async (transaction) => {
      const store = transaction.objectStore('notebooks');
      const [ids, rows] = await Promise.all([store.getAllKeys(), store.getAll()]);
      const notebooks: NotebookSummary[] = [];
      const damaged: DamagedRow[] = [];
      for (const [i, id] of ids.entries()) {
        const parsed = parseNotebookSummary(id, rows[i]);
        if (parsed.ok) notebooks.push(parsed.summary);
        else damaged.push({ id: String(id), issues: parsed.issues });
      }
      notebooks.sort((a, b) => b.savedAt - a.savedAt);
      return { ok: true, notebooks, damaged };
    });
  } catch (error) {
    return readFailure(database.closed(), error);
  }
}
