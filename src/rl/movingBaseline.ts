import { assertFraction } from './valueTrace';

/** Rewards and the role that earned each, in the order they came. Axis S: one entry per role and trajectory. */
export interface RoleRewards {
  /** [S] Unit: reward. May hold NaN and ±Infinity. */
  readonly rewards: Float64Array;
  /** [S] 0 … numAgents − 1: the role in its game. */
  readonly agentIds: Int32Array;
}

export interface RoleAdvantages {
  /** [S] Always finite. Unit: reward. */
  readonly advantages: Float64Array;
  /** [numAgents] for the next call. Unit: reward. */
  readonly baselines: Float64Array;
  /** Entries whose reward is not finite: advantage 0, no part in a baseline. */
  readonly numNonFinite: number;
}

/**
 * Role-conditioned advantages: A = r − b_role, and after use b_role ← decay·b_role + (1 − decay)·r, entry by entry. In a zero-sum
 * game the mean of a group is 0 whatever the policy does; a role's own average is not.
 * RAE, as described for SPIRAL (Liu et al. 2025, arXiv 2506.24119), formula as in PrimeIntellect-ai/prime-rl
 * `orchestrator/algo/rae.py`, not verified against the primary text.
 * @param baselines [numAgents] as the last call returned them, 0 at the start; not changed
 * @param decay 0..1; 0 = the role's last reward, 1 = baselines that never move
 * Throws a RangeError on unequal lengths, an agent without a baseline, or a decay outside [0, 1].
 */
export function roleBaselineAdvantages(
  baselines: Float64Array,
  { rewards, agentIds }: RoleRewards,
  decay: number,
): RoleAdvantages {
  assertFraction('decay', decay);
  if (agentIds.length !== rewards.length)
    throw new RangeError(
      `agentIds has ${agentIds.length} entries, rewards ${rewards.length}: give one of each per role and trajectory.`,
    );
  const moved = baselines.slice();
  let numNonFinite = 0;
  const advantages = rewards.map((reward, index) => {
    const agent = agentIds[index]!;
    const baseline = moved[agent];
    if (baseline === undefined)
      throw new RangeError(
        `agentIds[${index}] is ${agent}, the baselines are of ${moved.length} agents: give each agent a baseline, 0 at the start.`,
      );
    if (!Number.isFinite(reward)) {
      numNonFinite++;
      return 0;
    }
    moved[agent] = movedBaseline(baseline, reward, decay);
    return reward - baseline;
  });
  return { advantages, baselines: moved, numNonFinite };
}

export interface MovingBaselineAdvantages {
  /** [B] Always finite. Unit: reward. */
  readonly advantages: Float64Array;
  /** For the next batch. Unit: reward. */
  readonly baseline: number;
  /** Rewards that are not finite: advantage 0, no part in the baseline. */
  readonly numNonFinite: number;
}

/**
 * REINFORCE with a moving baseline: A = r − b for the whole batch, then b ← decay·b + (1 − decay)·mean(r). b does not depend on the
 * batch it is used on, so the gradient A·∇log π stays unbiased. Williams 1992, "Simple statistical gradient-following algorithms",
 * §3 (reinforcement comparison).
 * @param baseline as the last call returned it, 0 at the start
 * @param rewards [B]; in any order. Without a finite one the baseline stays
 * @param decay 0..1
 * Throws a RangeError on a decay outside [0, 1].
 */
export function movingBaselineAdvantages(
  baseline: number,
  rewards: Float64Array,
  decay: number,
): MovingBaselineAdvantages {
  assertFraction('decay', decay);
  const finite = rewards.filter((reward) => Number.isFinite(reward));
  const mean = finite.reduce((sum, reward) => sum + reward, 0) / finite.length;
  return {
    advantages: rewards.map((reward) => (Number.isFinite(reward) ? reward - baseline : 0)),
    baseline: finite.length === 0 ? baseline : movedBaseline(baseline, mean, decay),
    numNonFinite: rewards.length - finite.length,
  };
}

function movedBaseline(baseline: number, reward: number, decay: number): number {
  return decay * baseline + (1 - decay) * reward;
}
