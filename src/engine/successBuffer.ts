import { foldIn, threefry2x32, uniformInt, type Key } from '../rl/rng';
import { isSolved, type Trajectory } from './experience';

/**
 * Successful rollouts of a run, to be imitated in its pulses: task-balanced, without repetitions, of bounded size. Entropulse of
 * ComputerRL (arXiv 2508.14040), as described in secondary sources, picks at random among those of all earlier policies.
 */

/** Most tasks that are remembered: beyond it a uniform subset of all. */
const maxTasks = 2048;

interface KeptTask {
  /** The tasks of smallest rank are kept, which is a uniform subset. */
  readonly rank: number;
  readonly rollouts: readonly Trajectory[];
}

export interface SuccessBuffer {
  readonly tasks: readonly KeptTask[];
}

export const emptyBuffer: SuccessBuffer = { tasks: [] };

/** What makes two rollouts of a task the same: who wrote what. */
function textOf({ turns }: Trajectory): string {
  return turns.map(({ agent, actionTokens }) => `${agent}:${actionTokens.join()}`).join(' ');
}

/** The first `maxPerTask` different successes among rollouts of one task. */
function distinctSuccesses(rollouts: readonly Trajectory[], maxPerTask: number): Trajectory[] {
  const kept = new Map<string, Trajectory>();
  for (const rollout of rollouts) {
    if (kept.size >= maxPerTask) break;
    const text = textOf(rollout);
    if (isSolved(rollout) && !kept.has(text)) kept.set(text, rollout);
  }
  return [...kept.values()];
}

/**
 * The buffer with the successes of one more iteration. Tasks of different iterations are different tasks.
 * @param key decides, with batch and task, which tasks stay when there are too many
 */
export function withSuccesses(
  { tasks }: SuccessBuffer,
  trajectories: readonly Trajectory[],
  maxPerTask: number,
  key: Key,
): SuccessBuffer {
  const byTask = new Map<number, Trajectory[]>();
  for (const trajectory of trajectories) {
    const own = byTask.get(trajectory.task) ?? [];
    byTask.set(trajectory.task, own);
    own.push(trajectory);
  }
  const fresh = Array.from(byTask, ([task, own]): KeptTask => {
    const [rank] = threefry2x32(foldIn(key, own[0]!.batch, task), [0, 0]);
    return { rank, rollouts: distinctSuccesses(own, maxPerTask) };
  }).filter(({ rollouts }) => rollouts.length > 0);
  const all = [...tasks, ...fresh];
  if (all.length <= maxTasks) return { tasks: all };
  return { tasks: all.toSorted((a, b) => a.rank - b.rank).slice(0, maxTasks) };
}

export function numSuccesses({ tasks }: SuccessBuffer): number {
  return tasks.reduce((sum, { rollouts }) => sum + rollouts.length, 0);
}

/** `count` rollouts with replacement: a uniform task, then a uniform one of its rollouts. Throws a RangeError on an empty buffer. */
export function drawSuccesses({ tasks }: SuccessBuffer, count: number, key: Key): Trajectory[] {
  if (tasks.length === 0) throw new RangeError('The buffer holds no success to draw.');
  return Array.from({ length: count }, (_, draw) => {
    const { rollouts } = tasks[uniformInt(key, 2 * draw, tasks.length)]!;
    return rollouts[uniformInt(key, 2 * draw + 1, rollouts.length)]!;
  });
}
