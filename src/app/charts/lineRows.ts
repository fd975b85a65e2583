import { positionOf } from '../../metrics/bands';
import type { AggregatedLine } from './aggregateLines';
import type { ChartX } from './xAxis';

type Places = Pick<AggregatedLine, 'x' | 'isOrdered'>;

/**
 * Row of the line at x, or −1 where it has none. Over iterations only the very iteration counts; on other axes lines seldom meet in one x, so
 * there the nearest row does, if it is no further away than half a step of the line. Where the line comes by several times, the last row.
 */
export function rowAt(line: Places, x: number, axis: ChartX): number {
  if (!line.isOrdered) return nearestAmongAll(line, x);
  const { x: xs } = line;
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
  return distance(row) <= (axis.kind === 'iteration' ? 0 : step / 2) ? row : -1;
}

function nearestAmongAll({ x: xs }: Places, x: number): number {
  let nearest = -1;
  let distance = Infinity;
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row < xs.length; row++) {
    const place = xs[row]!;
    if (Number.isNaN(place)) continue;
    low = Math.min(low, place);
    high = Math.max(high, place);
    if (Math.abs(place - x) > distance) continue;
    distance = Math.abs(place - x);
    nearest = row;
  }
  const step = (high - low) / Math.max(1, xs.length - 1);
  return distance <= step / 2 ? nearest : -1;
}

/** Row of an iteration, or −1. */
export function rowOfIteration({ band }: Pick<AggregatedLine, 'band'>, iteration: number): number {
  return positionOf(band.iterations, iteration);
}
