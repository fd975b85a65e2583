import type { MetricKey } from '../../metrics/catalog';
import type {
  ChartCell,
  ClaimCell,
  ComparisonCell,
  ExperimentCell,
  MicroscopeCell,
  RolloutsCell,
  TextCell,
} from '../cells';
import type { ClaimQuantity, ClaimStatement } from '../claimCell';
import type { ExperimentSpec } from '../../config/experimentSpec';

/** Cells with the looks that the notebooks of the gallery share. */

/** Markdown as it stands, so that TeX keeps its backslashes; a backtick is written with one before it. */
export function prose(written: TemplateStringsArray): string {
  return written.raw.join('').replaceAll('\\`', '`');
}

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

/** The first group that the first seed learned from. */
export function microscope(
  [id, shown]: readonly [id: string, experiment: string],
  arm: string,
): MicroscopeCell {
  return { id, kind: 'microscope', experiment: shown, iteration: 1, taskGroup: 0, arm, seed: 0 };
}

export function rollouts(
  [id, shown]: readonly [id: string, experiment: string],
  filters: Partial<Pick<RolloutsCell, 'outcome' | 'agent' | 'arm' | 'seed'>> = {},
): RolloutsCell {
  return {
    id,
    kind: 'rollouts',
    experiment: shown,
    outcome: 'any',
    agent: null,
    arm: null,
    seed: null,
    iteration: 'latest',
    ...filters,
  };
}

/** A number of the runs: `agentWise.search.gradNorm.peak`. */
export function quantity(
  arm: string,
  agent: string,
  metric: MetricKey,
  statistic: ClaimQuantity['statistic'],
): ClaimQuantity {
  return { kind: 'quantity', arm, agent, metric, statistic };
}

export function claim(
  [id, shown]: readonly [id: string, experiment: string],
  left: ClaimQuantity,
  relation: ClaimStatement['relation'],
  /** What it is compared with, and the seeds in which that must hold. */
  { right, inAtLeast }: { readonly right: ClaimQuantity | number; readonly inAtLeast: number },
): ClaimCell {
  const compared =
    typeof right === 'number' ? ({ kind: 'constant', value: right } as const) : right;
  return {
    id,
    kind: 'claim',
    experiment: shown,
    statement: { kind: 'compare', left, relation, right: compared, inAtLeast },
  };
}
