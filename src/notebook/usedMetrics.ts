import type { MetricKey } from '../metrics/catalog';
import type { ChartCell, NotebookCell } from './cells';
import { parseText } from './liveText';
import type { Notebook } from './notebook';

/** What a run is asked for first, whatever its notebook shows: how it went, what its spikes and collapses are counted from, and who was called. */
const always: readonly MetricKey[] = [
  'gradNorm',
  'success',
  'evalSuccess',
  'collapsed',
  'numTurns',
];

/** The metrics that the cells, texts and claims of a notebook read from the runs of one experiment, and those that always count. */
export function usedMetrics(notebook: Notebook, experiment: string): ReadonlySet<MetricKey> {
  const used = notebook.cells.flatMap((cell) => metricsReadBy(cell, experiment));
  return new Set([...always, ...used]);
}

function metricsReadBy(cell: NotebookCell, experiment: string): readonly MetricKey[] {
  if (cell.kind === 'text') return metricsCited(cell.source, experiment);
  if (cell.kind === 'experiment' || cell.experiment !== experiment) return [];
  switch (cell.kind) {
    case 'chart':
      return [...cell.metrics, ...metricsOfAxis(cell.x)];
    case 'comparison':
      return cell.metric === null ? [] : [cell.metric];
    case 'claim': {
      const { left, right } = cell.statement;
      return right.kind === 'quantity' ? [left.metric, right.metric] : [left.metric];
    }
    case 'microscope':
    case 'rollouts':
      return [];
  }
}

function metricsOfAxis(x: ChartCell['x']): readonly MetricKey[] {
  switch (x.kind) {
    case 'tokens':
      return ['tokenCount'];
    case 'environmentSteps':
      return ['numTurns'];
    case 'metric':
      return [x.metric];
    case 'iteration':
    case 'wallTime':
      return [];
  }
}

function metricsCited(source: string, experiment: string): readonly MetricKey[] {
  return parseText(source).flatMap((part) =>
    part.kind === 'reference' &&
    part.reference.kind === 'metric' &&
    part.reference.experiment === experiment
      ? [part.reference.metric]
      : [],
  );
}
