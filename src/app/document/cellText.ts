import type { CellKind, NotebookCell } from '../../notebook/cells';
import { metricCatalog } from '../../metrics/catalog';
import { metricsTitle } from '../charts/metricTexts';

/** Kinds of cells in words. */
export const kindNames: Readonly<Record<CellKind, string>> = {
  text: 'Text',
  experiment: 'Experiment',
  chart: 'Chart',
  comparison: 'Comparison',
  microscope: 'Advantage microscope',
  rollouts: 'Rollouts',
  claim: 'Claim',
};

/** What each kind is for, where one is chosen. */
export const kindPurposes: Readonly<Record<CellKind, string>> = {
  text: 'Markdown with formulas and numbers that follow the runs',
  experiment: 'a configuration with its arms, seeds and runs',
  chart: 'metrics over the course of the runs',
  comparison: 'the arms side by side, with intervals over seeds',
  microscope: 'one group’s rewards and what each normalizer makes of them',
  rollouts: 'episodes, turn by turn',
  claim: 'a statement about the runs, and whether it holds',
};

/** First line of a text that says something, without its marks of Markdown. */
function firstLine(source: string): string {
  const line = source
    .split('\n')
    .map((text) => text.replace(/^[#>\s-]+|[*`]/g, '').trim())
    .find((text) => text !== '');
  return line ?? 'empty';
}

const longestName = 60;

/** What a cell is about in a few words: for the outline and for screen readers. */
export function cellTitle(cell: NotebookCell): string {
  switch (cell.kind) {
    case 'text': {
      const line = firstLine(cell.source);
      return line.length > longestName ? `${line.slice(0, longestName)}…` : line;
    }
    case 'experiment':
      return cell.spec.title === '' ? 'Untitled experiment' : cell.spec.title;
    case 'chart':
      return metricsTitle(cell.metrics);
    case 'comparison':
      return cell.metric === null ? 'The arms at a glance' : metricCatalog[cell.metric].label;
    case 'microscope':
      return `${cell.arm}, seed ${cell.seed}, iteration ${cell.iteration}`;
    case 'rollouts':
      return cell.outcome === 'any' ? 'Episodes' : `Episodes, ${cell.outcome}`;
    case 'claim':
      return `${metricCatalog[cell.statement.left.metric].label} of ${cell.statement.left.arm}`;
  }
}

/** `Chart cell: Gradient norm` */
export function cellLabel(cell: NotebookCell): string {
  return `${kindNames[cell.kind]} cell: ${cellTitle(cell)}`;
}
