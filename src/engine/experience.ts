import type { Judgement } from '../envs/judgement';
import type { TrajectoryRewards } from '../envs/workflow';

/**
 * What rollouts leave behind for those who learn: tokens (the loss mask is their split: 0 on the prompt, 1 on the action), ids,
 * the sampler's log-probabilities and rewards. Nothing else passes from the side that acts to the side that learns.
 */

/** One agent's move in an episode: what it read, what it wrote. */
export interface Turn {
  readonly agent: number;
  readonly turnIndex: number;
  readonly promptTokens: Int32Array;
  /** [prompt length] see `Call.origins`. */
  readonly origins: Int32Array;
  readonly actionTokens: Int32Array;
  /** What a critic of the shared state reads before the turn; null unless an estimator asks for it. */
  readonly stateTokens: Int32Array | null;
  /** [action length] under the policy that sampled it. Unit: nats. */
  readonly rolloutLogprobs: Float32Array;
  readonly isValid: boolean;
  /** ≥ 0; subtracted from this step's score only. */
  readonly penalty: number;
  /** A scripted oracle's view of the action. */
  readonly judgement: Judgement;
  /** What the turn earned as a branch of a tree, without its penalty; null where whole episodes earn. */
  readonly branchReward: number | null;
  /** In a tree whose branches all continue: equal for turns of a task from the same state; null elsewhere. */
  readonly siblings: number | null;
  readonly anchor: number;
  /** Invocation of a sub-agent that the turn belongs to; null for the main trajectory. */
  readonly invocation: number | null;
}

/** One episode. Trajectories with equal (replica, batch, task) form a group. */
export interface Trajectory {
  readonly replica: number;
  /** Iteration of the learners that the rollout is meant for, from 1; 0 outside training. */
  readonly batch: number;
  readonly task: number;
  readonly turns: readonly Turn[];
  /** Outcome shared by the team, without penalties. */
  readonly teamReward: number;
  /** What main trajectory and invocations earned, where they earn different rewards; null = every turn earns the outcome. */
  readonly rewards: TrajectoryRewards | null;
}

/** The team earned all that there is to earn. */
export function isSolved({ teamReward }: Pick<Trajectory, 'teamReward'>): boolean {
  return teamReward === 1;
}
