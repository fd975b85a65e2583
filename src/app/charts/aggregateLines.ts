import { seedBand, seedInterval, type SeedBand } from '../../metrics/bands';
import type { MetricKey } from '../../metrics/catalog';
import { median } from '../../metrics/median';
import { pairedDifference } from '../../metrics/pairedDifference';
import type { Interval } from '../../metrics/percentileInterval';
import { points, teamId, type RunSeries, type SeriesPoints } from '../../metrics/runSeries';
import { smoothed } from '../../metrics/smoothing';
import type { ChartView } from './chartView';

/**
 * From what was logged to what a chart could draw at full length, in this order: the difference to the baseline, smoothing, then the
 * seeds together. Thinning comes after, so that no result depends on how many points are drawn.
 */

export interface LinesRequest {
  readonly arms: readonly string[];
  readonly seeds: readonly number[];
  /** Agent id, or `team`. */
  readonly agent: string;
  /** All agents of the experiment, for axes that count what all of them did. */
  readonly allAgents: readonly string[];
  readonly metrics: readonly MetricKey[];
  readonly view: Pick<ChartView, 'smoothing' | 'seedsShown' | 'baseline' | 'xAxis'>;
}

/** One arm's metric, all seeds. */
export interface AggregatedLine {
  readonly arm: string;
  readonly armIndex: number;
  readonly metric: MetricKey;
  /** Centre: median, or mean where the interval is around a mean. */
  readonly band: SeedBand;
  /** [n] place of each iteration of `band` on the x axis, not decreasing; NaN where the x axis has no value. */
  readonly x: Float64Array;
  /** Interval over the seeds in a row of `band`; null for fewer than two. */
  readonly intervalAt: (row: number) => Interval | null;
  /** The interval can reach beyond the smallest and the largest seed. */
  readonly isWiderThanSeeds: boolean;
  /** Centre before smoothing; null where nothing is smoothed. */
  readonly raw: SeedBand | null;
  /** Every seed by itself; empty unless seeds are shown. */
  readonly seeds: readonly SeriesPoints[];
  /** Every seed before smoothing. */
  readonly logged: readonly SeriesPoints[];
}

function centerKind({ seedsShown }: LinesRequest['view']): 'median' | 'mean' {
  return seedsShown === 'minMax' || seedsShown === 'seeds' ? 'median' : 'mean';
}

function loggedLines(
  series: RunSeries,
  { seeds, agent, view }: LinesRequest,
  arm: string,
  metric: MetricKey,
): SeriesPoints[] {
  return seeds.map((seed) => {
    const line = points(series, { arm, seed, agent, metric });
    if (view.baseline === null) return line;
    return pairedDifference(line, points(series, { arm: view.baseline, seed, agent, metric }));
  });
}

/** Cumulative turns of all agents, iteration by iteration. */
function turnsOf(
  series: RunSeries,
  arm: string,
  seed: number,
  agents: readonly string[],
): SeriesPoints {
  const lines = agents.map((agent) => points(series, { arm, seed, agent, metric: 'numTurns' }));
  const all = seedBand(lines, 'mean');
  let total = 0;
  const values = all.center.map((mean, row) => {
    const turns = mean * all.numSeeds[row]!;
    total += Number.isFinite(turns) ? turns : 0;
    return total;
  });
  return { iterations: all.iterations, values };
}

/** [n] x of each iteration: the median over the seeds that have one. */
function xOf(
  series: RunSeries,
  request: LinesRequest,
  arm: string,
  iterations: Int32Array,
): Float64Array {
  const { seeds, allAgents, view } = request;
  if (view.xAxis === 'iteration') return Float64Array.from(iterations);
  const lines = seeds.map((seed) =>
    view.xAxis === 'tokens'
      ? points(series, { arm, seed, agent: teamId, metric: 'tokenCount' })
      : turnsOf(series, arm, seed, allAgents),
  );
  const next = lines.map(() => 0);
  return Float64Array.from(iterations, (iteration) => {
    // The state after the warm start: nothing has been learned from yet.
    if (iteration === 0) return 0;
    const found = lines.flatMap((line, index) => {
      while (line.iterations[next[index]!]! < iteration) next[index]! += 1;
      return line.iterations[next[index]!] === iteration ? [line.values[next[index]!]!] : [];
    });
    return found.length === 0 ? NaN : median(found);
  });
}

/** Finite values of all lines in one iteration. */
function valuesAt(lines: readonly SeriesPoints[], iteration: number): number[] {
  return lines.flatMap(({ iterations, values }) => {
    const position = indexOf(iterations, iteration);
    const value = position < 0 ? NaN : values[position]!;
    return Number.isFinite(value) ? [value] : [];
  });
}

/** Usually the iteration stands at its own number. */
function indexOf(iterations: Int32Array, iteration: number): number {
  const guess = iteration - iterations[0]!;
  return iterations[guess] === iteration ? guess : iterations.indexOf(iteration);
}

function intervals(
  lines: readonly SeriesPoints[],
  band: SeedBand,
  { seedsShown }: LinesRequest['view'],
  uniform: (counter: number) => number,
): AggregatedLine['intervalAt'] {
  if (seedsShown === 'minMax' || seedsShown === 'seeds')
    return (row) =>
      band.numSeeds[row]! < 2 ? null : { low: band.low[row]!, high: band.high[row]! };
  const known = new Map<number, Interval | null>();
  return (row) => {
    const before = known.get(row);
    if (before !== undefined) return before;
    const interval = seedInterval(valuesAt(lines, band.iterations[row]!), seedsShown, uniform);
    known.set(row, interval);
    return interval;
  };
}

/** Lines of a series as it last was. Panels of a chart share an axis, so each asks for the lines of all. */
interface Remembered {
  revision: number;
  readonly lines: Map<string, readonly AggregatedLine[]>;
}

const remembered = new WeakMap<RunSeries, Remembered>();

/**
 * All lines of the request, at full length; worked out once for each state of the series.
 * @param uniform counter → [0, 1), for bootstrap intervals: the same numbers in every row, so that bands do not flicker
 */
export function aggregateLines(
  series: RunSeries,
  request: LinesRequest,
  uniform: (counter: number) => number,
): readonly AggregatedLine[] {
  const known = remembered.get(series);
  const isCurrent = known?.revision === series.revision;
  const { lines } = isCurrent ? known : { lines: new Map<string, readonly AggregatedLine[]>() };
  if (!isCurrent) remembered.set(series, { revision: series.revision, lines });
  const { smoothing, seedsShown, baseline, xAxis } = request.view;
  const key = JSON.stringify({ ...request, view: { smoothing, seedsShown, baseline, xAxis } });
  const found = lines.get(key) ?? aggregated(series, request, uniform);
  lines.set(key, found);
  return found;
}

function aggregated(
  series: RunSeries,
  request: LinesRequest,
  uniform: (counter: number) => number,
): AggregatedLine[] {
  const { arms, metrics, view } = request;
  const center = centerKind(view);
  return metrics.flatMap((metric) =>
    arms.flatMap((arm, armIndex): AggregatedLine[] => {
      if (arm === view.baseline) return [];
      const logged = loggedLines(series, request, arm, metric);
      const lines =
        view.smoothing === 0
          ? logged
          : logged.map((line) => ({ ...line, values: smoothed(line.values, view.smoothing) }));
      const band = seedBand(lines, center);
      return [
        {
          arm,
          armIndex,
          metric,
          band,
          x: xOf(series, request, arm, band.iterations),
          intervalAt: intervals(lines, band, view, uniform),
          isWiderThanSeeds: view.seedsShown === 'std',
          raw: view.smoothing === 0 ? null : seedBand(logged, center),
          seeds: view.seedsShown === 'seeds' ? lines : [],
          logged,
        },
      ];
    }),
  );
}
