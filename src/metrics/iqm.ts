import { mean } from './mean';
import { median } from './median';
import { assertTaskScores, flattenedScores, type TaskScores } from './taskScores';

/**
 * One number for many seeds and tasks. Agarwal, Schwarzer, Castro, Courville & Bellemare 2021, "Deep reinforcement learning at
 * the edge of the statistical precipice", §4. Unit: that of the scores. Every function throws a RangeError on no tasks, a
 * task without scores, or a score that is not finite.
 */

/**
 * Interquartile mean: mean of all scores of all tasks together, without the lowest and the highest quarter. ⌊n/4⌋ scores are
 * cut from each end, whole ones only, so with fewer than 4 scores it is the plain mean. A task with more seeds weighs more.
 */
export function interquartileMean(scores: TaskScores): number {
  assertTaskScores(scores, 'scores');
  const sorted = flattenedScores(scores);
  sorted.sort();
  const cut = Math.floor(sorted.length / 4);
  return mean(sorted.subarray(cut, sorted.length - cut));
}

/** Mean over tasks of the mean over seeds. Every task weighs the same. */
export function meanOfTaskMeans(scores: TaskScores): number {
  assertTaskScores(scores, 'scores');
  return mean(scores.map(mean));
}

/** Median over tasks of the mean over seeds: the "median" of Atari papers and of rliable. Of a single task it is the plain mean. */
export function medianOfTaskMeans(scores: TaskScores): number {
  assertTaskScores(scores, 'scores');
  return median(scores.map(mean));
}

/** Median of all scores of all tasks together. A task with more seeds weighs more. */
export function medianOfScores(scores: TaskScores): number {
  assertTaskScores(scores, 'scores');
  return median(Array.from(flattenedScores(scores)));
}

/**
 * gamma − mean of min(score, gamma) over all scores of all tasks together: how far the method stays below the target, where
 * what it does beyond the target buys nothing. Lower is better, 0 = every score reaches it.
 * @param gamma target, finite. 1 where scores are normalised so that 1 is the reference (human, or all tasks solved).
 */
export function optimalityGap(scores: TaskScores, gamma: number = 1): number {
  assertTaskScores(scores, 'scores');
  if (!Number.isFinite(gamma))
    throw new RangeError(`gamma is ${gamma}: give a finite target, such as 1.`);
  // The mean of the gaps, not the gap of the mean: exactly 0 when every score reaches the target.
  return mean(flattenedScores(scores).map((score) => Math.max(0, gamma - score)));
}
