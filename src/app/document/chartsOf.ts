import type { ChartCell } from '../../notebook/cells';
import type { Notebook } from '../../notebook/notebook';

function isChart(cell: Notebook['cells'][number]): cell is ChartCell {
  return cell.kind === 'chart';
}

/** The chart cells that show an experiment, in the order of the document. */
export function chartsOf({ cells }: Notebook, experiment: string): readonly ChartCell[] {
  return cells.filter(isChart).filter((cell) => cell.experiment === experiment);
}
