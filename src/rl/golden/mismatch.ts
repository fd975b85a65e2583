/**
 * Where two arrays differ, in words; null if they agree: |actual − expected| ≤ tolerance·(1 + |expected|) everywhere.
 * NaN agrees with NaN only, an infinity with itself only. Says the worst entry.
 */
export function mismatch(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
): string | null {
  if (actual.length !== expected.length)
    return `${actual.length} entries came, ${expected.length} were expected`;
  let worst = -1;
  let worstExcess = 0;
  for (let i = 0; i < expected.length; i++) {
    const excess = excessOf(actual[i]!, expected[i]!, tolerance);
    if (excess <= worstExcess) continue;
    worst = i;
    worstExcess = excess;
  }
  return worst < 0
    ? null
    : `entry ${worst}: ${actual[worst]} came, ${expected[worst]} was expected`;
}

/** How far beyond the tolerance; Infinity where only one of the two is a finite number. */
function excessOf(actual: number, expected: number, tolerance: number): number {
  if (Object.is(actual, expected)) return 0;
  const distance = Math.abs(actual - expected);
  if (!Number.isFinite(distance)) return Infinity;
  return distance - tolerance * (1 + Math.abs(expected));
}
