import { addCell, changeCell, type Edited } from '../editing';
import type { NotebookCell, CellKind } from '../cells';
import { cellOf, emptyNotebook, type Notebook } from '../notebook';

/** The notebook of an edit that a test counts on. Throws what was wrong otherwise. */
export function edited(result: Edited): Notebook {
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.notebook;
}

/** The cell that a test counts on, of the kind it counts on. */
export function cellAs<K extends CellKind>(
  notebook: Notebook,
  id: string,
  kind: K,
): Extract<NotebookCell, { kind: K }> {
  const cell = cellOf(notebook, id);
  const isOfKind = (found: NotebookCell): found is Extract<NotebookCell, { kind: K }> =>
    found.kind === kind;
  if (cell === undefined || !isOfKind(cell)) throw new Error(`${id} is no ${kind} cell.`);
  return cell;
}

const order = [
  ['intro', 'text'],
  ['e1', 'experiment'],
  ['chart', 'chart'],
  ['table', 'comparison'],
  ['lens', 'microscope'],
  ['turns', 'rollouts'],
  ['claim', 'claim'],
  ['e2', 'experiment'],
  ['chart2', 'chart'],
] as const;

/**
 * One cell of every kind, with the content of a new one, and a second experiment `e2` with the chart `chart2`. The text `intro`
 * cites the first experiment, `e1`.
 */
export function sampleNotebook(): Notebook {
  const notebook = order.reduce<Notebook>(
    (current, [id, kind], at) => edited(addCell(current, { id, kind, at })),
    emptyNotebook('Sample'),
  );
  const source = 'Spikes: {{e1.global.spikes}}, success {{e1.agentWise.team.success.last}}.';
  return edited(changeCell(notebook, { id: 'intro', kind: 'text', source }));
}
