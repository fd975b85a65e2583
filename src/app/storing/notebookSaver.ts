import type { Notebook } from '../../notebook/notebook';
import { presentNotebook, useDocument } from '../document/documentStore';
import { usePageNotebook } from './pageNotebook';
import type { NotebookRecord } from './records';

/** A change is stored after this long without another one. Unit: ms. */
const quietMs = 500;

interface NotebookSaver {
  /** The notebook on the page where it has this id and is not stored as it is now. */
  readonly unsaved: (id: string) => NotebookRecord | null;
  readonly noteSaved: (record: NotebookRecord) => void;
  /** Stores it now, where there is something to store. */
  readonly flush: () => void;
}

/**
 * Stores the notebook on the page whenever it has changed. One that was only looked at is not stored.
 * @param save resolves when the record is stored; rejects never
 */
export function createNotebookSaver(
  save: (record: NotebookRecord) => Promise<boolean>,
): NotebookSaver {
  /** By id, as last stored. */
  const saved = new Map<string, Notebook>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const recordOf = (id: string): NotebookRecord | null => {
    const notebook = presentNotebook();
    if (saved.get(id) === notebook) return null;
    return { id, notebook, savedAt: new Date().toISOString() };
  };
  const noteSaved = ({ id, notebook }: NotebookRecord): void => {
    saved.set(id, notebook);
  };
  const store = async (record: NotebookRecord): Promise<void> => {
    // A refusal leaves it unsaved: the next change, or Try again, does it again.
    if (await save(record)) noteSaved(record);
  };
  const flushAs = (id: string): void => {
    clearTimeout(timer);
    const isTouched = saved.has(id) || useDocument.getState().history.past.length > 0;
    const record = isTouched ? recordOf(id) : null;
    if (record !== null) void store(record);
  };
  const flush = (): void => flushAs(usePageNotebook.getState().id);
  useDocument.subscribe(({ history: { present } }, before) => {
    if (present === before.history.present) return;
    clearTimeout(timer);
    timer = setTimeout(flush, quietMs);
  });
  // The id changes before the notebook does: it is still the one before that is on the page.
  usePageNotebook.subscribe((_now, before) => flushAs(before.id));
  return {
    unsaved: (id) => (id === usePageNotebook.getState().id ? recordOf(id) : null),
    noteSaved,
    flush,
  };
}
