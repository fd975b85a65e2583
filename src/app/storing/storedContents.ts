import type { Notebook } from '../../notebook/notebook';
import type { DamagedRow, RunStorage } from '../../storage/storageApi';
import type { DamagedEntry } from './storedList';
import { strayRuns, titleOf, type StoredContents } from './storedListing';

/** Everything that is stored, without what the runs have logged. */
export interface ReadContents extends StoredContents {
  readonly documents: ReadonlyMap<string, Notebook>;
  readonly damaged: readonly DamagedEntry[];
}

/** Rejects with an Error for the reader where nothing can be read. */
export async function readContents(
  storage: Pick<RunStorage, 'listNotebooks' | 'listRuns' | 'readNotebook'>,
): Promise<ReadContents> {
  const [notebooks, runs] = await Promise.all([storage.listNotebooks(), storage.listRuns()]);
  if (!notebooks.ok) throw new Error(notebooks.message);
  if (!runs.ok) throw new Error(runs.message);
  const damaged = [...entriesOf('notebook', notebooks.damaged), ...entriesOf('run', runs.damaged)];
  const documents = new Map<string, Notebook>();
  for (const { notebookId } of notebooks.notebooks) {
    const read = await storage.readNotebook(notebookId);
    if (read.ok) documents.set(notebookId, read.notebook);
    else if (read.reason === 'damaged')
      damaged.push(damagedEntry('notebook', notebookId, read.issues));
  }
  const contents: StoredContents = {
    // One without a title is called as its experiment is.
    notebooks: notebooks.notebooks
      .filter(({ notebookId }) => documents.has(notebookId))
      .map(({ notebookId, savedAt }) => ({
        notebookId,
        savedAt,
        title: titleOf(documents.get(notebookId)),
      })),
    runs: runs.runs,
  };
  return { ...contents, documents, damaged: [...damaged, ...strays(contents)] };
}

/** Runs without their notebook cannot be opened. */
function strays(contents: StoredContents): readonly DamagedEntry[] {
  return strayRuns(contents).map(({ head }) => ({
    kind: 'run',
    id: head.runId,
    what: `The notebook of the stored run “${head.spec.title}” is gone or cannot be read.`,
  }));
}

function entriesOf(
  kind: DamagedEntry['kind'],
  rows: readonly DamagedRow[],
): readonly DamagedEntry[] {
  return rows.map(({ id, issues }) => damagedEntry(kind, id, issues));
}

function damagedEntry(
  kind: DamagedEntry['kind'],
  id: string,
  issues: DamagedRow['issues'],
): DamagedEntry {
  const [issue] = issues;
  const where = issue === undefined ? '' : ` at ${issue.path}: ${issue.message}`;
  return { kind, id, what: `The stored ${kind} ${id} cannot be read${where}` };
}
