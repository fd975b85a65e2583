import type { GradientPair } from '../../protocol/trainerApi';

function keyOf({ arm, seed, a, b }: GradientPair): string {
  return `${arm} ${seed} ${a} ${b}`;
}

/**
 * The latest of every pair of every (arm, seed), in order of first appearance. An iteration that did not measure against chance
 * leaves the last measurement standing, with its own iteration; a pair that did not learn stays as it was.
 */
export function keepPairs(
  kept: readonly GradientPair[],
  fresh: readonly GradientPair[],
): readonly GradientPair[] {
  if (fresh.length === 0) return kept;
  const pairs = new Map(kept.map((pair) => [keyOf(pair), pair]));
  for (const pair of fresh)
    pairs.set(keyOf(pair), {
      ...pair,
      conflict: pair.conflict ?? pairs.get(keyOf(pair))?.conflict ?? null,
    });
  return [...pairs.values()];
}
