import type { PolicySpec } from './experimentSpec';

/**
 * What the schedule leaves of the learning rate in iteration 1 … iterations: a linear rise over the warm-up, then 1, or a decay from
 * 1 at the first iteration after it to `finalFraction` at the last.
 */
export function scheduledShare(
  { kind, warmupIterations, finalFraction }: PolicySpec['schedule'],
  iteration: number,
  iterations: number,
): number {
  if (iteration <= warmupIterations) return iteration / warmupIterations;
  const span = iterations - warmupIterations - 1;
  const progress = span <= 0 ? 1 : (iteration - warmupIterations - 1) / span;
  switch (kind) {
    case 'constant':
      return 1;
    case 'linear':
      return 1 + (finalFraction - 1) * progress;
    case 'cosine':
      return finalFraction + ((1 - finalFraction) * (1 + Math.cos(Math.PI * progress))) / 2;
  }
}
