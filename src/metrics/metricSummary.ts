import { interquartileMean } from './iqm';
import { points, type RunSeries } from './runSeries';
import { seedScores, type ArmMetric } from './seedScores';
import { lastFinite, normsOf, spreadOf, type Extreme, type Spread } from './summary';

/** One metric of one seed. */
export interface SeedMetricSummary {
  readonly seed: number;
  readonly last: Extreme | null;
  /** The largest finite value, at the first iteration that reached it. */
  readonly largest: Extreme | null;
  /** By the rule for gradient norms; null where nothing was logged: no spike in nothing is not the same as no spike. */
  readonly numSpikes: number | null;
}

/** One metric of one arm, as the summary of a run says it of success and of the gradient norm. */
export interface MetricSummary {
  readonly last: Spread | null;
  readonly largest: Spread | null;
  /** All seeds together; null where none has logged it. */
  readonly numSpikes: number | null;
  /** Interquartile mean of the last finite values, as in the statistics of arms; null without one. Unit: the metric's. */
  readonly iqm: number | null;
  /** In the order given, those without values included. */
  readonly seeds: readonly SeedMetricSummary[];
}

/** O(logged values of the metric). */
export function summarizeMetric(
  series: RunSeries,
  seeds: readonly number[],
  key: ArmMetric,
): MetricSummary {
  const bySeed = seeds.map((seed): SeedMetricSummary => {
    const line = points(series, { ...key, seed });
    const { peak: largest, numSpikes } = normsOf(line);
    const isLogged = line.values.length > 0;
    return { seed, last: lastFinite(line), largest, numSpikes: isLogged ? numSpikes : null };
  });
  const spikes = bySeed.flatMap(({ numSpikes }) => numSpikes ?? []);
  const scores = [...seedScores(series, seeds, key, 'last').values()];
  return {
    last: spreadOf(bySeed.map(({ last }) => last)),
    largest: spreadOf(bySeed.map(({ largest }) => largest)),
    numSpikes: spikes.length === 0 ? null : spikes.reduce((sum, count) => sum + count, 0),
    iqm: scores.length === 0 ? null : interquartileMean([scores]),
    seeds: bySeed,
  };
}
