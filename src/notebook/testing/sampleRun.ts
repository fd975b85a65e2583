import type { MetricKey } from '../../metrics/catalog';
import { appendRows, createRunSeries, type RunSeries } from '../../metrics/runSeries';
import type { ExperimentRun } from '../runSummaries';
import { cellAs, sampleNotebook } from './sampleNotebook';

/** Values of one line, iteration by iteration from 1 on. */
export interface LoggedLine {
  readonly arm: string;
  readonly seed: number;
  readonly agent: string;
  readonly metric: MetricKey;
  readonly values: readonly number[];
}

export function log(series: RunSeries, lines: readonly LoggedLine[]): RunSeries {
  for (const { arm, seed, agent, metric, values } of lines)
    appendRows(
      series,
      values.map((value, index) => ({
        arm,
        seed,
        agent,
        iteration: index + 1,
        values: { [metric]: value },
      })),
    );
  return series;
}

/** Last values 0.4, 0.2, 0.3 and 0.9, 0.1, none; norms with a spike in seed 0 and a NaN in seed 1. */
const lines: readonly LoggedLine[] = [
  { arm: 'global', seed: 0, agent: 'team', metric: 'success', values: [0.1, 0.4] },
  { arm: 'global', seed: 1, agent: 'team', metric: 'success', values: [0.9, 0.2] },
  { arm: 'global', seed: 2, agent: 'team', metric: 'success', values: [0.3, 0.3] },
  { arm: 'agentWise', seed: 0, agent: 'team', metric: 'success', values: [0.5, 0.9] },
  { arm: 'agentWise', seed: 1, agent: 'team', metric: 'success', values: [0.2, 0.1] },
  { arm: 'agentWise', seed: 2, agent: 'team', metric: 'success', values: [NaN, NaN] },
  { arm: 'global', seed: 0, agent: 'search', metric: 'gradNorm', values: [1, 1, 1, 1, 1, 9] },
  { arm: 'global', seed: 1, agent: 'search', metric: 'gradNorm', values: [2, NaN] },
  { arm: 'global', seed: 1, agent: 'router', metric: 'collapsed', values: [0, 1] },
  { arm: 'global', seed: 0, agent: 'router', metric: 'entropy', values: [2, 1.5] },
];

/** A run of `e1` of the sample notebook with arms `global` and `agentWise` and seeds 0, 1, 2. */
export function sampleRun(): ExperimentRun {
  const { spec } = cellAs(sampleNotebook(), 'e1', 'experiment');
  return {
    series: log(createRunSeries(), lines),
    spec: { ...spec, seeds: [0, 1, 2], iterations: 2 },
  };
}
