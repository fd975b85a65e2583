import type { Notebook } from './notebook';

/** Documents that undo can reach. They share the cells that did not change, so this is far from that many copies. */
const maxSteps = 200;

/** What an edit changed, where a stream of small edits (typing, a slider) should be one step. */
export interface EditedField {
  readonly cell: string;
  /** Any name that tells the fields of a cell apart, such as `source` or `spec.loss.clipLow`. */
  readonly field: string;
}

/** A notebook with the way back and forth. */
export interface NotebookHistory {
  readonly present: Notebook;
  /** Oldest first. */
  readonly past: readonly Notebook[];
  /** The next one first. */
  readonly future: readonly Notebook[];
  /** The field that the newest step changed and may go on changing; null where the next edit is a step of its own. */
  readonly openField: EditedField | null;
}

export function createHistory(notebook: Notebook): NotebookHistory {
  return { present: notebook, past: [], future: [], openField: null };
}

/**
 * After an edit. Consecutive edits of one field of one cell are one step, until `closeStep` or an edit elsewhere ends it; edits
 * without a field (add, move, delete) are steps of their own. An edit that changed nothing (the same document) is no step.
 */
export function recordEdit(
  history: NotebookHistory,
  notebook: Notebook,
  field: EditedField | null = null,
): NotebookHistory {
  const { present, past, openField } = history;
  if (notebook === present) return history;
  const isSameStep =
    field !== null && openField?.cell === field.cell && openField.field === field.field;
  return {
    present: notebook,
    past: isSameStep ? past : [...past, present].slice(-maxSteps),
    future: [],
    openField: field,
  };
}

/** Ends the step: when the field loses the focus, or after a pause. */
export function closeStep(history: NotebookHistory): NotebookHistory {
  return history.openField === null ? history : { ...history, openField: null };
}

/** The document before the newest step; the same history where there is none. */
export function undo(history: NotebookHistory): NotebookHistory {
  const { present, past, future } = history;
  const before = past.at(-1);
  return before === undefined
    ? history
    : {
        present: before,
        past: past.slice(0, -1),
        future: [present, ...future],
        openField: null,
      };
}

/** The document that the newest undo left; the same history where there is none. */
export function redo(history: NotebookHistory): NotebookHistory {
  const { present, past, future } = history;
  const [after, ...rest] = future;
  return after === undefined
    ? history
    : { present: after, past: [...past, present], future: rest, openField: null };
}
