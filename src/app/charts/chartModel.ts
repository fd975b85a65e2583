import { axisOver, isDrawable, type Axis } from '../../metrics/axis';
import type { MetricKey } from '../../metrics/catalog';
import { drawnPositions } from '../../metrics/downsample';
import { breaksIn } from '../../metrics/gaps';
import { points, type RunSeries } from '../../metrics/runSeries';
import { spikePositions } from '../../metrics/spikes';
import { symlogAxisOver } from '../../metrics/symlogAxis';
import type { AggregatedLine } from './aggregateLines';
import type { ChartScale, ChartView } from './chartView';

/** Everything a panel draws, made from the aggregated lines by plain functions; the components only place it. */

/** What one panel shows of its lines. */
export interface PanelRequest {
  readonly seeds: readonly number[];
  /** Agent id, or `team`. */
  readonly agent: string;
  /** Mark spikes (metrics/spikes) of this metric; null = of none. */
  readonly spikeMetric: MetricKey | null;
  /** Further values that the y axis has to hold: bounds. */
  readonly axisValues: readonly number[];
  readonly view: Pick<ChartView, 'scale' | 'isClipped' | 'zoom' | 'baseline'>;
}

export interface LinePoint {
  /** Place on the x axis. */
  readonly x: number;
  /** null breaks the line. */
  readonly center: number | null;
  /** No neighbour to draw a line to: wants a dot. */
  readonly isAlone: boolean;
}

export interface BandPoint {
  readonly x: number;
  readonly range: readonly [number, number] | null;
}

export interface ChartLine extends AggregatedLine {
  /** Rows of `band` that lie in the visible part of the x axis: from … to − 1. */
  readonly visible: readonly [number, number];
  /** ≤ 300 drawn points, plus the breaks between them. */
  readonly linePoints: readonly LinePoint[];
  readonly bandPoints: readonly BandPoint[];
  /** Before smoothing; empty where nothing is smoothed. */
  readonly rawPoints: readonly LinePoint[];
  /** One line a seed; empty unless seeds are shown. */
  readonly seedPoints: readonly (readonly LinePoint[])[];
}

export interface Marker {
  readonly kind: 'spike' | 'notFinite';
  readonly arm: string;
  readonly seed: number;
  readonly iteration: number;
  readonly x: number;
  readonly value: number;
}

/** The y axis. Where it is symlog, positions are symlog(value, linearBound). */
export interface PanelAxis extends Axis {
  readonly scale: ChartScale;
  /** Null unless the scale is symlog. */
  readonly linearBound: number | null;
}

export interface PanelModel {
  readonly lines: readonly ChartLine[];
  /** Lines asked for beyond the 8 that are drawn. */
  readonly numLinesLeftOut: number;
  readonly markers: readonly Marker[];
  readonly axis: PanelAxis;
  /** [n] drawn places on the x axis of all lines, increasing. */
  readonly xs: readonly number[];
  /** Of all lines, zoomed or not. */
  readonly lastX: number;
  /** Logged values ≤ 0 that a log axis cannot show. */
  readonly numHidden: number;
  /** Drawn values beyond a clipped axis. */
  readonly numOffScale: number;
}

export const maxLines = 8;
const maxYTicks = 6;

function isShown(value: number, scale: ChartScale): boolean {
  return isDrawable(value, scale === 'log' ? 'log' : 'linear');
}

/** Rows from … to − 1 whose x lies in the zoom. */
function visibleRows({ x }: AggregatedLine, zoom: ChartView['zoom']): readonly [number, number] {
  if (zoom === null) return [0, x.length];
  const from = x.findIndex((value) => value >= zoom[0]);
  const last = x.findLastIndex((value) => value <= zoom[1]);
  return from < 0 ? [0, 0] : [from, Math.max(from, last + 1)];
}

/** Share of the values on either side that a clipped axis leaves out. */
const clippedShare = 0.05;

/** The values, or the ends of their middle part. */
function axisRange(
  values: number[],
  { isClipped, scale }: PanelRequest['view'],
): readonly number[] {
  if (!isClipped) return values;
  const shown = Float64Array.from(values.filter((value) => isShown(value, scale))).toSorted();
  if (shown.length === 0) return [];
  const at = (share: number): number => shown[Math.round(share * (shown.length - 1))]!;
  return [at(clippedShare), at(1 - clippedShare)];
}

/** Centres, seeds and interval ends in view. Of the intervals only ± std reaches beyond the seeds themselves. */
function visibleValues(lines: readonly AggregatedLine[], zoom: ChartView['zoom']): number[] {
  return lines.flatMap((line) => {
    const visible = visibleRows(line, zoom);
    const { center, low, high } = line.band;
    const logged = [center, low, high].flatMap((values) => Array.from(values.subarray(...visible)));
    if (!line.isWiderThanSeeds) return logged;
    const ends = drawnRows(center, center, visible).flatMap((row) => {
      const interval = line.intervalAt(row);
      return interval === null ? [] : [interval.low, interval.high];
    });
    return [...logged, ...ends];
  });
}

/** One axis for all panels of a chart. `lines`: of all of them. */
export function panelAxis(
  lines: readonly AggregatedLine[],
  view: PanelRequest['view'],
  axisValues: readonly number[],
): PanelAxis {
  const { scale, zoom } = view;
  // Bounds of a metric say nothing of differences.
  const held = view.baseline === null ? axisValues : [0];
  const values = [...axisRange(visibleValues(lines, zoom), view), ...held];
  if (scale === 'symlog') return { scale, ...symlogAxisOver(finite(values), maxYTicks) };
  return { scale, linearBound: null, ...axisOver(values, scale, maxYTicks) };
}

function finite(values: readonly number[]): number[] {
  return values.filter(Number.isFinite);
}

/** Drawn rows with a null point wherever the line must not be joined. */
function withBreaks<Point>(
  line: AggregatedLine,
  drawn: readonly number[],
  { at, empty }: { at: (row: number) => Point; empty: (x: number) => Point },
): Point[] {
  const breaks = breaksIn(line.band.iterations);
  let next = 0;
  return drawn.flatMap((row, index) => {
    while (next < breaks.length && breaks[next]! <= (drawn[index - 1] ?? -1)) next += 1;
    const isBroken = next < breaks.length && breaks[next]! <= row;
    const x = line.x[row]!;
    if (Number.isNaN(x)) return [empty(x)];
    return isBroken ? [empty(x), at(row)] : [at(row)];
  });
}

function withLoners(joined: readonly { x: number; center: number | null }[]): LinePoint[] {
  const isGap = (index: number): boolean => (joined[index]?.center ?? null) === null;
  return joined.map(({ x, center }, index) => ({
    x,
    center,
    isAlone: center !== null && isGap(index - 1) && isGap(index + 1),
  }));
}

/** Rows of [from, to) to draw of `values`. */
function drawnRows(
  low: Float64Array,
  high: Float64Array,
  [from, to]: readonly [number, number],
): number[] {
  return drawnPositions(low.subarray(from, to), high.subarray(from, to)).map((row) => from + row);
}

function linePointsOf(
  line: AggregatedLine,
  values: Float64Array,
  visible: readonly [number, number],
  scale: ChartScale,
): LinePoint[] {
  const joined = withBreaks(line, drawnRows(values, values, visible), {
    at(row): { x: number; center: number | null } {
      const center = values[row]!;
      return { x: line.x[row]!, center: isShown(center, scale) ? center : null };
    },
    empty: (x) => ({ x, center: null }),
  });
  return withLoners(joined);
}

/** Where the lower edge is not drawable (≤ 0 on a log axis) the band runs down to the foot of the axis. */
function bandPointsOf(
  line: AggregatedLine,
  visible: readonly [number, number],
  scale: ChartScale,
  floor: number,
): BandPoint[] {
  const { low, high } = line.band;
  return withBreaks<BandPoint>(line, drawnRows(low, high, visible), {
    at(row) {
      const interval = line.intervalAt(row);
      const x = line.x[row]!;
      if (interval === null || !isShown(interval.high, scale)) return { x, range: null };
      return { x, range: [isShown(interval.low, scale) ? interval.low : floor, interval.high] };
    },
    empty: (x) => ({ x, range: null }),
  });
}

/** A seed's values in the rows of the band; NaN where it logged none. */
function onRows({ band }: AggregatedLine, seed: AggregatedLine['seeds'][number]): Float64Array {
  const values = new Float64Array(band.iterations.length).fill(NaN);
  let next = 0;
  for (const [row, iteration] of band.iterations.entries()) {
    while (seed.iterations[next]! < iteration) next += 1;
    if (seed.iterations[next] === iteration) values[row] = seed.values[next]!;
  }
  return values;
}

function chartLine(line: AggregatedLine, request: PanelRequest, axis: PanelAxis): ChartLine {
  const { scale, zoom } = request.view;
  const visible = visibleRows(line, zoom);
  const pointsOf = (values: Float64Array): LinePoint[] =>
    linePointsOf(line, values, visible, scale);
  const hasBand = request.seeds.length > 1 && line.seeds.length === 0;
  return {
    ...line,
    visible,
    linePoints: pointsOf(line.band.center),
    bandPoints: hasBand ? bandPointsOf(line, visible, scale, axis.domain[0]) : [],
    rawPoints: line.raw === null ? [] : pointsOf(line.raw.center),
    seedPoints: line.seeds.map((seed) => pointsOf(onRows(line, seed))),
  };
}

/** Of the logged values, whatever is drawn: smoothing and differences hide no spike. */
function markersOf(series: RunSeries, request: PanelRequest, line: ChartLine): Marker[] {
  const { arm, metric, band, x } = line;
  const isSpikeMetric = metric === request.spikeMetric;
  const [from, to] = line.visible;
  return request.seeds.flatMap((seed) => {
    const { iterations, values } = points(series, { arm, seed, agent: request.agent, metric });
    const rowOf = rowsOf(band.iterations, iterations);
    const spikes = new Set(isSpikeMetric ? spikePositions(values) : []);
    return [...values.keys()].flatMap((position): Marker[] => {
      const value = values[position]!;
      const isLost = !Number.isFinite(value);
      const row = rowOf[position]!;
      if ((!isLost && !spikes.has(position)) || row < from || row >= to) return [];
      const kind = isLost ? 'notFinite' : 'spike';
      return [{ kind, arm, seed, iteration: iterations[position]!, x: x[row]!, value }];
    });
  });
}

/** [positions] row of each of a seed's iterations, or −1. */
function rowsOf(rows: Int32Array, iterations: Int32Array): Int32Array {
  let row = 0;
  return iterations.map((iteration) => {
    while (rows[row]! < iteration) row += 1;
    return rows[row] === iteration ? row : -1;
  });
}

function lastOf({ x }: ChartLine): number {
  return x.findLast((value) => !Number.isNaN(value)) ?? 0;
}

/** The picture of one agent's (or the team's) metrics. O(logged values). `axis`: of all panels of the chart. */
export function panelModel(
  series: RunSeries,
  aggregated: readonly AggregatedLine[],
  request: PanelRequest,
  axis: PanelAxis,
): PanelModel {
  const lines = aggregated.slice(0, maxLines).map((line) => chartLine(line, request, axis));
  const drawn = lines.flatMap((line) => [...line.linePoints, ...line.bandPoints]);
  return {
    lines,
    numLinesLeftOut: aggregated.length - lines.length,
    markers: lines.flatMap((line) => markersOf(series, request, line)),
    axis,
    xs: [...new Set(drawn.map(({ x }) => x))].filter(Number.isFinite).toSorted((a, b) => a - b),
    lastX: Math.max(0, ...lines.map(lastOf)),
    numHidden: lines.reduce((sum, line) => sum + numNotDrawable(line, axis), 0),
    numOffScale: lines.reduce((sum, line) => sum + numOffScale(line, axis), 0),
  };
}

/** Finite logged values that the scale has no place for. */
function numNotDrawable({ logged }: ChartLine, { scale }: PanelAxis): number {
  let count = 0;
  for (const { values } of logged)
    for (const value of values) if (Number.isFinite(value) && !isShown(value, scale)) count += 1;
  return count;
}

/** Centres in view beyond the ends of the axis. */
function numOffScale({ band, visible }: ChartLine, { scale, domain }: PanelAxis): number {
  const inView = band.center.subarray(...visible);
  return inView.filter((value) => isShown(value, scale) && (value < domain[0] || value > domain[1]))
    .length;
}

/** Most triangles of one arm and kind in a panel; more would be a smear. */
const maxMarkersAcross = 100;

/** Of crowded markers the highest per arm, kind and hundredth of the x axis. The counts in the chips stay complete. */
export function thinnedMarkers(markers: readonly Marker[], lastX: number): Marker[] {
  const highest = new Map<string, Marker>();
  const width = Math.max(1, lastX / maxMarkersAcross);
  for (const marker of markers) {
    const place = `${marker.kind}/${marker.arm}/${Math.floor(marker.x / width)}`;
    const kept = highest.get(place);
    if (!kept || marker.value > kept.value) highest.set(place, marker);
  }
  return [...highest.values()];
}
