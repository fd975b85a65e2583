import { experimentCells, type Notebook } from '../../notebook/notebook';
import { canonicalJson } from '../../config/specHash';
import type { KeptOffer } from './kept';
import type { NotebookRecord, RunRecord } from './records';
import type { ShelfContents } from './shelf';
import type { StoredNotebookEntry } from './storedList';

/** What a notebook is called: by its own title, else by that of its first experiment. */
function titleOf(notebook: Notebook): string {
  return notebook.title === '' ? (experimentCells(notebook)[0]?.spec.title ?? '') : notebook.title;
}

/** Newest first. */
export function runsOf(id: string, runs: readonly RunRecord[]): readonly RunRecord[] {
  return runs
    .filter(({ notebookId }) => notebookId === id)
    .toSorted((a, b) => b.date.localeCompare(a.date));
}

/** When anything of it was last written. */
function lastDate({ savedAt }: NotebookRecord, [newest]: readonly RunRecord[]): string {
  return newest !== undefined && newest.date > savedAt ? newest.date : savedAt;
}

/** What is stored as the list shows it; the last written first. */
export function listed(
  { notebooks, runs }: Pick<ShelfContents, 'notebooks' | 'runs'>,
  openIn: (id: string) => StoredNotebookEntry['openIn'],
): readonly StoredNotebookEntry[] {
  return notebooks
    .map((record) => {
      const own = runsOf(record.id, runs);
      return {
        id: record.id,
        title: titleOf(record.notebook),
        date: lastDate(record, own),
        openIn: openIn(record.id),
        runs: own.map(({ id, spec, iteration, date, bytes, ended }) => ({
          id,
          title: spec.title,
          iteration,
          iterations: spec.iterations,
          date,
          bytes,
          ended,
        })),
      };
    })
    .toSorted((a, b) => b.date.localeCompare(a.date));
}

interface OfferWorld {
  /** The notebook on the page. */
  readonly shown: Notebook;
  /** Id under which this tab kept its notebook before it was reloaded; null for a new tab. */
  readonly before: string | null;
  /** Ids of what is not to be offered: open in another tab, or left by the reader. */
  readonly excluded: ReadonlySet<string>;
}

/**
 * Which stored notebook to offer: what this tab had before it was reloaded, else one like that on the page, else the last one. One that has
 * no runs only where it is not on the page already. Null where there is none.
 */
export function offerOf(
  contents: Pick<ShelfContents, 'notebooks' | 'runs'>,
  { shown, before, excluded }: OfferWorld,
): KeptOffer | null {
  const shownJson = canonicalJson(shown);
  const isShown = (id: string): boolean => {
    const record = contents.notebooks.find((one) => one.id === id);
    return record !== undefined && canonicalJson(record.notebook) === shownJson;
  };
  const offered = listed(contents, () => 'nowhere').filter(
    ({ id, runs }) => !excluded.has(id) && (runs.length > 0 || !isShown(id)),
  );
  const chosen =
    offered.find(({ id }) => id === before) ?? offered.find(({ id }) => isShown(id)) ?? offered[0];
  return chosen === undefined ? null : { id: chosen.id, title: chosen.title, runs: chosen.runs };
}

/** Which runs come with a notebook that is opened: the newest of every experiment that it has, or the one that was chosen. */
export function shownRuns(
  { id, notebook }: NotebookRecord,
  runs: readonly RunRecord[],
  chosen?: string,
): readonly RunRecord[] {
  const own = runsOf(id, runs);
  return experimentCells(notebook).flatMap(({ id: experiment }) => {
    const ofCell = own.filter((run) => run.experiment === experiment);
    const run = ofCell.find((one) => one.id === chosen) ?? ofCell[0];
    return run === undefined ? [] : [run];
  });
}
