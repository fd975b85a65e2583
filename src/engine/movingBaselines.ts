import type { EstimatorSpec } from '../config/experimentSpec';
import { groupIndices, pairIndices, type GroupIndices } from '../rl/groupIndices';
import { movingBaselineAdvantages, roleBaselineAdvantages } from '../rl/movingBaseline';
import type { StepScores } from '../rl/stepScores';
import type { Baselines } from './baselines';

/** Baselines that move with the run, on the samples of a batch. */

interface Moved {
  /** [S] Unit: reward. */
  readonly advantages: Float64Array;
  /** Steps of samples whose reward is not finite. */
  readonly numNonFinite: number;
  readonly baselines: Baselines;
}

/** [M] mean score of each group's steps; not finite if one of them is not. */
function meanScores(rewards: Float64Array, { indices, numGroups }: GroupIndices): Float64Array {
  const sums = new Float64Array(numGroups);
  const counts = new Int32Array(numGroups);
  for (const [step, group] of indices.entries()) {
    sums[group]! += rewards[step]!;
    counts[group]!++;
  }
  return sums.map((sum, group) => sum / counts[group]!);
}

/** [M] value of each group at its first step. */
function firstOf(values: Int32Array, { indices, numGroups }: GroupIndices): Int32Array {
  const first = new Int32Array(numGroups);
  for (let step = indices.length - 1; step >= 0; step--) first[indices[step]!] = values[step]!;
  return first;
}

/**
 * RAE: one entry per role and trajectory, in the order the rollouts were drawn; REINFORCE: one per trajectory. An entry is the mean
 * score of its steps, and its advantage that of each of them.
 */
export function movingBaseline(
  scores: StepScores,
  baselines: Baselines,
  { baselineOf, decay }: Extract<EstimatorSpec, { kind: 'movingBaseline' }>,
): Moved {
  const trajectories = groupIndices(scores.trajectoryIds);
  const entries =
    baselineOf === 'role' ? pairIndices(trajectories, groupIndices(scores.agentIds)) : trajectories;
  const rewards = meanScores(scores.rewards, entries);
  const numNonFinite = entries.indices.filter((entry) => !Number.isFinite(rewards[entry])).length;
  const onSteps = (advantages: Float64Array): Float64Array =>
    Float64Array.from(entries.indices, (entry) => advantages[entry]!);
  if (baselineOf === 'batch') {
    const moved = movingBaselineAdvantages(baselines.ofBatch, rewards, decay);
    return {
      advantages: onSteps(moved.advantages),
      numNonFinite,
      baselines: { ...baselines, ofBatch: moved.baseline },
    };
  }
  const agentIds = firstOf(scores.agentIds, entries);
  const moved = roleBaselineAdvantages(baselines.ofRoles, { rewards, agentIds }, decay);
  return {
    advantages: onSteps(moved.advantages),
    numNonFinite,
    baselines: { ...baselines, ofRoles: moved.baselines },
  };
}
