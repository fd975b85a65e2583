import { percentileInterval, type Interval } from './percentileInterval';
import { assertBootstrapOptions, forEachResample, type BootstrapOptions } from './resampling';
import {
  assertTaskScores,
  sampleSizeOf,
  sortedScores,
  type SampleSize,
  type TaskScores,
} from './taskScores';

/** A statistic and how far to trust it: all that a page prints in one place. */
export interface Estimate extends SampleSize {
  /** The statistic of the scores themselves. */
  readonly estimate: number;
  /** Null when a task has a single seed: nothing is known of how seeds differ, and a width of 0 would look like certainty. */
  readonly interval: Interval | null;
  readonly level: number;
  readonly numResamples: number;
}

/** The statistic of every resample; throws a RangeError where it is not finite, which would sort into an end unseen. */
function resampledStatistics(
  strata: TaskScores,
  statistic: (scores: TaskScores) => number,
  options: BootstrapOptions,
): Float64Array {
  const statistics = new Float64Array(options.numResamples);
  forEachResample(strata, options, (resample, index) => {
    const value = statistic(resample);
    if (!Number.isFinite(value))
      throw new RangeError(
        `The statistic of resample ${index} is ${value}: expected a finite number for any draw of finite scores.`,
      );
    statistics[index] = value;
  });
  return statistics;
}

/**
 * A statistic with its percentile interval, by stratified bootstrap: seeds are drawn with replacement inside each task, so every
 * resample has all tasks, each with its own number of seeds. Agarwal et al. 2021, "Deep reinforcement learning at the edge of
 * the statistical precipice", §4. Tasks are taken as given, so the interval speaks of other seeds, not of
 * other tasks. With few seeds it is too narrow. The order of the seeds inside a task plays no part.
 * @param statistic such as `interquartileMean`, or a closure that fixes its other arguments. It gets arrays that are used
 *   again: it keeps no view of them.
 * Throws a RangeError on no tasks, a task without scores, a score or a statistic that is not finite, or options out of range.
 */
export function stratifiedBootstrap(
  scores: TaskScores,
  statistic: (scores: TaskScores) => number,
  options: BootstrapOptions,
): Estimate {
  assertBootstrapOptions(options);
  assertTaskScores(scores, 'scores');
  const { level, numResamples } = options;
  const strata = sortedScores(scores);
  const size = sampleSizeOf(strata);
  return {
    estimate: statistic(strata),
    interval:
      size.numSeeds < 2
        ? null
        : percentileInterval(resampledStatistics(strata, statistic, options), level),
    level,
    numResamples,
    ...size,
  };
}
