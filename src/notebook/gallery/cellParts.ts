import type { MetricKey } from '../../metrics/catalog';
import type { ChartCell, ComparisonCell, ExperimentCell, RolloutsCell, TextCell } from '../cells';
import type { ExperimentSpec } from '../../config/experimentSpec';

/** Cells with the looks that the notebooks of the gallery share. */

export function text(id: string, source: string): TextCell {
  return { id, kind: 'text', source };
}

export function experiment(id: string, spec: ExperimentSpec): ExperimentCell {
  return { id, kind: 'experiment', spec };
}

/** What is particular to a chart: its agents, scale, width and the like. */
type ChartLooks = Partial<Omit<ChartCell, 'id' | 'kind' | 'experiment' | 'metrics'>>;

export function chart(
  [id, shown]: readonly [id: string, experiment: string],
  metrics: readonly MetricKey[],
  looks: ChartLooks = {},
): ChartCell {
  return {
    id,
    kind: 'chart',
    experiment: shown,
    metrics: [...metrics],
    agents: 'all',
    x: { kind: 'iteration' },
    yScale: 'linear',
    smoothing: 0,
    band: 'minMax',
    hasOutlierClip: false,
    pairedBaseline: null,
    height: 140,
    width: 'half',
    ...looks,
  };
}

export function comparison(
  [id, shown]: readonly [id: string, experiment: string],
  settings: Partial<Pick<ComparisonCell, 'metric' | 'agents' | 'baseline' | 'statistics'>> = {},
): ComparisonCell {
  return {
    id,
    kind: 'comparison',
    experiment: shown,
    metric: null,
    agents: 'all',
    baseline: null,
    statistics: ['last', 'best', 'peak', 'spikes', 'seeds'],
    ...settings,
  };
}

export function rollouts(
  [id, shown]: readonly [id: string, experiment: string],
  filters: Partial<Pick<RolloutsCell, 'success' | 'agent' | 'arm'>> = {},
): RolloutsCell {
  return {
    id,
    kind: 'rollouts',
    experiment: shown,
    success: 'any',
    agent: null,
    arm: null,
    iteration: null,
    compareIteration: null,
    ...filters,
  };
}
