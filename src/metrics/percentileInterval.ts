/** Two ends, low ≤ high, in the unit of what they bound. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Quantile of increasing values, one at least. Hyndman & Fan 1996, definition 7: between the two order statistics around (n − 1)·share. */
function quantileOfSorted(sorted: Float64Array, share: number): number {
  const position = (sorted.length - 1) * share;
  const index = Math.floor(position);
  const below = sorted[index]!;
  const above = sorted[Math.min(index + 1, sorted.length - 1)]!;
  // Two equal neighbours give exactly their value.
  return below + (position - index) * (above - below);
}

/**
 * What is left after cutting (1 − level)/2 off both ends of the resampled statistics.
 * Efron & Tibshirani 1993, "An introduction to the bootstrap", §13.3.
 * @param statistics [numResamples] finite, in any order, one at least; stays as it is.
 * @param level share inside, between 0 and 1.
 */
export function percentileInterval(statistics: Float64Array, level: number): Interval {
  const sorted = statistics.toSorted();
  const tail = (1 - level) / 2;
  return { low: quantileOfSorted(sorted, tail), high: quantileOfSorted(sorted, 1 - tail) };
}
