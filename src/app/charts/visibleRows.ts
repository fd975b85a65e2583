import { drawnPositions } from '../../metrics/downsample';
import type { ChartView } from './chartView';
import type { LinePlaces } from './linePlaces';

/** Which rows of a line lie in view, and which of these are drawn. */

export function isInZoom(x: number, zoom: ChartView['zoom']): boolean {
  return zoom === null || (x >= zoom[0] && x <= zoom[1]);
}

/** Rows from … to − 1 that hold all in view. On an axis that goes back and forth these are all rows, in view or not. */
export function visibleRows(
  { x, isOrdered }: Pick<LinePlaces, 'x' | 'isOrdered'>,
  zoom: ChartView['zoom'],
): readonly [number, number] {
  if (zoom === null || !isOrdered) return [0, x.length];
  let from = 0;
  while (from < x.length && !(x[from]! >= zoom[0])) from += 1;
  let to = x.length;
  while (to > from && !(x[to - 1]! <= zoom[1])) to -= 1;
  return [from, to];
}

/** Rows of [from, to) to draw of an edge or two. */
export function drawnRows(
  low: Float64Array,
  high: Float64Array,
  [from, to]: readonly [number, number],
): number[] {
  return drawnPositions(low.subarray(from, to), high.subarray(from, to)).map((row) => from + row);
}
