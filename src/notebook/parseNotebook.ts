import { plainCopy } from '../config/plainData';
import { firstIssues, shown, toSpecIssues } from '../config/issueMessages';
import type { SpecIssue } from '../config/specIssue';
import type { NotebookCell } from './cells';
import { maxCells, notebookFrameSchema, type Notebook } from './notebook';
import { nearestName } from './nearestName';
import { parseCell } from './parseCell';

export type ParsedNotebook =
  | { readonly ok: true; readonly notebook: Notebook }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/**
 * Unknown data (from a file, a link or storage) to a notebook, or what is wrong with it, at most some fifty issues; then nothing
 * of it is loaded. The result is fresh plain data that shares nothing with `data`. Never throws on data as JSON can hold it.
 */
export function parseNotebook(data: unknown): ParsedNotebook {
  const { copy, issues: foreign } = plainCopy(data);
  if (foreign.length > 0) return { ok: false, issues: firstIssues(foreign) };
  const frame = notebookFrameSchema.safeParse(copy);
  const frameIssues = frame.success ? [] : toSpecIssues(frame.error.issues, copy);
  const parsed = cellsIn(copy).map((cell, i) => parseCell(cell, `cells.${i}`));
  const issues = [...frameIssues, ...parsed.flatMap((cell) => (cell.ok ? [] : cell.issues))];
  if (!frame.success || issues.length > 0) return { ok: false, issues: firstIssues(issues) };
  const cells = parsed.flatMap((cell) => (cell.ok ? [cell.cell] : []));
  const notebook: Notebook = { ...frame.data, cells };
  const betweenCells = notebookIssues(notebook);
  return betweenCells.length > 0
    ? { ok: false, issues: firstIssues(betweenCells) }
    : { ok: true, notebook };
}

/** Cells worth looking at, also when the frame is wrong: everything that is wrong is said at once. */
function cellsIn(data: unknown): readonly unknown[] {
  const cells: unknown =
    typeof data === 'object' && data !== null ? Reflect.get(data, 'cells') : [];
  return Array.isArray(cells) ? cells.slice(0, maxCells) : [];
}

/** Rules between the parts of a notebook whose parts are valid one by one. */
export function notebookIssues(notebook: Notebook): readonly SpecIssue[] {
  return [...countIssues(notebook), ...repeatedIds(notebook), ...referenceIssues(notebook)];
}

function countIssues({ cells, deletedExperiments }: Notebook): readonly SpecIssue[] {
  return Object.entries({ cells, deletedExperiments })
    .filter(([, { length }]) => length > maxCells)
    .map(([path, { length }]) => ({
      path,
      message: `A list of ${length} came, expected ${maxCells} or fewer entries.`,
    }));
}

function repeatedIds({ cells, deletedExperiments }: Notebook): readonly SpecIssue[] {
  const places = [
    ...cells.map(({ id }, i) => ({ id, place: `cells.${i}` })),
    ...deletedExperiments.map(({ id }, i) => ({ id, place: `deletedExperiments.${i}` })),
  ];
  const first = new Map(places.toReversed().map(({ id, place }) => [id, place]));
  return places
    .filter(({ id, place }) => first.get(id) !== place)
    .map(({ id, place }) => ({
      path: `${place}.id`,
      message: `${shown(id)} came twice (also in ${first.get(id)}): every one must be different.`,
    }));
}

function referenceIssues(notebook: Notebook): readonly SpecIssue[] {
  const kinds = new Map(notebook.cells.map(({ id, kind }) => [id, kind]));
  const deleted = new Set(notebook.deletedExperiments.map(({ id }) => id));
  const experiments = [...kinds].filter(([, kind]) => kind === 'experiment').map(([id]) => id);
  return notebook.cells.flatMap((cell, i) => {
    const experiment = referenceIn(cell);
    if (experiment === null || deleted.has(experiment)) return [];
    const kind = kinds.get(experiment);
    if (kind === 'experiment') return [];
    const what = kind === undefined ? 'no cell has that id' : `that is a ${kind} cell`;
    const message = `${shown(experiment)} came, but ${what}: ${expectedReference(experiment, experiments)}.`;
    return [{ path: `cells.${i}.experiment`, message }];
  });
}

/** Texts are free: what they cite and nobody has is shown in place, so it refuses no notebook. */
function referenceIn(cell: NotebookCell): string | null {
  return cell.kind === 'text' || cell.kind === 'experiment' ? null : cell.experiment;
}

function expectedReference(wanted: string, experiments: readonly string[]): string {
  const nearest = nearestName(wanted, experiments);
  return nearest === undefined
    ? 'expected the id of an experiment cell, and there is none; add one'
    : `expected the id of an experiment cell, the nearest is ${nearest}`;
}
