import { canonicalJson } from '../../config/specHash';
import { experimentCells, type Notebook } from '../../notebook/notebook';
import type { NotebookSummary, RunStanding, RunSummary } from '../../storage/storageApi';
import { isActive } from '../runState';
import type { KeptOffer } from './kept';
import type { StoredNotebookEntry, StoredRunEntry } from './storedList';

/** What is stored, without what the runs have logged. */
export interface StoredContents {
  readonly notebooks: readonly NotebookSummary[];
  readonly runs: readonly RunSummary[];
}

/** Last written first. */
export function runsOf(id: string, runs: readonly RunSummary[]): readonly RunSummary[] {
  return runs
    .filter(({ head }) => head.notebookId === id)
    .toSorted((a, b) => b.savedAt - a.savedAt);
}

function endingOf({ phase }: RunStanding): StoredRunEntry['ended'] {
  if (isActive(phase)) return 'open';
  if (phase === 'finished') return 'completed';
  return phase === 'failed' ? 'failed' : 'stopped';
}

/** What is stored as the list shows it; the last written first. A run whose notebook is gone stands under its own title. */
export function listed(
  { notebooks, runs }: StoredContents,
  openIn: (id: string) => StoredNotebookEntry['openIn'],
): readonly StoredNotebookEntry[] {
  return notebooks
    .map(({ notebookId, title, savedAt }) => {
      const own = runsOf(notebookId, runs);
      return {
        id: notebookId,
        // A notebook without a title is called as its experiment is.
        title: title === '' ? (own[0]?.head.spec.title ?? '') : title,
        savedAt: Math.max(savedAt, own[0]?.savedAt ?? 0),
        openIn: openIn(notebookId),
        runs: own.map((run) => ({
          id: run.head.runId,
          title: run.head.spec.title,
          iteration: run.lastSavedIteration ?? 0,
          iterations: run.head.spec.iterations,
          savedAt: run.savedAt,
          ended: endingOf(run.standing),
        })),
      };
    })
    .toSorted((a, b) => b.savedAt - a.savedAt);
}

/** Runs of a notebook that is not stored: they can be deleted, not opened. */
export function strayRuns({ notebooks, runs }: StoredContents): readonly RunSummary[] {
  const ids = new Set(notebooks.map(({ notebookId }) => notebookId));
  return runs.filter(({ head }) => !ids.has(head.notebookId));
}

interface OfferWorld {
  /** The notebook on the page. */
  readonly shown: Notebook;
  /** The documents of the stored notebooks, as far as they can be read. */
  readonly documents: ReadonlyMap<string, Notebook>;
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
  contents: StoredContents,
  { shown, documents, before, excluded }: OfferWorld,
): KeptOffer | null {
  const shownJson = canonicalJson(shown);
  const isShown = (id: string): boolean => {
    const document = documents.get(id);
    return document !== undefined && canonicalJson(document) === shownJson;
  };
  const offered = listed(contents, () => 'nowhere').filter(
    ({ id, runs }) => documents.has(id) && !excluded.has(id) && (runs.length > 0 || !isShown(id)),
  );
  const chosen =
    offered.find(({ id }) => id === before) ?? offered.find(({ id }) => isShown(id)) ?? offered[0];
  if (chosen === undefined) return null;
  const title = chosen.title === '' ? titleOf(documents.get(chosen.id)) : chosen.title;
  return { id: chosen.id, title, runs: chosen.runs };
}

/** Of its first experiment; empty without one. */
export function titleOf(notebook: Notebook | undefined): string {
  if (notebook === undefined || notebook.title !== '') return notebook?.title ?? '';
  return experimentCells(notebook)[0]?.spec.title ?? '';
}

/** Which runs come with a notebook that is opened: the newest of every experiment that it has, or the one that was chosen. */
export function shownRuns(
  notebook: Notebook,
  runs: readonly RunSummary[],
  chosen?: string,
): readonly RunSummary[] {
  return experimentCells(notebook).flatMap(({ id: experiment }) => {
    const ofCell = runs.filter(({ head }) => head.experiment === experiment);
    const run = ofCell.find(({ head }) => head.runId === chosen) ?? ofCell[0];
    return run === undefined ? [] : [run];
  });
}
