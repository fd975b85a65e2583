import type { MetricKey } from './catalog';
import { mean } from './mean';
import { points, type RunSeries } from './runSeries';

/** What of a seed's line is its score. */
export type ScoreKind =
  /** The last finite value. */
  | 'last'
  /** The highest finite value: chosen by what it measures, so it flatters noisy methods. */
  | 'best'
  /** The mean of the finite values: learning fast counts. */
  | 'mean';

/** The lines of one metric of one arm, one per seed. */
export interface ArmMetric {
  readonly arm: string;
  /** Agent id, or `team`. */
  readonly agent: string;
  readonly metric: MetricKey;
}

/** Finite scores by seed, in the order of `seeds`; a seed without a finite value is absent. Unit: the metric's. */
export function seedScores(
  series: RunSeries,
  seeds: readonly number[],
  key: ArmMetric,
  score: ScoreKind,
): ReadonlyMap<number, number> {
  const found = seeds.map((seed) => {
    const finite = points(series, { ...key, seed }).values.filter(Number.isFinite);
    if (score === 'last') return [seed, finite.at(-1) ?? NaN] as const;
    return [seed, score === 'mean' ? mean(finite) : Math.max(...finite)] as const;
  });
  return new Map(found.filter(([, value]) => Number.isFinite(value)));
}
