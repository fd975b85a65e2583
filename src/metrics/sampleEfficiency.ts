import { interquartileMean } from './iqm';
import { assertBootstrapOptions, type BootstrapOptions } from './resampling';
import { assertScoreLine, type ScoreLine } from './scoreLine';
import { stratifiedBootstrap } from './stratifiedBootstrap';
import { enoughSeeds } from './taskScores';

/** Interquartile means along x; each array has one entry per x. */
export interface SampleEfficiency {
  /** [n] every x at which some seed has a point, increasing. */
  readonly xs: Float64Array;
  /** [n] interquartile mean over the seeds of all tasks; NaN where a task has no finite score: without it, it would be another quantity. */
  readonly estimates: Float64Array;
  /** [n] pointwise ends; NaN also where a task has a single seed left. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** [n] N: seeds with a finite score here, of the task that has the fewest. */
  readonly numSeeds: Int32Array;
  /** [n] scores here, of all tasks, that are NaN or ±Infinity. They take no part. */
  readonly numNotFinite: Int32Array;
  /** At some x, N is below `enoughSeeds`. False when there is no x. */
  readonly isFewSeeds: boolean;
  readonly numTasks: number;
  readonly level: number;
  readonly numResamples: number;
}

function assertTasks(tasks: readonly (readonly ScoreLine[])[]): void {
  if (tasks.length === 0)
    throw new RangeError('tasks is empty: give one list of lines per task, one line per seed.');
  for (const [task, lines] of tasks.entries()) {
    if (lines.length === 0)
      throw new RangeError(`Task ${task} has no lines: give one per seed, empty if nothing came.`);
    for (const [seed, line] of lines.entries())
      assertScoreLine(line, `Line ${seed} of task ${task}`);
  }
}

/** [numXs] for each x the values that one task's seeds logged there. */
function valuesByX(lines: readonly ScoreLine[], xs: Float64Array): number[][] {
  const next = lines.map(() => 0);
  return Array.from(xs, (x) => {
    const found: number[] = [];
    for (const [seed, line] of lines.entries()) {
      const position = next[seed]!;
      if (line.xs[position] !== x) continue;
      next[seed] = position + 1;
      found.push(line.values[position]!);
    }
    return found;
  });
}

/** The same draws for every x, made once: the band is smooth where the lines are, and randomness costs no more for longer lines. */
function sharedDraws(options: BootstrapOptions, numLines: number): BootstrapOptions {
  const draws = Float64Array.from({ length: options.numResamples * numLines }, (_, counter) =>
    options.uniform(counter),
  );
  return { ...options, uniform: (counter) => draws[counter]! };
}

/**
 * Sample-efficiency curve: interquartile mean of the scores at each x with a pointwise percentile interval by stratified
 * bootstrap, seeds drawn inside each task. Agarwal et al. 2021, "Deep reinforcement learning at the edge of the statistical
 * precipice", §4. Only scores logged at that very x take part: nothing is interpolated, and a seed that ended or skipped an x
 * is not in its N. If seeds end because they failed, the rest of the curve speaks of the survivors: show N with it.
 * @param tasks [numTasks][seeds of the task] one line per seed, empty if it has logged nothing.
 * Memory: 8 bytes × resamples × lines while it is worked out.
 * Throws a RangeError on no tasks, a task without lines, a line with unequal lengths or xs that do not increase, or options out of range.
 */
export function sampleEfficiency(
  tasks: readonly (readonly ScoreLine[])[],
  options: BootstrapOptions,
): SampleEfficiency {
  assertBootstrapOptions(options);
  assertTasks(tasks);
  const { level, numResamples } = options;
  const lines = tasks.flat();
  const xs = Float64Array.from(new Set(lines.flatMap((line) => Array.from(line.xs)))).toSorted();
  const shared = sharedDraws(options, lines.length);
  const logged = tasks.map((seeds) => valuesByX(seeds, xs));
  const estimates = new Float64Array(xs.length).fill(NaN);
  const low = estimates.slice();
  const high = estimates.slice();
  const numSeeds = new Int32Array(xs.length);
  const numNotFinite = new Int32Array(xs.length);
  for (const row of xs.keys()) {
    const values = logged.map((task) => task[row]!);
    const scores = values.map((task) => task.filter(Number.isFinite));
    numSeeds[row] = Math.min(...scores.map(({ length }) => length));
    numNotFinite[row] = values.flat().length - scores.flat().length;
    if (numSeeds[row] === 0) continue;
    const { estimate, interval } = stratifiedBootstrap(scores, interquartileMean, shared);
    estimates[row] = estimate;
    low[row] = interval?.low ?? NaN;
    high[row] = interval?.high ?? NaN;
  }
  return {
    xs,
    estimates,
    low,
    high,
    numSeeds,
    numNotFinite,
    isFewSeeds: numSeeds.some((count) => count < enoughSeeds),
    numTasks: tasks.length,
    level,
    numResamples,
  };
}
