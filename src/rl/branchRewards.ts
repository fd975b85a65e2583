import { uniformInt, type Key } from './rng';

/**
 * What a branch of a tree earns: r = α·r_team + r_local. AT-GRPO of Stronger-MAS (arXiv 2510.11062), as described in secondary
 * sources, α = 1 there; not verified against the primary text. Unit: reward. Throws a RangeError unless α ≥ 0.
 */
export function branchReward(
  teamReward: number,
  localReward: number,
  teamRewardWeight: number,
): number {
  if (!(teamRewardWeight >= 0))
    throw new RangeError(
      `teamRewardWeight is ${teamRewardWeight}: give a number from 0, such as 1.`,
    );
  return teamRewardWeight * teamReward + localReward;
}

/**
 * Index of the best finite score [K]; ties are broken uniformly at random by `key`. 0 if no score is finite.
 * The branch that AT-GRPO's tree goes on from. Throws a RangeError on no scores.
 */
export function bestBranch(scores: Float64Array, key: Key): number {
  if (scores.length === 0) throw new RangeError('scores is empty: give one score a branch.');
  const best = scores.reduce(
    (largest, score) => (Number.isFinite(score) && score > largest ? score : largest),
    -Infinity,
  );
  const ties = [...scores.keys()].filter((branch) => scores[branch] === best);
  return Number.isFinite(best) ? ties[uniformInt(key, 0, ties.length)]! : 0;
}
