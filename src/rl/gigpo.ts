import { groupAdvantages, type EstimatorOptions, type GroupAdvantages } from './groupAdvantages';
import { groupIndices, pairIndices } from './groupIndices';
import { assertStepScores, taskAgentGroups, taskGroups, type StepScores } from './stepScores';
import { assertFraction } from './valueTrace';

/**
 * Steps with the state that each acted on; the steps of a trajectory in the order they were taken. Axis S.
 * `rewards` [S] is what each step itself brought, so that a trajectory's steps sum to its episode return.
 */
export interface AnchoredSteps extends StepScores {
  /** [S] hash of the state acted on: equal states have equal anchors. */
  readonly anchors: Int32Array;
}

export interface GigpoOptions {
  /** `task`: as published; `taskAgent`: both groups within one agent, as Dr. MAS does with its `group_by_agent_id`. */
  readonly scope: 'task' | 'taskAgent';
  /** `meanNorm`: r − mean; `meanStdNorm`: (r − mean)/(std + ε). At both levels. */
  readonly mode: 'meanNorm' | 'meanStdNorm';
  /** Discount per step of the return-to-go, 0..1; typically 0.95. */
  readonly gamma: number;
  /** w ≥ 0 of the step level; typically 1. */
  readonly stepWeight: number;
  /** 1: `torch.std`, as the code; 0: population. `meanStdNorm` only. */
  readonly ddof: 0 | 1;
  /** Added to the std; 1e-6 in the code. Unit: reward. */
  readonly epsilon: number;
  /** A std below this gives advantage 0. `meanStdNorm` only. Unit: reward. */
  readonly minStd: number;
}

export interface GigpoAdvantages {
  /** [S] A = A_E + w·A_S. Always finite. Unit: group standard deviations, or reward under `meanNorm`. */
  readonly advantages: Float64Array;
  /** A_E with its statistics; the same at each step of a trajectory (of an agent's part of it, under scope `taskAgent`). */
  readonly episode: GroupAdvantages;
  /** [S] A_S; 0 where no other step acted on the same state. */
  readonly stepAdvantages: Float64Array;
  /** [S] discounted return-to-go; NaN in a trajectory with a reward that is not finite. Unit: reward. */
  readonly returns: Float64Array;
  /** [S] steps of the task (and agent) that acted on the same state, this one included; 0 if none has a finite return. */
  readonly anchorGroupSizes: Int32Array;
  /** Steps of trajectories with a reward that is not finite: outside all statistics, advantage 0. */
  readonly numNonFinite: number;
}

/**
 * GiGPO: A = A_E + w·A_S. A_E compares episode returns Σr within the task, one per trajectory; A_S compares the returns-to-go
 * Σ γᵏ r_{t+k} of the steps of the task that acted on the same state, one per step. Return-to-go and episode return run over all
 * steps of the trajectory, whoever acted.
 * As described in Feng et al. 2025 (arXiv 2505.10978; Eq. 3, 6, 7 and 8 as its code numbers them), formula as in
 * langfengQ/verl-agent `gigpo/core_gigpo.py`, not verified against the primary text. There the episode's statistics count a
 * trajectory once for each of its steps by default, and once, as here, with `compute_mean_std_cross_steps=False`.
 * Edge cases: an anchor of a single step gives A_S = 0 and a task of a single trajectory A_E = 0 (the code keeps the raw return
 * there); states of different tasks never meet. A reward that is not finite takes its whole trajectory out.
 * Float64, O(S). Throws a RangeError on arrays of unequal length, a trajectory in two tasks, γ outside [0, 1], or a negative
 * w, ε or minStd.
 */
export function gigpoAdvantages(steps: AnchoredSteps, options: GigpoOptions): GigpoAdvantages {
  assertAnchoredSteps(steps, options);
  const { returns, episodeReturns } = trajectoryReturns(steps, options.gamma);
  const estimator = {
    center: 'mean',
    scale: options.mode === 'meanNorm' ? 'none' : 'std',
    ddof: options.ddof,
    epsilon: options.epsilon,
    minStd: options.minStd,
    singleton: 'zero',
  } satisfies Partial<EstimatorOptions>;
  const episode = groupAdvantages(
    { ...steps, rewards: episodeReturns },
    { ...estimator, scope: options.scope, unit: 'trajectory' },
  );
  const groups = options.scope === 'task' ? taskGroups(steps) : taskAgentGroups(steps);
  const anchorGroups = pairIndices(groups, groupIndices(steps.anchors));
  const step = groupAdvantages(
    { ...steps, rewards: returns, taskIds: anchorGroups.indices },
    { ...estimator, scope: 'task', unit: 'step' },
  );
  return {
    advantages: episode.advantages.map(
      (advantage, index) => advantage + options.stepWeight * step.advantages[index]!,
    ),
    episode,
    stepAdvantages: step.advantages,
    returns,
    anchorGroupSizes: step.center.groupIndices.map((group) => step.center.numSamples[group]!),
    numNonFinite: step.numNonFinite,
  };
}

/**
 * Discounted return-to-go of every step, G_t = Σ_{k≥0} γᵏ r_{t+k} to the end of its trajectory.
 * Sutton & Barto 2018, Eq. 3.8. [S] in, [S] out, in the order the steps were taken; trajectories may interleave. O(S).
 * Throws a RangeError on unequal lengths or γ outside [0, 1].
 */
export function discountedReturns(
  rewards: Float64Array,
  trajectoryIds: Int32Array,
  gamma: number,
): Float64Array {
  assertFraction('gamma', gamma);
  if (trajectoryIds.length !== rewards.length)
    throw new RangeError(
      `trajectoryIds has ${trajectoryIds.length} entries, rewards ${rewards.length}: give one of each per step.`,
    );
  const { indices, numGroups } = groupIndices(trajectoryIds);
  const running = new Float64Array(numGroups);
  const returns = new Float64Array(rewards.length);
  for (let step = rewards.length - 1; step >= 0; step--) {
    const trajectory = indices[step]!;
    running[trajectory] = rewards[step]! + gamma * running[trajectory]!;
    returns[step] = running[trajectory]!;
  }
  return returns;
}

/** [S] return-to-go and episode return; NaN throughout a trajectory whose episode return is not finite. */
function trajectoryReturns(
  { rewards, trajectoryIds }: AnchoredSteps,
  gamma: number,
): { returns: Float64Array; episodeReturns: Float64Array } {
  const { indices, numGroups } = groupIndices(trajectoryIds);
  const sums = new Float64Array(numGroups);
  for (let step = 0; step < rewards.length; step++) sums[indices[step]!]! += rewards[step]!;
  const episodeReturns = Float64Array.from(indices, (trajectory) =>
    Number.isFinite(sums[trajectory]!) ? sums[trajectory]! : NaN,
  );
  const returns = discountedReturns(rewards, trajectoryIds, gamma).map((value, step) =>
    Number.isNaN(episodeReturns[step]!) ? NaN : value,
  );
  return { returns, episodeReturns };
}

function assertAnchoredSteps(steps: AnchoredSteps, options: GigpoOptions): void {
  assertStepScores(steps);
  if (steps.anchors.length !== steps.rewards.length)
    throw new RangeError(
      `anchors has ${steps.anchors.length} entries, rewards ${steps.rewards.length}: give one of each per step.`,
    );
  if (!(options.stepWeight >= 0))
    throw new RangeError(`stepWeight is ${options.stepWeight}: expected a number ≥ 0, such as 1.`);
}
