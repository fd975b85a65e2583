import { mean } from './mean';
import { medianOfSorted } from './median';
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

/** Sorts in place, by insertion: for a handful of seeds nothing is cheaper, and smallest and largest come for free. */
function sortFew(values: Float64Array): void {
  for (let index = 1; index < values.length; index++) {
    const value = values[index]!;
    let place = index;
    for (; place > 0 && values[place - 1]! > value; place -= 1) values[place] = values[place - 1]!;
    values[place] = value;
  }
}

function areEqual(left: Int32Array, right: Int32Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}

/** [n] the distinct iterations of all lines, increasing. */
function mergedIterations(lines: readonly SeriesPoints[]): Int32Array {
  const [first] = lines;
  // Seeds usually log in step: then there is nothing to merge.
  const isOne = lines.every(({ iterations }) => areEqual(iterations, first!.iterations));
  if (first !== undefined && isOne) return first.iterations.slice();
  return Int32Array.from(new Set(lines.flatMap((line) => [...line.iterations]))).toSorted();
}

/**
 * Band over seeds, iteration by iteration, from the seeds that logged a value in that very iteration. Nothing is
 * interpolated: a seed that ended early, or that skipped an iteration, is simply not in that point's N.
 */
export function seedBand(lines: readonly SeriesPoints[], center: 'median' | 'mean'): SeedBand {
  const iterations = mergedIterations(lines);
  const numSeeds = new Int32Array(iterations.length);
  const numNotFinite = new Int32Array(iterations.length);
  return bandLike({ iterations, numSeeds, numNotFinite }, lines, center);
}

/** The band of lines that have their values where those of `like` had theirs; its counts become part of the result. */
export function bandLike(
  like: Pick<SeedBand, 'iterations' | 'numSeeds' | 'numNotFinite'>,
  lines: readonly SeriesPoints[],
  center: 'median' | 'mean',
): SeedBand {
  const { iterations, numSeeds, numNotFinite } = like;
  const count = iterations.length;
  const band = {
    iterations,
    center: new Float64Array(count),
    low: new Float64Array(count),
    high: new Float64Array(count),
    numSeeds,
    numNotFinite,
  };
  const columns = lines.map(({ values }) => values);
  const areWhole = columns.every(({ length }) => length === count);
  const next = new Int32Array(lines.length);
  const found = new Float64Array(lines.length);
  for (let row = 0; row < count; row++) {
    let numFound = 0;
    let numLost = 0;
    for (let index = 0; index < columns.length; index++) {
      const position = next[index]!;
      // A line with as many points as there are rows has one in each.
      if (!areWhole && lines[index]!.iterations[position] !== iterations[row]) continue;
      next[index] = position + 1;
      const value = columns[index]![position]!;
      if (Number.isFinite(value)) found[numFound++] = value;
      else numLost += 1;
    }
    const values = numFound === found.length ? found : found.subarray(0, numFound);
    // A mean depends on the order of the seeds in its last bit: before they are sorted.
    if (center === 'mean') band.center[row] = mean(values);
    sortFew(values);
    if (center === 'median') band.center[row] = medianOfSorted(values);
    band.low[row] = numFound > 0 ? values[0]! : NaN;
    band.high[row] = numFound > 0 ? values[numFound - 1]! : NaN;
    numSeeds[row] = numFound;
    numNotFinite[row] = numLost;
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
