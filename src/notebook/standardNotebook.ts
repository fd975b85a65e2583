import type { ExperimentSpec } from '../config/experimentSpec';
import { canonicalJson } from '../config/specHash';
import type { MetricKey } from '../metrics/catalog';
import type { ChartCell, NotebookCell } from './cells';
import type { Notebook } from './notebook';

/** Id of the experiment cell of a standard notebook. */
export const standardExperiment = 'main';

const experiment = standardExperiment;

type Looks = Pick<ChartCell, 'yScale' | 'width' | 'height'>;

function chart(id: string, metrics: readonly MetricKey[], looks: Looks): ChartCell {
  return {
    id,
    kind: 'chart',
    experiment,
    metrics: [...metrics],
    agents: 'all',
    x: { kind: 'iteration' },
    smoothing: 0,
    band: 'minMax',
    hasOutlierClip: false,
    pairedBaseline: null,
    ...looks,
  };
}

const height = 140;

/** The effect beside its cause: norms per agent over success and the second moment that explains the norms; then the arms. */
const cells: readonly NotebookCell[] = [
  chart('norms', ['gradNorm'], { yScale: 'log', width: 'full', height: 150 }),
  chart('success', ['success'], { yScale: 'linear', width: 'third', height }),
  chart('moment', ['advSecondMoment', 'advSecondMomentPredicted'], {
    yScale: 'log',
    width: 'twoThirds',
    height,
  }),
  {
    id: 'arms',
    kind: 'comparison',
    experiment,
    metric: null,
    agents: 'all',
    baseline: null,
    statistics: ['last', 'best', 'peak', 'spikes', 'seeds'],
  },
  chart('entropy', ['entropy'], { yScale: 'linear', width: 'full', height }),
  chart('kl', ['approxKl'], { yScale: 'log', width: 'full', height }),
  chart('clip', ['clipFraction'], { yScale: 'linear', width: 'full', height }),
  {
    id: 'episodes',
    kind: 'rollouts',
    experiment,
    outcome: 'any',
    agent: null,
    arm: null,
    seed: null,
    iteration: 'latest',
  },
];

/** One experiment with the cells that most experiments want, as a preset or a bare specification is opened. */
export function standardNotebook(spec: ExperimentSpec): Notebook {
  return {
    version: 1,
    // The page then shows the title of the experiment, whatever becomes of it.
    title: '',
    cells: [{ id: experiment, kind: 'experiment', spec }, ...cells],
    deletedExperiments: [],
  };
}

/** The specification of a notebook that says nothing more than its experiment; null for every other. */
export function standardSpecOf(notebook: Notebook): ExperimentSpec | null {
  const [head] = notebook.cells;
  if (head?.kind !== 'experiment' || head.id !== experiment) return null;
  const { spec } = head;
  return canonicalJson(notebook) === canonicalJson(standardNotebook(spec)) ? spec : null;
}
