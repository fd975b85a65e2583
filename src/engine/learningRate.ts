import type { PolicySpec } from '../config/experimentSpec';

/**
 * Learning rate of iteration 1 … iterations: a linear rise over the warm-up, then constant, or a decay from the full rate at the
 * first iteration after it to `finalFraction` of it at the last. Unit: parameter change per unit of direction.
 */
export function learningRateAt(
  { optimizer, schedule }: PolicySpec,
  iteration: number,
  iterations: number,
): number {
  const { kind, warmupIterations, finalFraction } = schedule;
  const full = optimizer.learningRate;
  if (iteration <= warmupIterations) return (full * iteration) / warmupIterations;
  const span = iterations - warmupIterations - 1;
  const progress = span <= 0 ? 1 : (iteration - warmupIterations - 1) / span;
  switch (kind) {
    case 'constant':
      return full;
    case 'linear':
      return full * (1 + (finalFraction - 1) * progress);
    case 'cosine':
      return (
        full * (finalFraction + ((1 - finalFraction) * (1 + Math.cos(Math.PI * progress))) / 2)
      );
  }
}
