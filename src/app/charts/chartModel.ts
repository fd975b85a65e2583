import { axisOver, isDrawable, type Axis, type AxisScale } from '../../metrics/axis';
import { seedBand, type SeedBand } from '../../metrics/bands';
import type { MetricKey } from '../../metrics/catalog';
import { drawnPositions } from '../../metrics/downsample';
import { breaksIn } from '../../metrics/gaps';
import { points, type RunSeries, type SeriesPoints } from '../../metrics/runSeries';
import { spikePositions } from '../../metrics/spikes';

/** Everything a panel draws, made from the series by plain functions; the components only place it. */

/** What one panel shows: one line per arm and metric, with a band over the seeds. */
export interface PanelRequest {
  readonly arms: readonly string[];
  readonly seeds: readonly number[];
  /** Agent id, or `team`. */
  readonly agent: string;
  readonly metrics: readonly MetricKey[];
  readonly scale: AxisScale;
  /** Mark spikes (metrics/spikes) of the first metric. */
  readonly hasSpikeMarks: boolean;
  /** Agents whose values the y axis has to hold: all panels of a chart share one axis. */
  readonly axisAgents: readonly string[];
  /** Further values that the y axis has to hold: bounds. */
  readonly axisValues: readonly number[];
}

export interface LinePoint {
  readonly iteration: number;
  /** null breaks the line. */
  readonly center: number | null;
  /** No neighbour to draw a line to: wants a dot. */
  readonly isAlone: boolean;
}

export interface BandPoint {
  readonly iteration: number;
  readonly range: readonly [number, number] | null;
}

export interface ChartLine {
  readonly arm: string;
  readonly armIndex: number;
  readonly metric: MetricKey;
  /** Every logged iteration: what tooltip and table read. */
  readonly band: SeedBand;
  /** ≤ 300 drawn points, plus the breaks between them. */
  readonly linePoints: readonly LinePoint[];
  readonly bandPoints: readonly BandPoint[];
}

export interface Marker {
  readonly kind: 'spike' | 'notFinite';
  readonly arm: string;
  readonly seed: number;
  readonly iteration: number;
  readonly value: number;
}

export interface PanelModel {
  readonly lines: readonly ChartLine[];
  /** Lines asked for beyond the 8 that are drawn. */
  readonly numLinesLeftOut: number;
  readonly markers: readonly Marker[];
  readonly axis: Axis;
  /** [n] drawn iterations of all lines, increasing. */
  readonly iterations: readonly number[];
  readonly lastIteration: number;
  /** Logged values ≤ 0 that a log axis cannot show. */
  readonly numHidden: number;
}

export const maxLines = 8;
const maxYTicks = 6;

function seedLines(
  series: RunSeries,
  { seeds, agent }: { seeds: readonly number[]; agent: string },
  arm: string,
  metric: MetricKey,
): SeriesPoints[] {
  return seeds.map((seed) => points(series, { arm, seed, agent, metric }));
}

function panelAxis(series: RunSeries, request: PanelRequest): Axis {
  const logged = request.axisAgents.flatMap((agent) =>
    request.arms.flatMap((arm) =>
      request.metrics.flatMap((metric) =>
        seedLines(series, { seeds: request.seeds, agent }, arm, metric),
      ),
    ),
  );
  function* values(): Iterable<number> {
    for (const line of logged) yield* line.values;
    yield* request.axisValues;
  }
  return axisOver(values(), request.scale, maxYTicks);
}

/** Drawn points with a `null` point wherever the line must not be joined. */
function withBreaks<Point extends { iteration: number }>(
  band: SeedBand,
  drawn: readonly number[],
  { at, empty }: { at: (position: number) => Point; empty: (iteration: number) => Point },
): Point[] {
  const breaks = breaksIn(band.iterations);
  let next = 0;
  return drawn.flatMap((position) => {
    const isBroken = next < breaks.length && breaks[next]! <= position;
    while (next < breaks.length && breaks[next]! <= position) next += 1;
    const point = at(position);
    return isBroken ? [empty(point.iteration - 0.5), point] : [point];
  });
}

function linePointsOf(band: SeedBand, scale: AxisScale): LinePoint[] {
  const joined = withBreaks(band, drawnPositions(band.center, band.center), {
    at: (position) => {
      const center = band.center[position]!;
      return {
        iteration: band.iterations[position]!,
        center: isDrawable(center, scale) ? center : null,
      };
    },
    empty: (iteration): { iteration: number; center: number | null } => ({
      iteration,
      center: null,
    }),
  });
  return joined.map(({ iteration, center }, index) => ({
    iteration,
    center,
    isAlone:
      center !== null &&
      (joined[index - 1]?.center ?? null) === null &&
      (joined[index + 1]?.center ?? null) === null,
  }));
}

/** Where the lower edge is not drawable (≤ 0 on a log axis) the band runs down to the foot of the axis. */
function bandPointsOf(band: SeedBand, scale: AxisScale, floor: number): BandPoint[] {
  return withBreaks<BandPoint>(band, drawnPositions(band.low, band.high), {
    at: (position) => {
      const [low, high] = [band.low[position]!, band.high[position]!];
      return {
        iteration: band.iterations[position]!,
        range: isDrawable(high, scale) ? [isDrawable(low, scale) ? low : floor, high] : null,
      };
    },
    empty: (iteration) => ({ iteration, range: null }),
  });
}

function markersOf(
  series: RunSeries,
  request: PanelRequest,
  arm: string,
  metric: MetricKey,
): Marker[] {
  const isSpikeMetric = request.hasSpikeMarks && metric === request.metrics[0];
  return request.seeds.flatMap((seed) => {
    const { iterations, values } = points(series, { arm, seed, agent: request.agent, metric });
    const mark = (kind: Marker['kind'], position: number): Marker => ({
      kind,
      arm,
      seed,
      iteration: iterations[position]!,
      value: values[position]!,
    });
    const spikes = isSpikeMetric ? spikePositions(values) : [];
    const lost = [...values.keys()].filter((position) => !Number.isFinite(values[position]!));
    return [
      ...spikes
        .filter((position) => Number.isFinite(values[position]!))
        .map((position) => mark('spike', position)),
      ...lost.map((position) => mark('notFinite', position)),
    ];
  });
}

/** The picture of one agent's (or the team's) metrics. O(logged values). */
export function panelModel(series: RunSeries, request: PanelRequest): PanelModel {
  const axis = panelAxis(series, request);
  const wanted = request.metrics.flatMap((metric) =>
    request.arms.map((arm, armIndex) => ({ metric, arm, armIndex })),
  );
  const lines = wanted.slice(0, maxLines).map(({ metric, arm, armIndex }): ChartLine => {
    const band = seedBand(seedLines(series, request, arm, metric), 'median');
    return {
      arm,
      armIndex,
      metric,
      band,
      linePoints: linePointsOf(band, request.scale),
      bandPoints: request.seeds.length > 1 ? bandPointsOf(band, request.scale, axis.domain[0]) : [],
    };
  });
  const drawn = lines.flatMap((line) => [...line.linePoints, ...line.bandPoints]);
  const iterations = [...new Set(drawn.map(({ iteration }) => iteration))]
    .filter(Number.isInteger)
    .toSorted((a, b) => a - b);
  return {
    lines,
    numLinesLeftOut: wanted.length - lines.length,
    markers: lines.flatMap(({ arm, metric }) => markersOf(series, request, arm, metric)),
    axis,
    iterations,
    lastIteration: Math.max(0, ...lines.map(({ band }) => band.iterations.at(-1) ?? 0)),
    numHidden: lines.reduce(
      (sum, { arm, metric }) =>
        sum + numNotDrawable(seedLines(series, request, arm, metric), request.scale),
      0,
    ),
  };
}

/** Finite values that the scale has no place for. */
function numNotDrawable(lines: readonly SeriesPoints[], scale: AxisScale): number {
  let count = 0;
  for (const { values } of lines)
    for (const value of values) if (Number.isFinite(value) && !isDrawable(value, scale)) count += 1;
  return count;
}

/** Most triangles of one arm and kind in a panel; more would be a smear. */
const maxMarkersAcross = 100;

/** Of crowded markers the highest per arm, kind and hundredth of the x axis. The counts in the chips stay complete. */
export function thinnedMarkers(markers: readonly Marker[], lastIteration: number): Marker[] {
  const highest = new Map<string, Marker>();
  const width = Math.max(1, lastIteration / maxMarkersAcross);
  for (const marker of markers) {
    const place = `${marker.kind}/${marker.arm}/${Math.floor(marker.iteration / width)}`;
    const kept = highest.get(place);
    if (!kept || marker.value > kept.value) highest.set(place, marker);
  }
  return [...highest.values()];
}
