import type { MetricKey } from '../../metrics/catalog';
import { formatNumber } from '../../metrics/format';
import { points, type RunSeries, type SeriesKey } from '../../metrics/runSeries';
import { createSpikeWindow, isSpikeNext } from '../../metrics/spikes';
import type { AggregatedLine } from './aggregateLines';
import type { ChartView } from './chartView';
import { isInZoom } from './visibleRows';

/** What is marked with ▲: of the logged values, whatever is drawn. Smoothing and differences hide no spike. */

export interface Marker {
  readonly kind: 'spike' | 'notFinite';
  readonly metric: MetricKey;
  readonly arm: string;
  readonly seed: number;
  readonly iteration: number;
  readonly x: number;
  readonly value: number;
}

/** The metric whose spikes are marked; the rule (metrics/spikes) is one for gradient norms. */
export const spikeMetric: MetricKey = 'gradNorm';

/** What has been found in the first `length` values of a line. */
interface Found {
  length: number;
  readonly window: ReturnType<typeof createSpikeWindow>;
  readonly positions: number[];
}

const found = new WeakMap<RunSeries, Map<string, Found>>();

function foundIn(series: RunSeries, { arm, seed, agent, metric }: SeriesKey): Found {
  let lines = found.get(series);
  if (!lines) found.set(series, (lines = new Map()));
  const key = `${arm}/${seed}/${agent}/${metric}`;
  let line = lines.get(key);
  if (!line) lines.set(key, (line = { length: 0, window: createSpikeWindow(), positions: [] }));
  return line;
}

/** Positions of spikes and of values that are not finite, increasing. A series only grows: every value is looked at once. */
function markedPositions(
  series: RunSeries,
  key: SeriesKey,
  values: Float64Array,
): readonly number[] {
  const line = foundIn(series, key);
  const hasSpikes = key.metric === spikeMetric;
  for (; line.length < values.length; line.length += 1) {
    const value = values[line.length]!;
    const isMarked = hasSpikes ? isSpikeNext(line.window, value) : !Number.isFinite(value);
    if (isMarked) line.positions.push(line.length);
  }
  return line.positions;
}

/** All marks of a line in view, seed by seed in the order of iterations. A mark stands where its own seed stood. */
export function markersOf(
  series: RunSeries,
  { seeds, agent, zoom }: { seeds: readonly number[]; agent: string; zoom: ChartView['zoom'] },
  line: AggregatedLine,
): Marker[] {
  const { arm, metric, band, x, seedX } = line;
  return seeds.flatMap((seed, index) => {
    const key = { arm, seed, agent, metric };
    const { iterations, values } = points(series, key);
    const places = seedX[index]!;
    let row = 0;
    return markedPositions(series, key, values).flatMap((position): Marker[] => {
      const iteration = iterations[position]!;
      while (band.iterations[row]! < iteration) row += 1;
      // A difference has no row where the baseline has no partner.
      if (band.iterations[row] !== iteration) return [];
      const place = Number.isNaN(places[row]!) ? x[row]! : places[row]!;
      if (Number.isNaN(place) || !isInZoom(place, zoom)) return [];
      const value = values[position]!;
      const kind = Number.isFinite(value) ? 'spike' : 'notFinite';
      return [{ kind, metric, arm, seed, iteration, x: place, value }];
    });
  });
}

/** Most triangles of one arm and kind in a panel; more would be a smear. */
const maxMarkersAcross = 100;

/** Of crowded markers the highest per arm, kind and hundredth of the x axis. The counts in the chips stay complete. */
export function thinnedMarkers(
  markers: readonly Marker[],
  [from, to]: readonly [number, number],
): Marker[] {
  const highest = new Map<string, Marker>();
  const width = (to - from) / maxMarkersAcross;
  for (const marker of markers) {
    const place = `${marker.kind}/${marker.arm}/${Math.floor((marker.x - from) / width)}`;
    const kept = highest.get(place);
    if (!kept || marker.value > kept.value) highest.set(place, marker);
  }
  return [...highest.values()];
}

/** `Spike of search at iteration 112: 38, arm global, seed 3` */
export function markerName(marker: Marker, agent: string): string {
  const { kind, iteration, value, arm, seed } = marker;
  const what = kind === 'spike' ? 'Spike' : 'Value not finite';
  return `${what} of ${agent} at iteration ${iteration}: ${formatNumber(value)}, arm ${arm}, seed ${seed}`;
}

/** The seed of an arm, the agent and the iteration in which something was marked: enough to look into it. */
export interface SpikePlace extends Pick<Marker, 'arm' | 'seed' | 'iteration'> {
  /** Agent id, or `team`. */
  readonly agent: string;
}
