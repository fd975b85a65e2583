import { bandLike, positionOf, seedBand, seedInterval, type SeedBand } from '../../metrics/bands';
import type { MetricKey } from '../../metrics/catalog';
import { breaksIn } from '../../metrics/gaps';
import { pairedDifference } from '../../metrics/pairedDifference';
import type { Interval } from '../../metrics/percentileInterval';
import { points, type RunSeries, type SeriesPoints } from '../../metrics/runSeries';
import { smoothInPlace } from '../../metrics/smoothing';
import { centerName, type ChartView } from './chartView';
import { linePlaces, type LinePlaces } from './linePlaces';

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
  readonly view: Pick<ChartView, 'x' | 'smoothing' | 'band' | 'pairedBaseline'>;
}

/** One arm's metric, all seeds. */
export interface AggregatedLine extends LinePlaces {
  readonly arm: string;
  readonly armIndex: number;
  readonly metric: MetricKey;
  /** Centre: median, or mean where the interval is around a mean. */
  readonly band: SeedBand;
  /** Rows of `band` before which the line is broken. */
  readonly breaks: readonly number[];
  /** Interval over the seeds in a row of `band`; null for fewer than two. */
  readonly intervalAt: (row: number) => Interval | null;
  /** The interval can reach beyond the smallest and the largest seed. */
  readonly isWiderThanSeeds: boolean;
  /** Before smoothing; null where nothing is smoothed. */
  readonly raw: SeedBand | null;
  /** Every seed by itself; empty unless seeds are shown. */
  readonly seeds: readonly SeriesPoints[];
  /** Every seed before smoothing. */
  readonly logged: readonly SeriesPoints[];
  /** Finite logged values ≤ 0. */
  readonly numNotPositive: number;
}

function loggedLines(
  series: RunSeries,
  { seeds, agent, view }: LinesRequest,
  arm: string,
  metric: MetricKey,
): SeriesPoints[] {
  return seeds.map((seed) => {
    const line = points(series, { arm, seed, agent, metric });
    if (view.pairedBaseline === null) return line;
    return pairedDifference(
      line,
      points(series, { arm: view.pairedBaseline, seed, agent, metric }),
    );
  });
}

/** Finite values of all lines in one iteration. */
function valuesAt(lines: readonly SeriesPoints[], iteration: number): number[] {
  return lines.flatMap(({ iterations, values }) => {
    const position = positionOf(iterations, iteration);
    const value = position < 0 ? NaN : values[position]!;
    return Number.isFinite(value) ? [value] : [];
  });
}

function intervals(
  lines: readonly SeriesPoints[],
  seeds: SeedBand,
  { band }: LinesRequest['view'],
  uniform: (counter: number) => number,
): AggregatedLine['intervalAt'] {
  if (band === 'minMax' || band === 'seeds')
    return (row) =>
      seeds.numSeeds[row]! < 2 ? null : { low: seeds.low[row]!, high: seeds.high[row]! };
  const known = new Map<number, Interval | null>();
  return (row) => {
    const before = known.get(row);
    if (before !== undefined) return before;
    const interval = seedInterval(valuesAt(lines, seeds.iterations[row]!), band, uniform);
    known.set(row, interval);
    return interval;
  };
}

/** Lines of a series as it last was, the ones asked for last at the end. Panels of a chart share an axis, so each asks for the lines of all. */
interface Remembered {
  revision: number;
  readonly lines: Map<string, readonly AggregatedLine[]>;
}

const remembered = new WeakMap<RunSeries, Remembered>();

/** As many as the panels of a long page ask for; what was looked at in between and is on no chart any more goes first. */
const maxRemembered = 48;

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
  const { x, smoothing, band, pairedBaseline } = request.view;
  const key = JSON.stringify({ ...request, view: { x, smoothing, band, pairedBaseline } });
  const found = lines.get(key) ?? aggregated(series, request, uniform);
  lines.delete(key);
  lines.set(key, found);
  if (lines.size > maxRemembered) lines.delete(lines.keys().next().value!);
  return found;
}

function aggregated(
  series: RunSeries,
  request: LinesRequest,
  uniform: (counter: number) => number,
): readonly AggregatedLine[] {
  const { view } = request;
  if (view.smoothing === 0) return loggedAggregates(series, request, uniform);
  // Of a smoothed line most is as it was: the slider works out what it changes and no more.
  const raw = aggregateLines(series, { ...request, view: { ...view, smoothing: 0 } }, uniform);
  return raw.map((line) => smoothedLine(line, view, uniform));
}

/** Lines that are needed only until they are one band: new memory for each would cost as much as the smoothing. */
const passing: Float64Array[] = [];

function passingCopy(values: Float64Array, index: number): Float64Array {
  if ((passing[index]?.length ?? 0) < values.length)
    passing[index] = new Float64Array(2 * values.length);
  const copy = passing[index]!.subarray(0, values.length);
  copy.set(values);
  return copy;
}

function smoothedLine(
  line: AggregatedLine,
  view: LinesRequest['view'],
  uniform: (counter: number) => number,
): AggregatedLine {
  const { logged, band: raw } = line;
  const arePassing = view.band === 'minMax';
  const lines = logged.map(({ iterations, values }, index) => {
    const copy = arePassing ? passingCopy(values, index) : values.slice();
    smoothInPlace(copy, view.smoothing);
    return { iterations, values: copy };
  });
  const band = bandLike(raw, lines, centerName(view.band));
  return { ...line, raw, ...together(band, lines, view, uniform) };
}

type SeedsTogether = Pick<AggregatedLine, 'band' | 'intervalAt' | 'seeds'>;

function together(
  band: SeedBand,
  lines: readonly SeriesPoints[],
  view: LinesRequest['view'],
  uniform: (counter: number) => number,
): SeedsTogether {
  return {
    band,
    intervalAt: intervals(lines, band, view, uniform),
    seeds: view.band === 'seeds' ? lines : [],
  };
}

function loggedAggregates(
  series: RunSeries,
  request: LinesRequest,
  uniform: (counter: number) => number,
): AggregatedLine[] {
  const { arms, metrics, view } = request;
  return metrics.flatMap((metric) =>
    arms.flatMap((arm, armIndex): AggregatedLine[] => {
      if (arm === view.pairedBaseline) return [];
      const logged = loggedLines(series, request, arm, metric);
      const band = seedBand(logged, centerName(view.band));
      const { iterations } = band;
      const places = { ...request, arm, x: view.x, center: centerName(view.band) };
      return [
        {
          arm,
          armIndex,
          metric,
          ...together(band, logged, view, uniform),
          ...linePlaces(series, places, iterations, logged),
          breaks: breaksIn(iterations),
          isWiderThanSeeds: view.band === 'std',
          raw: null,
          logged,
          numNotPositive: logged.reduce((sum, line) => sum + numNotPositive(line), 0),
        },
      ];
    }),
  );
}

function numNotPositive({ values }: SeriesPoints): number {
  let count = 0;
  for (const value of values) if (value <= 0 && value !== -Infinity) count += 1;
  return count;
}
