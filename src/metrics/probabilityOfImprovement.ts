import { mean } from './mean';
import type { BootstrapOptions } from './resampling';
import { stratifiedBootstrap, type Estimate } from './stratifiedBootstrap';
import { assertTaskScores, type TaskScores } from './taskScores';

/** Two methods on the same tasks in the same order. Their seeds are independent, and their numbers may differ. */
export interface MethodScores {
  readonly candidate: TaskScores;
  readonly baseline: TaskScores;
}

/** Share of all pairs of one score of each in which the candidate's is higher, a tie counted as half: U / (n·m). */
function shareAbove(candidate: ArrayLike<number>, baseline: ArrayLike<number>): number {
  let halves = 0;
  for (let row = 0; row < candidate.length; row++)
    for (let column = 0; column < baseline.length; column++)
      halves += 1 + Math.sign(candidate[row]! - baseline[column]!);
  return halves / (2 * candidate.length * baseline.length);
}

/**
 * P(candidate > baseline): how likely a random seed of the candidate beats a random seed of the baseline on a random task. Mean
 * over tasks of U/(n·m), where U is the statistic of Mann & Whitney 1947, ties counted as half. Agarwal et al. 2021, "Deep
 * reinforcement learning at the edge of the statistical precipice", §4. 0..1; ½ = no difference. It says how often, not by
 * how much. The interval is a stratified bootstrap in which both methods are drawn, each on its own, inside each task.
 * `numSeeds` is that of the method and task with the fewest; the interval is null if that is 1.
 * For arms that share seeds, `pairedBootstrap` is sharper.
 * Throws a RangeError on different numbers of tasks, no tasks, a task without scores, a score that is not finite, or options out of range.
 */
export function probabilityOfImprovement(
  { candidate, baseline }: MethodScores,
  options: BootstrapOptions,
): Estimate {
  assertTaskScores(candidate, 'candidate');
  assertTaskScores(baseline, 'baseline');
  const numTasks = candidate.length;
  if (baseline.length !== numTasks)
    throw new RangeError(
      `candidate has ${numTasks} tasks, baseline ${baseline.length}: give both the same tasks in the same order.`,
    );
  const probability = (strata: TaskScores): number =>
    mean(
      Array.from({ length: numTasks }, (_, task) =>
        shareAbove(strata[task]!, strata[numTasks + task]!),
      ),
    );
  // Each method's tasks are strata of their own, so the two are drawn independently.
  return { ...stratifiedBootstrap([...candidate, ...baseline], probability, options), numTasks };
}
