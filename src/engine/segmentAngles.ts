import { median } from '../metrics/median';
import { percentileInterval } from '../metrics/percentileInterval';
import type { SegmentGradients } from '../protocol/policyApi';

/** Angles between sums of segments, from inner products alone. Pure, float64. */

type Products = Pick<SegmentGradients, 'segments' | 'products'>;

/** ⟨Σ p, Σ q⟩ over two sets of segment ids; a segment without turns has gradient 0. */
function innerProduct(
  { segments, products }: Products,
  some: readonly number[],
  others: readonly number[],
): number {
  let sum = 0;
  for (const [i, a] of segments.entries())
    if (some.includes(a))
      for (const [j, b] of segments.entries())
        if (others.includes(b)) sum += products[i * segments.length + j]!;
  return sum;
}

/** Length of the sum of some segments’ gradients. */
export function normOf(gradients: Products, some: readonly number[]): number {
  // Rounding can leave opposite parts a sum below 0.
  return Math.sqrt(Math.max(0, innerProduct(gradients, some, some)));
}

/** Cosine of the sums of two sets of segments; NaN where one of them is 0 or not finite. */
export function cosineOf(
  gradients: Products,
  some: readonly number[],
  others: readonly number[],
): number {
  const norms = normOf(gradients, some) * normOf(gradients, others);
  return innerProduct(gradients, some, others) / norms;
}

/** What cosines chance makes: where the lowest 5 % end, and the middle. */
export interface NullBand {
  readonly low: number;
  readonly median: number;
}

/** Of cosines between random halves; those that are no number (an empty half) are left out. Null where none is left. */
export function nullBand(cosines: readonly number[]): NullBand | null {
  const finite = cosines.filter(Number.isFinite);
  if (finite.length === 0) return null;
  // Cutting 5 % off either end: the low end is the 5 % quantile.
  const { low } = percentileInterval(Float64Array.from(finite), 0.9);
  return { low, median: median(finite) };
}

/** Two gradients and the cosines that chance makes of either. */
export interface ComparedAngle extends NullBand {
  readonly cosine: number;
  /** The cosine is below the null's 5 % quantile: further apart than 95 in 100 random halves of one's own turns. */
  readonly isConflict: boolean;
}

/** Null where the angle is none, or chance could not be measured. */
export function comparedAngle(cosine: number, halves: readonly number[]): ComparedAngle | null {
  const band = nullBand(halves);
  if (band === null || !Number.isFinite(cosine)) return null;
  return { cosine, ...band, isConflict: cosine < band.low };
}
