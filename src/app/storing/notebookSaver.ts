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
  const unsaved = (id: string): NotebookRecord | null => {
    const notebook = presentNotebook();
    if (id !== usePageNotebook.getState().id || saved.get(id) === notebook) return null;
    return { id, notebook, savedAt: new Date().toISOString() };
  };
  const noteSaved = ({ id, notebook }: NotebookRecord): void => {
    saved.set(id, notebook);
  };
  const flush = (): void => {
    clearTimeout(timer);
    const { id } = usePageNotebook.getState();
    const isTouched = saved.has(id) || useDocument.getState().history.past.length > 0;
    const record = isTouched ? unsaved(id) : null;
    if (record === null) return;
    // A refusal leaves it unsaved: the next change, or Try again, does it again.
    void save(record).then((isStored) => {
      if (isStored) noteSaved(record);
    });
  };
  useDocument.subscribe(({ history: { present } }, before) => {
    if (present === before.history.present) return;
    clearTimeout(timer);
    timer = setTimeout(flush, quietMs);
  });
  return { unsaved, noteSaved, flush };
}
