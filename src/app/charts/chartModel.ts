import type { RunSeries } from '../../metrics/runSeries';
import type { AggregatedLine } from './aggregateLines';
import type { ChartView } from './chartView';
import { markersOf, type Marker } from './markers';
import { isShown, type PanelAxis } from './panelAxis';
import { drawnRows, isInZoom, visibleRows } from './visibleRows';

/** Everything a panel draws, made from the aggregated lines by plain functions; the components only place it. */

/** What one panel shows of its lines. */
export interface PanelRequest {
  readonly seeds: readonly number[];
  /** Agent id, or `team`. */
  readonly agent: string;
  /** Further values that the y axis has to hold: bounds. */
  readonly axisValues: readonly number[];
  readonly view: Pick<ChartView, 'yScale' | 'hasOutlierClip' | 'zoom' | 'pairedBaseline'>;
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
  /** Rows of `band` that hold all in the visible part of the x axis: from … to − 1. */
  readonly visible: readonly [number, number];
  /** ≤ 300 drawn points, plus the breaks between them. */
  readonly linePoints: readonly LinePoint[];
  readonly bandPoints: readonly BandPoint[];
  /** Before smoothing; empty where nothing is smoothed. */
  readonly rawPoints: readonly LinePoint[];
  /** One line a seed; empty unless seeds are shown. */
  readonly seedPoints: readonly (readonly LinePoint[])[];
}

export interface PanelModel {
  readonly lines: readonly ChartLine[];
  /** Lines asked for beyond the 8 that are drawn. */
  readonly numLinesLeftOut: number;
  readonly markers: readonly Marker[];
  readonly axis: PanelAxis;
  /** [n] drawn places on the x axis of all lines, increasing. */
  readonly xs: readonly number[];
  /** Smallest and largest place of all lines, zoomed or not; null where there is none. */
  readonly xEnds: readonly [number, number] | null;
  /** Logged values ≤ 0 that a log axis cannot show. */
  readonly numHidden: number;
  /** Drawn values beyond a clipped axis. */
  readonly numOffScale: number;
}

export const maxLines = 8;

interface Pieces<Point> {
  readonly at: (row: number) => Point;
  readonly empty: (x: number) => Point;
}

/** Drawn rows with a null point wherever the line must not be joined. */
function withBreaks<Point>(
  { line, x: places, view }: Drawing,
  drawn: readonly number[],
  { at, empty }: Pieces<Point>,
): Point[] {
  const { breaks } = line;
  let next = 0;
  return drawn.flatMap((row, index) => {
    while (next < breaks.length && breaks[next]! <= (drawn[index - 1] ?? -1)) next += 1;
    const isBroken = next < breaks.length && breaks[next]! <= row;
    const x = places[row]!;
    if (Number.isNaN(x) || !isInZoom(x, view.zoom)) return [empty(x)];
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

/** What `values` look like on the axis; `x`: places of the line’s rows. */
interface Drawing {
  readonly line: AggregatedLine;
  readonly x: Float64Array;
  readonly visible: readonly [number, number];
  readonly view: PanelRequest['view'];
}

function linePointsOf(drawing: Drawing, values: Float64Array): LinePoint[] {
  const { x, visible, view } = drawing;
  const joined = withBreaks(drawing, drawnRows(values, values, visible), {
    at(row): { x: number; center: number | null } {
      const center = values[row]!;
      return { x: x[row]!, center: isShown(center, view.yScale) ? center : null };
    },
    empty: (place) => ({ x: place, center: null }),
  });
  return withLoners(joined);
}

/** What was drawn last of a line that is behind its smoothed one: it stays while the smoothing changes. */
const lastRaw = new WeakMap<Float64Array, { readonly key: string; readonly points: LinePoint[] }>();

function rawPointsOf(drawing: Drawing, values: Float64Array): LinePoint[] {
  const key = `${drawing.view.yScale} ${String(drawing.view.zoom)}`;
  const last = lastRaw.get(values);
  if (last?.key === key) return last.points;
  const points = linePointsOf(drawing, values);
  lastRaw.set(values, { key, points });
  return points;
}

/** Where the lower edge is not drawable (≤ 0 on a log axis) the band runs down to the foot of the axis. */
function bandPointsOf(drawing: Drawing, floor: number): BandPoint[] {
  const { line, visible, view } = drawing;
  const { low, high } = line.band;
  return withBreaks<BandPoint>(drawing, drawnRows(low, high, visible), {
    at(row) {
      const interval = line.intervalAt(row);
      const x = line.x[row]!;
      if (interval === null || !isShown(interval.high, view.yScale)) return { x, range: null };
      const foot = isShown(interval.low, view.yScale) ? interval.low : floor;
      return { x, range: [foot, interval.high] };
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
  const { view } = request;
  const visible = visibleRows(line, view.zoom);
  const drawing = { line, x: line.x, visible, view };
  const hasBand = request.seeds.length > 1 && line.seeds.length === 0;
  return {
    ...line,
    visible,
    linePoints: linePointsOf(drawing, line.band.center),
    bandPoints: hasBand ? bandPointsOf(drawing, axis.domain[0]) : [],
    rawPoints: line.raw === null ? [] : rawPointsOf(drawing, line.raw.center),
    seedPoints: line.seeds.map((seed, index) =>
      linePointsOf({ ...drawing, x: line.seedX[index]! }, onRows(line, seed)),
    ),
  };
}

/** Places from the first to the last, or from the lowest to the highest where the axis goes back and forth; null for none. */
function endsOf({ x, isOrdered }: ChartLine): readonly [number, number] | null {
  const first = x.find((place) => !Number.isNaN(place));
  if (first === undefined) return null;
  if (isOrdered) return [first, x.findLast((place) => !Number.isNaN(place))!];
  let [low, high] = [first, first];
  for (const place of x) {
    if (place < low) low = place;
    if (place > high) high = place;
  }
  return [low, high];
}

function xEndsOf(lines: readonly ChartLine[]): readonly [number, number] | null {
  const ends = lines.map(endsOf).filter((found) => found !== null);
  if (ends.length === 0) return null;
  return [Math.min(...ends.map(([low]) => low)), Math.max(...ends.map(([, high]) => high))];
}

/** Drawn places of all lines, each once, increasing. */
function drawnPlaces(lines: readonly ChartLine[], zoom: ChartView['zoom']): number[] {
  const places = new Set<number>();
  for (const { linePoints, bandPoints } of lines)
    for (const { x } of [...linePoints, ...bandPoints])
      if (Number.isFinite(x) && isInZoom(x, zoom)) places.add(x);
  return [...places].toSorted((a, b) => a - b);
}

/** The picture of one agent's (or the team's) metrics. O(values in view). `axis`: of all panels of the chart. */
export function panelModel(
  series: RunSeries,
  aggregated: readonly AggregatedLine[],
  request: PanelRequest,
  axis: PanelAxis,
): PanelModel {
  const lines = aggregated.slice(0, maxLines).map((line) => chartLine(line, request, axis));
  const { seeds, agent, view } = request;
  const marked = { seeds, agent, zoom: view.zoom };
  return {
    lines,
    numLinesLeftOut: aggregated.length - lines.length,
    markers: lines.flatMap((line) => markersOf(series, marked, line)),
    axis,
    xs: drawnPlaces(lines, view.zoom),
    xEnds: xEndsOf(lines),
    numHidden: axis.scale === 'log' ? total(lines, (line) => line.numNotPositive) : 0,
    numOffScale: total(lines, (line) => numOffScale(line, axis)),
  };
}

function total(lines: readonly ChartLine[], count: (line: ChartLine) => number): number {
  return lines.reduce((sum, line) => sum + count(line), 0);
}

/** Centres in view beyond the ends of the axis. */
function numOffScale({ band, visible }: ChartLine, { scale, domain }: PanelAxis): number {
  let count = 0;
  for (const value of band.center.subarray(...visible))
    if (isShown(value, scale) && (value < domain[0] || value > domain[1])) count += 1;
  return count;
}
