import { mean } from './mean';
import { median } from './median';
import { percentileInterval, type Interval } from './percentileInterval';
import { forEachResample } from './resampling';
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

/** What an interval over seeds says. */
export type BandKind =
  /** Smallest to largest. */
  | 'minMax'
  /** Mean ± the sample's standard deviation (n − 1). */
  | 'std'
  /** Mean ± standard deviation/√n. */
  | 'stderr'
  /** 95 % percentile interval of the mean over resampled seeds. */
  | 'bootstrap';

function centerOf(values: readonly number[], center: 'median' | 'mean'): number {
  return center === 'median' ? median(values) : mean(values);
}

/** [n] the distinct iterations of all lines, increasing. */
function mergedIterations(lines: readonly SeriesPoints[]): Int32Array {
  const [first] = lines;
  // Seeds usually log in step: then there is nothing to merge.
  const areEqual = lines.every(
    ({ iterations }) =>
      iterations.length === first!.iterations.length &&
      iterations.every((iteration, index) => iteration === first!.iterations[index]),
  );
  if (first !== undefined && areEqual) return first.iterations.slice();
  return Int32Array.from(new Set(lines.flatMap((line) => [...line.iterations]))).toSorted();
}

/**
 * Band over seeds, iteration by iteration, from the seeds that logged a value in that very iteration. Nothing is
 * interpolated: a seed that ended early, or that skipped an iteration, is simply not in that point's N.
 */
export function seedBand(lines: readonly SeriesPoints[], center: 'median' | 'mean'): SeedBand {
  const iterations = mergedIterations(lines);
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
  const finite: number[] = [];
  for (const [row, iteration] of iterations.entries()) {
    finite.length = 0;
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

/** Enough for the ends of a drawn interval to stand within a pixel or two. */
const numResamples = 400;
const level = 0.95;

function standardDeviation(values: readonly number[], center: number): number {
  const squares = values.map((value) => (value - center) ** 2 / (values.length - 1));
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0));
}

/**
 * The interval around the values of several seeds; null where there is none: no value, or a single one, which says nothing of others.
 * @param values finite
 * @param uniform counter → [0, 1), for the bootstrap
 */
export function seedInterval(
  values: readonly number[],
  kind: BandKind,
  uniform: (counter: number) => number,
): Interval | null {
  if (values.length < 2) return null;
  if (kind === 'minMax') return { low: Math.min(...values), high: Math.max(...values) };
  const center = mean(values);
  if (kind === 'bootstrap') {
    const means = new Float64Array(numResamples);
    forEachResample([values], { numResamples, uniform }, ([drawn], index) => {
      means[index] = mean(drawn!);
    });
    return percentileInterval(means, level);
  }
  const deviation = standardDeviation(values, center);
  const half = kind === 'std' ? deviation : deviation / Math.sqrt(values.length);
  return { low: center - half, high: center + half };
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
