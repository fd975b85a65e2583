/**
 * Scores of one method: entry t holds those of task t, one per seed (rliable's "runs"). Finite. Tasks may differ in their
 * number of seeds. Unit: the metric's; bring tasks to one scale first if they are to be averaged.
 */
export type TaskScores = readonly ArrayLike<number>[];

/** What to print beside every statistic. */
export interface SampleSize {
  /** N: seeds of the task that has the fewest. */
  readonly numSeeds: number;
  readonly numTasks: number;
  /** N is below `enoughSeeds`: the statistic stands, but says little. */
  readonly isFewSeeds: boolean;
}

/** Below this a page warns: Gorsane et al. 2022, Agarwal et al. 2021. With 5 seeds a percentile interval has 126 different resamples; with 3 only 10. */
export const enoughSeeds = 5;

/** Sample size of scores that have passed `assertTaskScores`. */
export function sampleSizeOf(scores: TaskScores): SampleSize {
  const numSeeds = Math.min(...scores.map(({ length }) => length));
  return { numSeeds, numTasks: scores.length, isFewSeeds: numSeeds < enoughSeeds };
}

/**
 * Throws a RangeError on no tasks, a task without seeds, or a score that is not finite. No score is left out in silence: a
 * seed that blew up is a result, and only the caller can say what it counts as.
 * @param name of the argument, for the message
 */
export function assertTaskScores(scores: TaskScores, name: string): void {
  if (scores.length === 0)
    throw new RangeError(`${name} has no tasks: give one list of scores per task.`);
  for (const [task, values] of scores.entries()) {
    if (values.length === 0)
      throw new RangeError(`${name} has no scores for task ${task}: give one per seed.`);
    for (let seed = 0; seed < values.length; seed++)
      if (!Number.isFinite(values[seed]))
        throw new RangeError(
          `${name} of task ${task} is ${values[seed]} at position ${seed}, expected a finite score: leave that seed out and say so, or count it as a failure.`,
        );
  }
}

/** [sum of all numbers of seeds] a new array, task after task. */
export function flattenedScores(scores: TaskScores): Float64Array {
  const flat = new Float64Array(scores.reduce((sum, { length }) => sum + length, 0));
  let from = 0;
  for (const values of scores) {
    flat.set(values, from);
    from += values.length;
  }
  return flat;
}

/** The same scores, each task's in increasing order: what is drawn from them depends no more on the order of the seeds. */
export function sortedScores(scores: TaskScores): Float64Array[] {
  return scores.map((values) => Float64Array.from(values).toSorted());
}
