/** Most points a chart draws for one line: recharts redraws 300 × 8 in about 13 ms, 2,000 × 8 in 105 ms. */
const maxDrawnPoints = 300;

interface Bucket {
  lowest: number;
  highest: number;
  notFinite: number;
}

function bucketOf(low: Float64Array, high: Float64Array, from: number, to: number): Bucket {
  const bucket = { lowest: -1, highest: -1, notFinite: -1 };
  for (let position = from; position < to; position++) {
    const bottom = low[position]!;
    const top = high[position]!;
    if (!Number.isFinite(bottom) || !Number.isFinite(top)) {
      if (bucket.notFinite < 0) bucket.notFinite = position;
      continue;
    }
    if (bucket.lowest < 0 || bottom < low[bucket.lowest]!) bucket.lowest = position;
    if (bucket.highest < 0 || top > high[bucket.highest]!) bucket.highest = position;
  }
  return bucket;
}

/**
 * Which positions of a line to draw: the first, the last, and of each bucket of neighbours the lowest and the highest
 * value, so that no spike is lost; if some values are not finite, also the first such one of each bucket, so that a gap
 * stays a gap. All of them when there are at most `maxPoints` (≥ 8). Positions increase.
 * `low` and `high` are the two edges of a band, or the same array for a line. Buckets hold equal numbers of positions.
 */
export function drawnPositions(
  low: Float64Array,
  high: Float64Array,
  maxPoints: number = maxDrawnPoints,
): number[] {
  const count = low.length;
  if (high.length !== count)
    throw new RangeError(`low has ${count} values, high ${high.length}: one of each per point.`);
  if (maxPoints < 8) throw new RangeError(`maxPoints is ${maxPoints}: expected at least 8.`);
  if (count <= maxPoints) return Array.from({ length: count }, (_, position) => position);
  const whole = extremes(low, high, Math.floor((maxPoints - 2) / 2));
  // Room for a third position in each bucket only where some values are not finite.
  const isBroken = whole.some(({ notFinite }) => notFinite >= 0);
  const buckets = isBroken ? extremes(low, high, Math.floor((maxPoints - 2) / 3)) : whole;
  const kept = new Set<number>([0, count - 1]);
  for (const { lowest, highest, notFinite } of buckets)
    for (const position of [lowest, highest, notFinite]) if (position >= 0) kept.add(position);
  return [...kept].toSorted((a, b) => a - b);
}

function extremes(low: Float64Array, high: Float64Array, numBuckets: number): Bucket[] {
  const edge = (index: number): number => Math.floor((index * low.length) / numBuckets);
  return Array.from({ length: numBuckets }, (_, index) =>
    bucketOf(low, high, edge(index), edge(index + 1)),
  );
}
