import type { Notebook } from '../../notebook/notebook';
import { presentNotebook, useDocument } from '../document/documentStore';
import { usePageNotebook } from './pageNotebook';

/** A notebook on its way to the storage. */
export interface UnsavedNotebook {
  readonly id: string;
  readonly notebook: Notebook;
}

/** A change is stored after this long without another one. Unit: ms. */
const quietMs = 500;

export interface NotebookSaver {
  /** The notebook on the page where it has this id and is not stored as it is now. */
  readonly unsaved: (id: string) => UnsavedNotebook | null;
  readonly noteSaved: (unsaved: UnsavedNotebook) => void;
  /** Stores it now, where there is something to store. */
  readonly flush: () => void;
}

/**
 * Stores the notebook on the page whenever it has changed. One that was only looked at is not stored.
 * @param save resolves with whether it is stored
 */
export function createNotebookSaver(
  save: (unsaved: UnsavedNotebook) => Promise<boolean>,
): NotebookSaver {
  /** By id, as last stored. */
  const saved = new Map<string, Notebook>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unsavedOf = (id: string): UnsavedNotebook | null => {
    const notebook = presentNotebook();
    if (saved.get(id) === notebook) return null;
    return { id, notebook };
  };
  const noteSaved = ({ id, notebook }: UnsavedNotebook): void => {
    saved.set(id, notebook);
  };
  const store = async (unsaved: UnsavedNotebook): Promise<void> => {
    // A refusal leaves it unsaved: the next change, or Try again, does it again.
    if (await save(unsaved)) noteSaved(unsaved);
  };
  const flushAs = (id: string): void => {
    clearTimeout(timer);
    const isTouched = saved.has(id) || useDocument.getState().history.past.length > 0;
    const changed = isTouched ? unsavedOf(id) : null;
    if (changed !== null) void store(changed);
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
    unsaved: (id) => (id === usePageNotebook.getState().id ? unsavedOf(id) : null),
    noteSaved,
    flush,
  };
}
