/**
 * The value that would stand at `rank` (0-based) if `values` were sorted, in O(n): Hoare 1961, "Algorithm 65: find". Reorders `values`
 * in place. No NaN. Throws RangeError for a rank that is not there.
 */
export function selectRank(values: Float64Array, rank: number): number {
  if (!Number.isInteger(rank) || rank < 0 || rank >= values.length)
    throw new RangeError(`rank is ${rank}: expected one of the ${values.length} values.`);
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let [left, right] = [low, high];
    while (left <= right) {
      while (values[left]! < pivot) left += 1;
      while (values[right]! > pivot) right -= 1;
      if (left > right) break;
      const moved = values[left]!;
      values[left] = values[right]!;
      values[right] = moved;
      left += 1;
      right -= 1;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else break;
  }
  return values[rank]!;
}
