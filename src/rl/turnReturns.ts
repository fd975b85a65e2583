import { discountedReturns } from './gigpo';
import { groupAdvantages, type EstimatorOptions, type GroupAdvantages } from './groupAdvantages';
import { groupIndices, pairIndices } from './groupIndices';
import { assertStepScores, taskGroups, type StepScores } from './stepScores';

/**
 * MAGRPO and its kin: the discounted return-to-go of the joint reward, G_t = Σ γᵏ r_{t+k}, compared at every turn with that of the
 * other joint samples of the task at the same turn; one advantage for whoever acts there. Baseline: their mean (MAGRPO), the mean of
 * the others (MARLOO), the best (MAREMAX); none of them divides by a std.
 * CoMLRL (arXiv 2508.04652) documentation, `reinforce-finetuning.md`, γ 0.9 there; not verified against the primary text.
 * @param steps `rewards` is what each step itself brought, all agents' together; `trajectoryIds` number joint samples, whose steps stand
 * in the order they were taken; `turnIndices` are needed. A reward that is not finite takes the steps before it out as well
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
  const returns = discountedReturns(rewards, trajectoryIds, gamma);
  const groups = pairIndices(taskGroups(steps), groupIndices(turnIndices));
  return groupAdvantages(
    { ...steps, rewards: returns, taskIds: groups.indices },
    { ...options, scope: 'task', unit: 'step' },
  );
}
