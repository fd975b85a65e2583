import { axisOver, isDrawable, type Axis } from '../../metrics/axis';
import { selectRank } from '../../metrics/selectRank';
import { symlogAxisOver } from '../../metrics/symlogAxis';
import type { AggregatedLine } from './aggregateLines';
import type { ChartScale, ChartView } from './chartView';
import { drawnRows, isInZoom, visibleRows } from './visibleRows';

/** The y axis. Where it is symlog, positions are symlog(value, linearBound). */
export interface PanelAxis extends Axis {
  readonly scale: ChartScale;
  /** Null unless the scale is symlog. */
  readonly linearBound: number | null;
}

const maxYTicks = 6;

/** Whether the scale has a place for the value. */
export function isShown(value: number, scale: ChartScale): boolean {
  return isDrawable(value, scale === 'log' ? 'log' : 'linear');
}

/** Calls back with the centre, lowest and highest value of each row in view. */
function eachVisible(
  line: AggregatedLine,
  zoom: ChartView['zoom'],
  visit: (value: number) => void,
): void {
  const [from, to] = visibleRows(line, zoom);
  const { center, low, high } = line.band;
  for (let row = from; row < to; row++) {
    if (!line.isOrdered && !isInZoom(line.x[row]!, zoom)) continue;
    visit(center[row]!);
    visit(low[row]!);
    visit(high[row]!);
  }
}

/** Of the intervals only ± std reaches beyond the seeds themselves. */
function intervalEnds(lines: readonly AggregatedLine[], zoom: ChartView['zoom']): number[] {
  return lines.flatMap((line) => {
    if (!line.isWiderThanSeeds) return [];
    const { center } = line.band;
    return drawnRows(center, center, visibleRows(line, zoom)).flatMap((row) => {
      const interval = line.intervalAt(row);
      return interval === null ? [] : [interval.low, interval.high];
    });
  });
}

/** The smallest and the largest value in view that the scale has a place for; [] for none. */
function ends(
  lines: readonly AggregatedLine[],
  { yScale, zoom }: Pick<ChartView, 'yScale' | 'zoom'>,
): number[] {
  let lowest = Infinity;
  let highest = -Infinity;
  const take = (value: number): void => {
    if (!isShown(value, yScale)) return;
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  };
  for (const line of lines) eachVisible(line, zoom, take);
  for (const value of intervalEnds(lines, zoom)) take(value);
  return lowest <= highest ? [lowest, highest] : [];
}

/** Share of the values on either side that a clipped axis leaves out. */
const clippedShare = 0.05;

/** The ends of the middle part of the values in view; [] for none. */
function middleEnds(
  lines: readonly AggregatedLine[],
  { yScale, zoom }: Pick<ChartView, 'yScale' | 'zoom'>,
): number[] {
  const further = intervalEnds(lines, zoom);
  const most = lines.reduce((sum, { x }) => sum + 3 * x.length, further.length);
  const values = new Float64Array(most);
  let count = 0;
  const take = (value: number): void => {
    if (isShown(value, yScale)) values[count++] = value;
  };
  for (const line of lines) eachVisible(line, zoom, take);
  for (const value of further) take(value);
  if (count === 0) return [];
  const shown = values.subarray(0, count);
  return [clippedShare, 1 - clippedShare].map((share) =>
    selectRank(shown, Math.round(share * (count - 1))),
  );
}

/** One axis for all panels of a chart. `lines`: of all of them; `axisValues`: further values that it has to hold. */
export function panelAxis(
  lines: readonly AggregatedLine[],
  view: Pick<ChartView, 'yScale' | 'hasOutlierClip' | 'zoom' | 'pairedBaseline'>,
  axisValues: readonly number[],
): PanelAxis {
  const scale = view.yScale;
  // Bounds of a metric say nothing of differences.
  const held = view.pairedBaseline === null ? axisValues : [0];
  const values = [...(view.hasOutlierClip ? middleEnds : ends)(lines, view), ...held];
  if (scale === 'symlog') return { scale, ...symlogAxisOver(values, maxYTicks) };
  return { scale, linearBound: null, ...axisOver(values, scale, maxYTicks) };
}
