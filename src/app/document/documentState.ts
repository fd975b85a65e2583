import { cellOf, isExperimentCell, type Notebook } from '../../notebook/notebook';
import type { Edited } from '../../notebook/editing';
import {
  closeStep,
  createHistory,
  recordEdit,
  redo,
  undo,
  type EditedField,
  type NotebookHistory,
} from '../../notebook/history';
import type { SpecIssue } from '../../config/specIssue';

/** The notebook on the page: what it says, the way back, and where the reader is in it. Plain data, replaced and never changed. */
export interface DocumentState {
  /** Another number with every notebook that is opened: cells of equal ids are then not the same cells. */
  readonly generation: number;
  readonly history: NotebookHistory;
  /** Id of the cell that keys and commands speak of; null = none. */
  readonly selected: string | null;
  /** Id of the cell whose content is being edited in place; it is the selected one. */
  readonly editing: string | null;
  /** Id of the experiment that form and run strip speak of; null where the notebook has none. */
  readonly experiment: string | null;
  /** Why the last edit was refused; null after one that was not. */
  readonly issues: readonly SpecIssue[] | null;
}

export type DocumentEvent =
  | { readonly kind: 'opened'; readonly notebook: Notebook }
  | { readonly kind: 'edited'; readonly edited: Edited; readonly field?: EditedField }
  | { readonly kind: 'stepClosed' }
  | { readonly kind: 'undone' }
  | { readonly kind: 'redone' }
  | { readonly kind: 'selected'; readonly cell: string | null }
  | { readonly kind: 'editingBegun'; readonly cell: string }
  | { readonly kind: 'editingEnded' }
  | { readonly kind: 'issuesClosed' };

export function documentStateOf(notebook: Notebook, generation = 0): DocumentState {
  return {
    generation,
    history: createHistory(notebook),
    selected: null,
    editing: null,
    experiment: notebook.cells.find(isExperimentCell)?.id ?? null,
    issues: null,
  };
}

export function applyDocumentEvent(state: DocumentState, event: DocumentEvent): DocumentState {
  switch (event.kind) {
    case 'opened':
      return documentStateOf(event.notebook, state.generation + 1);
    case 'edited':
      return event.edited.ok
        ? settled({
            ...state,
            history: recordEdit(state.history, event.edited.notebook, event.field),
            issues: null,
          })
        : { ...state, issues: event.edited.issues };
    case 'stepClosed':
      return { ...state, history: closeStep(state.history) };
    case 'undone':
      return settled({ ...state, history: undo(state.history), issues: null });
    case 'redone':
      return settled({ ...state, history: redo(state.history), issues: null });
    case 'selected':
      return selectedAt(state, event.cell);
    case 'editingBegun':
      return { ...selectedAt(state, event.cell), editing: event.cell };
    case 'editingEnded':
      return { ...state, editing: null, history: closeStep(state.history) };
    case 'issuesClosed':
      return { ...state, issues: null };
  }
}

/** Form and run strip go with the selection: to the experiment that the cell is, or shows. */
function selectedAt(state: DocumentState, id: string | null): DocumentState {
  const { present } = state.history;
  const cell = id === null ? undefined : cellOf(present, id);
  const editing = state.editing === id ? state.editing : null;
  if (cell === undefined) return { ...state, selected: null, editing: null };
  const shown = experimentShown(present, cell.id);
  return { ...state, selected: cell.id, editing, experiment: shown ?? state.experiment };
}

function experimentShown(notebook: Notebook, id: string): string | null {
  const cell = cellOf(notebook, id);
  if (cell === undefined || cell.kind === 'text') return null;
  const experiment = cell.kind === 'experiment' ? cell.id : cell.experiment;
  return cellOf(notebook, experiment)?.kind === 'experiment' ? experiment : null;
}

/** After the notebook changed: what is no longer there is no longer pointed at. */
function settled(state: DocumentState): DocumentState {
  const { present } = state.history;
  const isThere = (id: string | null): boolean => id !== null && cellOf(present, id) !== undefined;
  const selected = isThere(state.selected) ? state.selected : null;
  const experiment = present.cells.some(
    (cell) => isExperimentCell(cell) && cell.id === state.experiment,
  )
    ? state.experiment
    : (present.cells.find(isExperimentCell)?.id ?? null);
  return {
    ...state,
    selected,
    editing: isThere(state.editing) ? state.editing : null,
    experiment,
  };
}
