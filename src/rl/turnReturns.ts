import { discountedReturns } from './gigpo';
import { groupAdvantages, type EstimatorOptions, type GroupAdvantages } from './groupAdvantages';
import { groupIndices, pairIndices } from './groupIndices';
import { assertStepScores, taskGroups, type StepScores } from './stepScores';

/**
 * MAGRPO and its kin: the discounted return-to-go of the joint reward, G_t = Σ γᵏ r_{t+k} over the turns to come, compared at every turn
 * with that of the other joint samples of the task at the same turn; one advantage for all who act there. Baseline: their mean
 * (MAGRPO), the mean of the others (MARLOO), the best (MAREMAX); none of them divides by a std.
 * OpenMLRL/CoMLRL (arXiv 2508.04652), documentation `reinforce-finetuning.md` (γ 0.9) and `magrpo.py::_compute_advantages`; the paper
 * not verified. That code grows a tree: each joint action goes on K times, the mean return of its continuations stands for the later
 * turns, and only joint actions from one state are compared. Here rollouts are independent: from the second turn on, a group may
 * mix states.
 * @param steps `rewards` is what each step itself brought; those of one trajectory and turn add up to the joint reward. `trajectoryIds`
 * number joint samples, whose turns stand in the order they were taken; `turnIndices` are needed. A reward that is not finite takes
 * the turns before it out as well
 * Throws a RangeError on unequal lengths, without turn indices, or γ outside [0, 1].
 */
export function turnReturnAdvantages(
  steps: StepScores,
  { gamma, ...options }: Omit<EstimatorOptions, 'scope' | 'unit'> & { readonly gamma: number },
): GroupAdvantages {
  assertStepScores(steps);
  const { rewards, trajectoryIds, turnIndices } = steps;
  if (turnIndices === undefined)
    throw new RangeError(
      'turnReturnAdvantages needs turnIndices: give the place of every step in its trajectory.',
    );
  const turns = groupIndices(turnIndices);
  const jointTurns = pairIndices(groupIndices(trajectoryIds), turns);
  const jointRewards = new Float64Array(jointTurns.numGroups);
  const trajectoryOf = new Int32Array(jointTurns.numGroups);
  for (const [step, jointTurn] of jointTurns.indices.entries()) {
    jointRewards[jointTurn]! += rewards[step]!;
    trajectoryOf[jointTurn] = trajectoryIds[step]!;
  }
  const returns = discountedReturns(jointRewards, trajectoryOf, gamma);
  return groupAdvantages(
    {
      ...steps,
      rewards: Float64Array.from(jointTurns.indices, (jointTurn) => returns[jointTurn]!),
      taskIds: pairIndices(taskGroups(steps), turns).indices,
      trajectoryIds: jointTurns.indices,
    },
    { ...options, scope: 'task', unit: 'trajectory' },
  );
}
