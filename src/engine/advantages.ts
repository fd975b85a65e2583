import type { TrainingSpec } from '../config/experimentSpec';
import { groupAdvantages, type GroupAdvantages } from '../rl/groupAdvantages';
import type { Key } from '../rl/rng';
import type { StepScores } from '../rl/stepScores';
import { alignSteps } from './alignment';
import type { Trajectory, Turn } from './rollout';

/** One replica's steps in the order of its trajectories, with what they earned. Axis S. */
export interface ScoredSteps {
  /** [S] */
  readonly turns: readonly Turn[];
  /** [S] index of the trajectory among the replica's. */
  readonly trajectoryOf: Int32Array;
  /** [S] how often the step counts after the alignment of sub-trajectories; 1 where there are none. */
  readonly weights: Float64Array;
  /** Its `trajectoryIds` number main trajectories and invocations alike: each is one sample of the unit `trajectory`. */
  readonly scores: StepScores;
  readonly result: GroupAdvantages;
}

/** What a turn earned before its own penalty. */
function rewardOf({ teamReward, rewards }: Trajectory, turn: Turn): number {
  if (rewards === null) return teamReward;
  if (turn.invocation === null) return rewards.main;
  const found = rewards.invocations.find(
    ({ agent, invocation }) => agent === turn.agent && invocation === turn.invocation,
  );
  if (found === undefined)
    throw new Error(
      `Invocation ${turn.invocation} of agent ${turn.agent} took a turn but earned no reward: the world must name one.`,
    );
  return found.reward;
}

/** Numbers samples in order of first use. */
function sampleNumbers(): (trajectory: number, turn: Turn) => number {
  const numbers = new Map<string, number>();
  return (trajectory, { agent, invocation }) => {
    const key = invocation === null ? `${trajectory}` : `${trajectory} ${agent} ${invocation}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  };
}

/** Scores (reward − own penalty) of one replica's steps. */
function stepScores(trajectories: readonly Trajectory[]): Omit<ScoredSteps, 'weights' | 'result'> {
  const turns = trajectories.flatMap((trajectory) => trajectory.turns);
  const rewards = new Float64Array(turns.length);
  const taskIds = new Int32Array(turns.length);
  const trajectoryIds = new Int32Array(turns.length);
  const agentIds = new Int32Array(turns.length);
  const trajectoryOf = new Int32Array(turns.length);
  const turnIndices = new Int32Array(turns.length);
  const sampleOf = sampleNumbers();
  let step = 0;
  for (const [index, trajectory] of trajectories.entries())
    for (const turn of trajectory.turns) {
      rewards[step] = rewardOf(trajectory, turn) - turn.penalty;
      taskIds[step] = trajectory.task;
      trajectoryIds[step] = sampleOf(index, turn);
      agentIds[step] = turn.agent;
      trajectoryOf[step] = index;
      turnIndices[step] = turn.turnIndex;
      step++;
    }
  return {
    turns,
    trajectoryOf,
    scores: { rewards, taskIds, trajectoryIds, agentIds, turnIndices },
  };
}

/**
 * Advantages of one replica's rollouts under its own estimator, in float64.
 * @param key decides which invocations an alignment duplicates or drops; not used elsewhere
 */
export function scoreSteps(
  trajectories: readonly Trajectory[],
  { estimator, groups }: Pick<TrainingSpec, 'estimator' | 'groups'>,
  key: Key,
): ScoredSteps {
  const steps = stepScores(trajectories);
  const { scores } = steps;
  if (estimator.kind !== 'group') throw new Error(`No estimator ${estimator.kind} yet.`);
  const { weights, taskIds } = alignSteps(steps, estimator, groups.groupSize, key);
  // What counts once is left without weights: the same numbers, faster.
  const isPlain = weights.every((weight) => weight === 1);
  const aligned = isPlain ? { ...scores, taskIds } : { ...scores, taskIds, weights };
  return { ...steps, weights, result: groupAdvantages(aligned, estimator) };
}
