import type { MetricKey } from '../../../metrics/catalog';
import { counterUniform } from '../../../metrics/counterUniform';
import { appendRows, type RunSeries } from '../../../metrics/runSeries';
import { aggregateLines } from '../aggregateLines';
import { panelModel, type ChartLine, type PanelModel } from '../chartModel';
import type { ChartView } from '../chartView';
import { panelAxis } from '../panelAxis';

/** Panels of made-up norms, as the chart makes them. */

export const plainView: ChartView = {
  x: { kind: 'iteration' },
  yScale: 'log',
  smoothing: 0,
  band: 'minMax',
  hasOutlierClip: false,
  pairedBaseline: null,
  zoom: null,
};

export interface Wanted {
  readonly arms: readonly string[];
  readonly seeds: readonly number[];
  readonly metrics: readonly MetricKey[];
  readonly axisAgents: readonly string[];
  readonly axisValues: readonly number[];
  readonly view: Partial<ChartView>;
}

export const wanted: Wanted = {
  arms: ['global'],
  seeds: [0, 1],
  metrics: ['gradNorm'],
  axisAgents: ['search'],
  axisValues: [],
  view: {},
};

/** The panel of `search`, as the chart makes it. */
export function modelOf(series: RunSeries, change: Partial<Wanted> = {}): PanelModel {
  const { arms, seeds, metrics, axisAgents, axisValues, ...rest } = {
    ...wanted,
    ...change,
  };
  const own = { ...plainView, ...rest.view };
  const linesOf = (agent: string) =>
    aggregateLines(
      series,
      { arms, seeds, agent, allAgents: ['search', 'answer'], metrics, view: own },
      counterUniform(0),
    );
  const axis = panelAxis(axisAgents.flatMap(linesOf), own, axisValues);
  const request = { seeds, agent: 'search', axisValues, view: own };
  return panelModel(series, linesOf('search'), request, axis);
}

/** Norms of one seed, iteration 1, 2, …; undefined = not logged. */
export function log(
  series: RunSeries,
  seed: number,
  norms: readonly (number | undefined)[],
  agent = 'search',
): RunSeries {
  return appendRows(
    series,
    norms.map((gradNorm, index) => ({
      arm: 'global',
      seed,
      agent,
      iteration: index + 1,
      values: gradNorm === undefined ? {} : { gradNorm },
    })),
  );
}

/** The first line of the panel. */
export function lineOf(series: RunSeries, change: Partial<Wanted> = {}): ChartLine {
  return modelOf(series, change).lines[0]!;
}

/** As `log`, for an arm of its own. */
export function logArm(
  series: RunSeries,
  arm: string,
  seed: number,
  norms: readonly number[],
): RunSeries {
  return appendRows(
    series,
    norms.map((gradNorm, index) => ({
      arm,
      seed,
      agent: 'search',
      iteration: index + 1,
      values: { gradNorm },
    })),
  );
}
