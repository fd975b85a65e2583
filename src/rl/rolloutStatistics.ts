import { groupAdvantages, type EstimatorOptions, type GroupAdvantages } from './groupAdvantages';

/** What each rollout earned. Axis N: one entry per rollout, however many calls it made. */
export interface RolloutOutcomes {
  /** [N] Unit: reward. May hold NaN and ±Infinity. */
  readonly rewards: Float64Array;
  /** [N] */
  readonly taskIds: Int32Array;
}

export interface RolloutAdvantages {
  /** [S] the advantage of the call's rollout. Always finite. */
  readonly advantages: Float64Array;
  /** The same per rollout [N], with the statistics behind it. */
  readonly rollouts: GroupAdvantages;
}

/**
 * LightningRL: every call of a policy is a training sample of its own, but a rollout enters the statistics of its task once, and
 * its advantage is handed to each of its calls. So a rollout that calls more often, or whose context was cut into more pieces,
 * moves neither mean nor std; one without a single call still counts.
 * As described in Luo et al. 2025, "Agent Lightning" (arXiv 2508.03680), formula as in microsoft/agent-lightning
 * `verl/rollout_level_advantage.py`, not verified against the primary text.
 * @param callRollouts [S] the call's rollout, 0 … N − 1
 * Throws a RangeError on unequal lengths, a call of no rollout, or a negative ε or minStd.
 */
export function rolloutAdvantages(
  { rewards, taskIds }: RolloutOutcomes,
  callRollouts: Int32Array,
  options: Omit<EstimatorOptions, 'scope' | 'unit'>,
): RolloutAdvantages {
  assertCalls(callRollouts, rewards.length);
  const scores = {
    rewards,
    taskIds,
    trajectoryIds: Int32Array.from(rewards, (_, rollout) => rollout),
    agentIds: new Int32Array(rewards.length),
  };
  const rollouts = groupAdvantages(scores, { ...options, scope: 'task', unit: 'trajectory' });
  return {
    advantages: Float64Array.from(callRollouts, (rollout) => rollouts.advantages[rollout]!),
    rollouts,
  };
}

/**
 * Row weights that turn a mean over tokens into the mean over rollouts of each rollout's own token mean:
 * w = (all tokens)/(N · tokens of the call's rollout), for aggregation `tokenMean`. Their mean over tokens is 1 if every rollout has one.
 * As described in Luo et al. 2025, "Agent Lightning" (arXiv 2508.03680), formula as in microsoft/agent-lightning
 * `verl/per_rollout_loss.py`, not verified against the primary text.
 * @param callRollouts [S] the call's rollout, 0 … N − 1
 * @param callTokens [S] tokens of the call that count in the loss, as often as they count
 * @returns [S] no unit; 0 for the calls of a rollout without a token
 * Throws a RangeError on unequal lengths or a call of no rollout.
 */
export function rolloutMeanWeights(
  callRollouts: Int32Array,
  callTokens: Int32Array | Float64Array,
  numRollouts: number,
): Float64Array {
  assertCalls(callRollouts, numRollouts);
  if (callTokens.length !== callRollouts.length)
    throw new RangeError(
      `callTokens has ${callTokens.length} entries, callRollouts ${callRollouts.length}: give one of each per call.`,
    );
  const tokens = new Float64Array(numRollouts);
  for (const [call, rollout] of callRollouts.entries()) tokens[rollout]! += callTokens[call]!;
  const allTokens = tokens.reduce((sum, count) => sum + count, 0);
  return Float64Array.from(callRollouts, (rollout) =>
    tokens[rollout] === 0 ? 0 : allTokens / (numRollouts * tokens[rollout]!),
  );
}

function assertCalls(callRollouts: Int32Array, numRollouts: number): void {
  for (const [call, rollout] of callRollouts.entries())
    if (rollout < 0 || rollout >= numRollouts)
      throw new RangeError(
        `callRollouts[${call}] is ${rollout}: expected 0 to ${numRollouts - 1}, there are ${numRollouts} rollouts.`,
      );
}
