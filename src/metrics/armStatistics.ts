import type { MetricKey } from './catalog';
import { interquartileMean, meanOfTaskMeans, medianOfScores, optimalityGap } from './iqm';
import { pairedBootstrap, type PairedInterval } from './pairedBootstrap';
import { performanceProfile, type PerformanceProfile } from './performanceProfile';
import { probabilityOfImprovement } from './probabilityOfImprovement';
import type { BootstrapOptions } from './resampling';
import { points, teamId, type RunScope, type RunSeries, type SeriesPoints } from './runSeries';
import { seedScores, type ScoreKind } from './seedScores';
import { sampleEfficiency, type SampleEfficiency } from './sampleEfficiency';
import { stratifiedBootstrap, type Estimate } from './stratifiedBootstrap';
import type { TaskScores } from './taskScores';

/** The arms of a run as methods on one task: every seed is a run with one score. */

export interface StatisticsRequest {
  /** A metric of the team, 0 … 1, higher is better. */
  readonly metric: MetricKey;
  readonly score: ScoreKind;
  /** Arm that the others are compared with. */
  readonly baseline: string;
}

export interface ArmStatistics {
  readonly arm: string;
  /** Seeds with a score, and without a finite one. */
  readonly numSeeds: number;
  readonly numLeftOut: number;
  /** Null without a score. */
  readonly iqm: Estimate | null;
  readonly mean: Estimate | null;
  readonly median: Estimate | null;
  /** To 1. */
  readonly optimalityGap: Estimate | null;
  /** That a seed of this arm scores above one of the baseline, and the mean difference on common seeds; null for the baseline itself. */
  readonly improvement: Estimate | null;
  readonly difference: PairedInterval | null;
}

/** Finite scores by seed. */
function scoresOf(
  series: RunSeries,
  seeds: readonly number[],
  arm: string,
  { metric, score }: StatisticsRequest,
): ReadonlyMap<number, number> {
  return seedScores(series, seeds, { arm, agent: teamId, metric }, score);
}

function differenceOn(
  own: ReadonlyMap<number, number>,
  baseline: ReadonlyMap<number, number>,
  options: BootstrapOptions,
): PairedInterval | null {
  const common = [...own.keys()].filter((seed) => baseline.has(seed));
  if (common.length < 2) return null;
  const [first, second] = [baseline, own].map((scores) => common.map((seed) => scores.get(seed)!));
  return pairedBootstrap({ first: first!, second: second! }, options);
}

/** One row an arm, in the order of the scope. */
export function armStatistics(
  series: RunSeries,
  { arms, seeds }: RunScope,
  request: StatisticsRequest,
  options: BootstrapOptions,
): ArmStatistics[] {
  const baseline = scoresOf(series, seeds, request.baseline, request);
  return arms.map((arm) => {
    const own = scoresOf(series, seeds, arm, request);
    const task = [[...own.values()]];
    const estimate = (statistic: (scores: TaskScores) => number): Estimate | null =>
      own.size === 0 ? null : stratifiedBootstrap(task, statistic, options);
    const isCompared = arm !== request.baseline && own.size > 0 && baseline.size > 0;
    return {
      arm,
      numSeeds: own.size,
      numLeftOut: seeds.length - own.size,
      iqm: estimate(interquartileMean),
      mean: estimate(meanOfTaskMeans),
      median: estimate(medianOfScores),
      optimalityGap: estimate((scores) => optimalityGap(scores)),
      improvement: isCompared
        ? probabilityOfImprovement({ candidate: task, baseline: [[...baseline.values()]] }, options)
        : null,
      difference: isCompared ? differenceOn(own, baseline, options) : null,
    };
  });
}

/** Thresholds of a profile: hundredths. */
const taus = Array.from({ length: 101 }, (_, index) => index / 100);

/** Share of an arm's seeds that score above each hundredth; null without a score. */
export function armProfile(
  series: RunSeries,
  { seeds }: RunScope,
  { arm, ...request }: StatisticsRequest & { readonly arm: string },
  options: BootstrapOptions,
): PerformanceProfile | null {
  const scores = [...scoresOf(series, seeds, arm, request).values()];
  return scores.length === 0 ? null : performanceProfile([scores], taus, options);
}

/** Most points of an efficiency curve: each is a bootstrap of its own. */
const mostPoints = 30;

/** Iterations in which some seed has a value: all of them, or evenly spaced ones with the first and the last. */
function curveIterations(lines: readonly SeriesPoints[]): ReadonlySet<number> {
  const all = [...new Set(lines.flatMap(({ iterations }) => [...iterations]))].toSorted(
    (a, b) => a - b,
  );
  if (all.length <= mostPoints) return new Set(all);
  const step = (all.length - 1) / (mostPoints - 1);
  return new Set(Array.from({ length: mostPoints }, (_, point) => all[Math.round(point * step)]!));
}

/** Interquartile mean of an arm's seeds over iterations, at 30 of them at most. */
export function armEfficiency(
  series: RunSeries,
  { seeds }: RunScope,
  { arm, metric }: { readonly arm: string; readonly metric: MetricKey },
  options: BootstrapOptions,
): SampleEfficiency {
  const logged = seeds.map((seed) => points(series, { arm, seed, agent: teamId, metric }));
  const shown = curveIterations(logged);
  const lines = logged.map(({ iterations, values }) => ({
    xs: iterations.filter((iteration) => shown.has(iteration)),
    values: values.filter((_, position) => shown.has(iterations[position]!)),
  }));
  return sampleEfficiency([lines], options);
}
