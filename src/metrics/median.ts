/** Middle of the values, mean of the two middle ones for even counts; NaN for none. Values must be finite. */
export function median(values: readonly number[]): number {
  return medianOfSorted(values.toSorted((a, b) => a - b));
}

/** The same for values that increase already. */
export function medianOfSorted(sorted: ArrayLike<number>): number {
  const upper = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  // Halved before adding: the sum of two huge values would overflow.
  return sorted.length % 2 === 1 ? sorted[upper]! : sorted[upper - 1]! / 2 + sorted[upper]! / 2;
}
