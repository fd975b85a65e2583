import type { EstimatorSpec } from '../config/experimentSpec';
import { groupAdvantages, type GroupAdvantages } from '../rl/groupAdvantages';
import type { StepScores } from '../rl/stepScores';
import type { Trajectory, Turn } from './rollout';

/** One replica's steps in the order of its trajectories, with what they earned. Axis S. */
export interface ScoredSteps {
  /** [S] */
  readonly turns: readonly Turn[];
  readonly scores: StepScores;
  readonly result: GroupAdvantages;
}

/** Scores (team reward − own penalty) of one replica's steps. */
function stepScores(trajectories: readonly Trajectory[]): {
  turns: Turn[];
  scores: StepScores;
} {
  const turns = trajectories.flatMap((trajectory) => trajectory.turns);
  const rewards = new Float64Array(turns.length);
  const taskIds = new Int32Array(turns.length);
  const trajectoryIds = new Int32Array(turns.length);
  const agentIds = new Int32Array(turns.length);
  let step = 0;
  for (const [index, trajectory] of trajectories.entries())
    for (const turn of trajectory.turns) {
      rewards[step] = trajectory.teamReward - turn.penalty;
      taskIds[step] = trajectory.task;
      trajectoryIds[step] = index;
      agentIds[step] = turn.agent;
      step++;
    }
  return { turns, scores: { rewards, taskIds, trajectoryIds, agentIds } };
}

/** Advantages of one replica's rollouts under its own estimator, in float64. */
export function scoreSteps(
  trajectories: readonly Trajectory[],
  estimator: EstimatorSpec,
): ScoredSteps {
  const { turns, scores } = stepScores(trajectories);
  return { turns, scores, result: groupAdvantages(scores, estimator) };
}
