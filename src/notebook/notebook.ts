import * as z from 'zod/mini';
import type { ExperimentCell, NotebookCell } from './cells';
import { withDefault } from '../config/schemaParts';
import { cellIdSchema } from './names';

/** A page has a scroll bar and a file has a size: no notebook that is read needs more. */
export const maxCells = 200;

/** Unit: UTF-16 code units. */
export const maxTitleLength = 120;

const deletedExperiment = z.strictObject({
  id: cellIdSchema,
  title: z.string().check(z.maxLength(maxTitleLength)),
});

/** An experiment cell that is gone while other cells still name it. */
export type DeletedExperiment = z.infer<typeof deletedExperiment>;

/** The document without what is inside its cells: each cell is parsed on its own, by its kind. */
export const notebookFrameSchema = z.strictObject({
  version: z.literal(1),
  title: z.string().check(z.maxLength(maxTitleLength)),
  cells: z.array(z.unknown()).check(z.maxLength(maxCells)),
  /** Absent reads as none, so that a notebook written by hand need not mention it. */
  deletedExperiments: withDefault(z.array(deletedExperiment).check(z.maxLength(maxCells)), []),
});

/**
 * Version 1 of the notebook: data only, replaced and never changed.
 *
 * A reference to an experiment leads to an experiment cell or to an entry of `deletedExperiments`. The second is a broken
 * reference: the cell that holds it keeps all its settings and can be pointed elsewhere, and the id stays taken so that no other
 * experiment slips under it. A reference that leads to neither is a fault of the file, and such a file is refused.
 */
export interface Notebook {
  readonly version: 1;
  readonly title: string;
  readonly cells: readonly NotebookCell[];
  readonly deletedExperiments: readonly DeletedExperiment[];
}

export function emptyNotebook(title: string): Notebook {
  return { version: 1, title, cells: [], deletedExperiments: [] };
}

export function cellOf(notebook: Notebook, id: string): NotebookCell | undefined {
  return notebook.cells.find((cell) => cell.id === id);
}

export function isExperimentCell(cell: NotebookCell): cell is ExperimentCell {
  return cell.kind === 'experiment';
}

export function experimentCells({ cells }: Notebook): readonly ExperimentCell[] {
  return cells.filter(isExperimentCell);
}
