/** The middle value, or the mean of the two in the middle. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}

/** Median of first[i] / second[i]: what the two have in common in a round, such as a busy machine, divides out. */
export function medianRatio(first: readonly number[], second: readonly number[]): number {
  return median(first.map((value, i) => value / (second[i] ?? NaN)));
}
