import type { MetricKey } from './catalog';
import { interquartileMean } from './iqm';
import { summarizeMetric, type MetricSummary } from './metricSummary';
import { probabilityOfImprovement } from './probabilityOfImprovement';
import type { BootstrapOptions } from './resampling';
import type { RunScope, RunSeries } from './runSeries';
import { seedScores } from './seedScores';
import { stratifiedBootstrap, type Estimate } from './stratifiedBootstrap';

/** The arms of a run side by side in one metric. */

export interface ComparisonRequest {
  readonly metric: MetricKey;
  /** The agents that have rows, or `team` alone. */
  readonly agents: readonly string[];
  /** Arm that the others are compared with. */
  readonly baseline: string;
}

/** One arm of one agent (or the team). */
export interface ComparedArm {
  readonly agent: string;
  readonly arm: string;
  readonly summary: MetricSummary;
  /** Seeds with a finite value, and without one. */
  readonly numSeeds: number;
  readonly numLeftOut: number;
}

/** Agent by agent, each with its arms in the order of the scope. O(logged values of the metric). */
export function comparedArms(
  series: RunSeries,
  { arms, seeds }: RunScope,
  { metric, agents }: ComparisonRequest,
): readonly ComparedArm[] {
  return agents.flatMap((agent) =>
    arms.map((arm) => {
      const summary = summarizeMetric(series, seeds, { arm, agent, metric });
      const numSeeds = summary.last?.numSeeds ?? 0;
      return { agent, arm, summary, numSeeds, numLeftOut: seeds.length - numSeeds };
    }),
  );
}

/** What takes resampling, of the seeds' last finite values. */
export interface ArmEstimates {
  /** Null without a finite value. */
  readonly iqm: Estimate | null;
  /** That a seed of this arm ends above one of the baseline; null for the baseline itself. */
  readonly improvement: Estimate | null;
}

/** One entry per entry of `comparedArms`, in its order. */
export function comparisonEstimates(
  series: RunSeries,
  { arms, seeds }: RunScope,
  { metric, agents, baseline }: ComparisonRequest,
  options: BootstrapOptions,
): readonly ArmEstimates[] {
  return agents.flatMap((agent) => {
    const scoresOf = (arm: string): readonly number[] => [
      ...seedScores(series, seeds, { arm, agent, metric }, 'last').values(),
    ];
    const reference = scoresOf(baseline);
    return arms.map((arm) => {
      const own = scoresOf(arm);
      const isCompared = arm !== baseline && own.length > 0 && reference.length > 0;
      return {
        iqm: own.length === 0 ? null : stratifiedBootstrap([own], interquartileMean, options),
        improvement: isCompared
          ? probabilityOfImprovement({ candidate: [own], baseline: [reference] }, options)
          : null,
      };
    });
  });
}
