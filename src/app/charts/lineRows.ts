import type { ChartLine } from './chartModel';
import type { XAxisKind } from './chartView';

/**
 * Row of the line at x, or −1 where it has none. Over iterations only the very iteration counts; on other axes lines seldom meet in one x, so
 * there the nearest row does, if it is no further away than half a step of the line.
 */
export function rowAt({ x: xs }: Pick<ChartLine, 'x'>, x: number, xAxis: XAxisKind): number {
  let low = 0;
  let high = xs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle]! < x) low = middle + 1;
    else high = middle;
  }
  const distance = (row: number): number => Math.abs(xs[row]! - x);
  const row = low > 0 && distance(low - 1) <= distance(low) ? low - 1 : low;
  const step = (xs.at(-1)! - xs[0]!) / Math.max(1, xs.length - 1);
  return distance(row) <= (xAxis === 'iteration' ? 0 : step / 2) ? row : -1;
}
