import { groupIndices, pairIndices, type GroupIndices } from './groupIndices';
import { groupMeans } from './groupMoments';

/** What the steps of a batch earned, and whose they were. Axis S: one entry per agent step. */
export interface StepScores {
  /** [S] the step's score: team reward − the step's own penalty. Unit: reward. May hold NaN and ±Infinity. */
  readonly rewards: Float64Array;
  /** [S] */
  readonly taskIds: Int32Array;
  /** [S] unique over the batch: a trajectory belongs to one task. */
  readonly trajectoryIds: Int32Array;
  /** [S] */
  readonly agentIds: Int32Array;
  /** [S] place of the step in its trajectory; needed by scope `taskAgentTurn` alone. */
  readonly turnIndices?: Int32Array;
  /**
   * [S] how often the step's sample counts in the statistics, ≥ 0; absent = once. Equal for the steps of one trajectory. M-GRPO's
   * aligned invocations have them (Hong et al. 2025, arXiv 2511.13288, §4).
   */
  readonly weights?: Float64Array;
}

/** Scores whose unit is the trajectory (or an agent's part of it) instead of the step. */
export interface TrajectoryScores {
  /** [M] mean of the finite scores of the trajectory's steps; NaN where there is none. */
  readonly values: Float64Array;
  /** [M] group of each trajectory. */
  readonly groups: GroupIndices;
  /** [M] null = all 1. */
  readonly weights: Float64Array | null;
  /** [S] the mean of the step's own trajectory; NaN where the step's own score is not finite. */
  readonly stepValues: Float64Array;
}

/** Throws a RangeError unless the arrays have one length and every weight is finite and ≥ 0. */
export function assertStepScores(scores: StepScores): void {
  const { rewards, taskIds, trajectoryIds, agentIds, turnIndices = taskIds } = scores;
  const { weights = rewards } = scores;
  const columns = { taskIds, trajectoryIds, agentIds, turnIndices, weights };
  for (const [name, ids] of Object.entries(columns))
    if (ids.length !== rewards.length)
      throw new RangeError(
        `${name} has ${ids.length} entries, rewards ${rewards.length}: give one of each per step.`,
      );
  const wrong = scores.weights?.findIndex((weight) => !(weight >= 0 && weight < Infinity)) ?? -1;
  if (wrong >= 0)
    throw new RangeError(
      `weights[${wrong}] is ${scores.weights![wrong]}: expected a finite number ≥ 0, how often the sample counts.`,
    );
}

/** Partition by task. */
export function taskGroups(scores: StepScores): GroupIndices {
  return groupIndices(scores.taskIds);
}

/** Partition by (task, agent, turn): the group of AT-GRPO. Throws a RangeError without turn indices. */
export function taskAgentTurnGroups(scores: StepScores): GroupIndices {
  if (scores.turnIndices === undefined)
    throw new RangeError(
      'scope taskAgentTurn needs turnIndices: give the place of every step in its trajectory.',
    );
  return pairIndices(taskAgentGroups(scores), groupIndices(scores.turnIndices));
}

/** Everything in one group. */
export function batchGroup(scores: StepScores): GroupIndices {
  return {
    indices: new Int32Array(scores.rewards.length),
    numGroups: scores.rewards.length === 0 ? 0 : 1,
  };
}

/** Partition by (task, agent): the group of Dr. MAS. */
export function taskAgentGroups(scores: StepScores): GroupIndices {
  return pairIndices(groupIndices(scores.taskIds), groupIndices(scores.agentIds));
}

/**
 * Averages the steps of every trajectory to one number, which also replaces the score of each of its steps.
 * Vanilla GRPO as the Dr. MAS code runs it (langfengQ/DrMAS, `compute_grpo_outcome_advantage`).
 * With `perAgent` the average is over one agent's steps of the trajectory.
 * Throws a RangeError where one trajectory lies in two groups.
 */
export function trajectoryScores(
  scores: StepScores,
  groups: GroupIndices,
  perAgent: boolean,
): TrajectoryScores {
  const trajectories = groupIndices(scores.trajectoryIds);
  const samples = perAgent
    ? pairIndices(trajectories, groupIndices(scores.agentIds))
    : trajectories;
  const values = groupMeans(scores.rewards, samples).means;
  const sampleGroups = new Int32Array(samples.numGroups).fill(-1);
  const sampleWeights = scores.weights ? new Float64Array(samples.numGroups) : null;
  const stepValues = new Float64Array(scores.rewards.length);
  for (let step = 0; step < stepValues.length; step++) {
    const sample = samples.indices[step]!;
    const group = groups.indices[step]!;
    if (sampleGroups[sample] === -1) sampleGroups[sample] = group;
    else if (sampleGroups[sample] !== group)
      throw new RangeError(
        `trajectory ${scores.trajectoryIds[step]} has steps of two tasks: number trajectories uniquely over the batch.`,
      );
    if (sampleWeights !== null) sampleWeights[sample] = scores.weights![step]!;
    stepValues[step] = Number.isFinite(scores.rewards[step]!) ? values[sample]! : NaN;
  }
  return {
    values,
    weights: sampleWeights,
    stepValues,
    groups: { indices: sampleGroups, numGroups: groups.numGroups },
  };
}
