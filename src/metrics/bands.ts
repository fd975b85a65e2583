import { median } from './median';
import type { SeriesPoints } from './runSeries';

/** Several seeds of one metric as a centre line and an envelope. All arrays have one entry per logged iteration. */
export interface SeedBand {
  /** [n] every iteration in which some seed has a point, increasing. */
  readonly iterations: Int32Array;
  /** [n] median or mean of the finite values; NaN where there are none. */
  readonly center: Float64Array;
  /** [n] smallest finite value, or NaN. */
  readonly low: Float64Array;
  /** [n] largest finite value, or NaN. */
  readonly high: Float64Array;
  /** [n] seeds with a finite value here: the N of this point. */
  readonly numSeeds: Int32Array;
  /** [n] seeds whose value here is NaN or ±Infinity. They take no part in the three lines above. */
  readonly numNotFinite: Int32Array;
}

function centerOf(values: readonly number[], center: 'median' | 'mean'): number {
  if (center === 'median') return median(values);
  // Divided before adding: a sum of huge norms would overflow.
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value / values.length, 0);
}

/**
 * Band over seeds, iteration by iteration, from the seeds that logged a value in that very iteration. Nothing is
 * interpolated: a seed that ended early, or that skipped an iteration, is simply not in that point's N.
 */
export function seedBand(lines: readonly SeriesPoints[], center: 'median' | 'mean'): SeedBand {
  const iterations = Int32Array.from(
    new Set(lines.flatMap((line) => [...line.iterations])),
  ).toSorted();
  const count = iterations.length;
  const band = {
    iterations,
    center: new Float64Array(count),
    low: new Float64Array(count),
    high: new Float64Array(count),
    numSeeds: new Int32Array(count),
    numNotFinite: new Int32Array(count),
  };
  const next = lines.map(() => 0);
  for (const [row, iteration] of iterations.entries()) {
    const finite: number[] = [];
    for (const [index, line] of lines.entries()) {
      const position = next[index]!;
      if (line.iterations[position] !== iteration) continue;
      next[index] = position + 1;
      const value = line.values[position]!;
      if (Number.isFinite(value)) finite.push(value);
      else band.numNotFinite[row]! += 1;
    }
    band.center[row] = centerOf(finite, center);
    band.low[row] = finite.length > 0 ? Math.min(...finite) : NaN;
    band.high[row] = finite.length > 0 ? Math.max(...finite) : NaN;
    band.numSeeds[row] = finite.length;
  }
  return band;
}

/** Position of `iteration` in increasing `iterations`, or −1. */
export function positionOf(iterations: Int32Array, iteration: number): number {
  let low = 0;
  let high = iterations.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = iterations[middle]!;
    if (found === iteration) return middle;
    if (found < iteration) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
