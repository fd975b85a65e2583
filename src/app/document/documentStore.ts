import { create } from 'zustand';
import type { ExperimentSpec } from '../../config/experimentSpec';
import { presets } from '../../config/presets';
import type { CellKind, NotebookCell } from '../../notebook/cells';
import {
  addCell,
  changeCell,
  changeTitle,
  deleteCell,
  duplicateCell,
  moveCell,
  type Edited,
} from '../../notebook/editing';
import type { EditedField } from '../../notebook/history';
import { cellOf, type Notebook } from '../../notebook/notebook';
import { standardNotebook } from '../../notebook/standardNotebook';
import { openingPresetId } from '../openingPreset';
import {
  applyDocumentEvent,
  documentStateOf,
  type DocumentEvent,
  type DocumentState,
} from './documentState';
import { freeId } from './freeId';

/** The notebook as the components see it. */
export const useDocument = create<DocumentState>(() =>
  documentStateOf(standardNotebook(presets[openingPresetId].spec)),
);

export function applyToDocument(event: DocumentEvent): void {
  useDocument.setState(applyDocumentEvent(useDocument.getState(), event), true);
}

export function presentNotebook(): Notebook {
  return useDocument.getState().history.present;
}

export function usePresent(): Notebook {
  return useDocument(({ history }) => history.present);
}

function edit(edited: Edited, field?: EditedField): void {
  applyToDocument({ kind: 'edited', edited, ...(field && { field }) });
}

/** Replaces a cell; a stream of changes to one field is one step back. */
export function editCell(cell: NotebookCell, field?: string): void {
  edit(
    changeCell(presentNotebook(), cell),
    field === undefined ? undefined : { cell: cell.id, field },
  );
}

/** Replaces several cells in one step. */
export function editCells(cells: readonly NotebookCell[], field: EditedField): void {
  const start: Edited = { ok: true, notebook: presentNotebook() };
  const edited = cells.reduce<Edited>(
    (before, cell) => (before.ok ? changeCell(before.notebook, cell) : before),
    start,
  );
  edit(edited, field);
}

export function editTitle(title: string): void {
  edit(changeTitle(presentNotebook(), title), { cell: '', field: 'title' });
}

/** Index at which a cell would come right below the selected one, or at the end. */
export function placeBelow(): number {
  const { cells } = presentNotebook();
  const { selected } = useDocument.getState();
  const index = cells.findIndex(({ id }) => id === selected);
  return index < 0 ? cells.length : index + 1;
}

/** Adds a cell with content to start from and selects it; a refusal is shown on the page. */
export function insertCell(kind: CellKind, at: number): void {
  const notebook = presentNotebook();
  const id = freeId(notebook, kind);
  edit(addCell(notebook, { id, kind, at }));
  if (cellOf(presentNotebook(), id) === undefined) return;
  if (kind === 'text') applyToDocument({ kind: 'editingBegun', cell: id });
  else applyToDocument({ kind: 'selected', cell: id });
}

/** Adds an experiment with this specification and selects it; one step back undoes it. A refusal is shown on the page. */
export function insertExperiment(spec: ExperimentSpec, at: number): void {
  const notebook = presentNotebook();
  const id = freeId(notebook, 'experiment');
  const added = addCell(notebook, { id, kind: 'experiment', at });
  edit(added.ok ? changeCell(added.notebook, { id, kind: 'experiment', spec }) : added);
  if (cellOf(presentNotebook(), id) !== undefined)
    applyToDocument({ kind: 'selected', cell: id });
}

export function shiftCell(id: string, by: 1 | -1): void {
  const { cells } = presentNotebook();
  const to = cells.findIndex((cell) => cell.id === id) + by;
  if (to >= 0 && to < cells.length) edit(moveCell(presentNotebook(), id, to));
}

export function copyCell(id: string): void {
  const notebook = presentNotebook();
  const cell = cellOf(notebook, id);
  if (cell === undefined) return;
  const copy = freeId(notebook, cell.kind);
  edit(duplicateCell(notebook, id, copy));
  applyToDocument({ kind: 'selected', cell: copy });
}

/** Deletes a cell and selects the one that took its place. Undo brings it back, an experiment with its results. */
export function removeCell(id: string): void {
  const { cells } = presentNotebook();
  const index = cells.findIndex((cell) => cell.id === id);
  edit(deleteCell(presentNotebook(), id));
  const next = presentNotebook().cells[Math.min(index, cells.length - 2)];
  applyToDocument({ kind: 'selected', cell: next?.id ?? null });
}
