import { shown } from '../config/issueMessages';
import { plainCopy } from '../config/plainData';
import type { SpecIssue } from '../config/specIssue';
import type { CellKind, NotebookCell } from './cells';
import { newCell } from './newCell';
import {
  cellOf,
  maxCells,
  maxTitleLength,
  type DeletedExperiment,
  type Notebook,
} from './notebook';
import { parseCell } from './parseCell';
import { notebookIssues } from './parseNotebook';
import { cellsPointingTo, experimentsBehind } from './references';

/**
 * Edits: a valid notebook in, another valid notebook out, or the reasons why there is none. The notebook that came is never
 * changed; cells that an edit leaves alone are shared with it.
 */
export type Edited =
  | { readonly ok: true; readonly notebook: Notebook }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

function refusal(path: string, message: string): Edited {
  return { ok: false, issues: [{ path, message }] };
}

function noSuchCell(id: string): Edited {
  return refusal('cells', `${shown(id)} came, but no cell has that id.`);
}

/** Drops what is remembered of deleted experiments once nothing points to them: their ids are free again. */
function checked(notebook: Notebook): Edited {
  const { cells } = notebook;
  const isRemembering = notebook.deletedExperiments.length > 0;
  // Only then are texts read: it happens at every key that is pressed.
  const pointedTo = new Set(isRemembering ? cells.flatMap(experimentsBehind) : []);
  const deletedExperiments = notebook.deletedExperiments.filter(({ id }) => pointedTo.has(id));
  const isSame = deletedExperiments.length === notebook.deletedExperiments.length;
  const pruned = isSame ? notebook : { ...notebook, deletedExperiments };
  const issues = notebookIssues(pruned);
  return issues.length > 0 ? { ok: false, issues } : { ok: true, notebook: pruned };
}

/** With `cell` between those there are, if its id is one and is free. */
function withInserted(notebook: Notebook, cell: NotebookCell, at: number): Edited {
  const { cells } = notebook;
  if (!Number.isInteger(at) || at < 0 || at > cells.length)
    return refusal('cells', `${at} came, expected a place from 0 to ${cells.length}.`);
  if (cells.length >= maxCells)
    return refusal('cells', `A notebook holds at most ${maxCells} cells: delete one first.`);
  const parsed = parseCell(cell, `cells.${at}`);
  return parsed.ok ? checked({ ...notebook, cells: cells.toSpliced(at, 0, parsed.cell) }) : parsed;
}

/**
 * A new cell of a kind, with content to start from (see `newCell`).
 * @param at index that it will have, 0 to the number of cells
 * @param id not in use, nor remembered as that of a deleted experiment
 */
export function addCell(
  notebook: Notebook,
  place: { readonly id: string; readonly kind: CellKind; readonly at: number },
): Edited {
  const cell = newCell(notebook, place);
  return cell === null
    ? refusal(
        'cells',
        `A ${place.kind} cell shows an experiment, and there is none: add one first.`,
      )
    : withInserted(notebook, cell, place.at);
}

/** @param to index among the cells after the move, from 0 */
export function moveCell(notebook: Notebook, id: string, to: number): Edited {
  const { cells } = notebook;
  const from = cells.findIndex((cell) => cell.id === id);
  const cell = cells[from];
  if (cell === undefined) return noSuchCell(id);
  if (!Number.isInteger(to) || to < 0 || to >= cells.length)
    return refusal('cells', `${to} came, expected a place from 0 to ${cells.length - 1}.`);
  if (to === from) return { ok: true, notebook };
  return {
    ok: true,
    notebook: { ...notebook, cells: cells.toSpliced(from, 1).toSpliced(to, 0, cell) },
  };
}

/** A copy right below its original. What points to an experiment keeps pointing to the original. */
export function duplicateCell(notebook: Notebook, id: string, newId: string): Edited {
  const position = notebook.cells.findIndex((cell) => cell.id === id);
  const cell = notebook.cells[position];
  return cell === undefined
    ? noSuchCell(id)
    : withInserted(notebook, { ...cell, id: newId }, position + 1);
}

/**
 * Without a cell. Cells that point to a deleted experiment stay as they are, with all their settings and their reference; the
 * notebook remembers the experiment's id and title for as long as any of them does (see `Notebook`).
 * @returns also the ids of the cells whose reference is broken by this, in document order
 */
export function deleteCell(
  notebook: Notebook,
  id: string,
): Edited & { readonly pointing: readonly string[] } {
  const cell = cellOf(notebook, id);
  if (cell === undefined) return { ...noSuchCell(id), pointing: [] };
  const isExperiment = cell.kind === 'experiment';
  const pointing = isExperiment ? cellsPointingTo(notebook, id).map((other) => other.id) : [];
  const remembered: readonly DeletedExperiment[] = isExperiment
    ? [{ id, title: cell.spec.title }]
    : [];
  const edited = checked({
    ...notebook,
    cells: notebook.cells.filter((other) => other !== cell),
    deletedExperiments: [...notebook.deletedExperiments, ...remembered],
  });
  return { ...edited, pointing };
}

/** With `cell` in place of the one of the same id. Its kind stays: what points to it counts on that. */
export function changeCell(notebook: Notebook, cell: NotebookCell): Edited {
  const position = notebook.cells.findIndex(({ id }) => id === cell.id);
  const current = notebook.cells[position];
  if (current === undefined) return noSuchCell(cell.id);
  if (current === cell) return { ok: true, notebook };
  const path = `cells.${position}`;
  if (current.kind !== cell.kind)
    return refusal(
      `${path}.kind`,
      `${shown(cell.kind)} came, but this is a ${current.kind} cell: add a cell of the other kind beside it.`,
    );
  const { copy, issues } = plainCopy(cell, path);
  if (issues.length > 0) return { ok: false, issues };
  const parsed = parseCell(copy, path);
  return parsed.ok
    ? checked({ ...notebook, cells: notebook.cells.with(position, parsed.cell) })
    : parsed;
}

/** Refused where it is too long for a heading. */
export function changeTitle(notebook: Notebook, title: string): Edited {
  return title.length > maxTitleLength
    ? refusal('title', `${shown(title)} came, expected ${maxTitleLength} or fewer characters.`)
    : { ok: true, notebook: { ...notebook, title } };
}
