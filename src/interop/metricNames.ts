import type { MetricKey } from '../metrics/catalog';

/**
 * Our metrics under the names that other trainers log them by: only where both measure the same thing in the same unit, so that no number
 * needs a conversion. A name that looks alike and means something else is worse than none; those are told in the reason.
 */

/** Their name, or why they have none. */
type Counterpart = { readonly name: string } | { readonly reason: string };

type Names = Readonly<Record<MetricKey, Counterpart>>;

const ours = { reason: 'Measured here only.' } as const;
const diagnostic = { reason: 'Gradients that are measured on top, here only.' } as const;
const tags = { reason: 'Of the oracle of our worlds.' } as const;

/** Metrics that neither has. */
const inNeither = {
  gradNormMax: ours,
  gradCosine: ours,
  updateSkipped: { reason: 'They skip the step as well, and print it without a metric.' },
  effectiveSampleSize: ours,
  advSecondMoment: ours,
  advSecondMomentPredicted: ours,
  advInflationMax: ours,
  meanGap: ours,
  varianceRatio: ours,
  advAbsP99: ours,
  advAbsMax: ours,
  singletonFraction: ours,
  numTurns: ours,
  validActionRate: ours,
  passRate: tags,
  unreadableRate: tags,
  wrongCallRate: tags,
  wrongContentRate: tags,
  failureScale: tags,
  roleBaseline: ours,
  collapsed: ours,
  gradNormInUse: diagnostic,
  gradNormGlobal: diagnostic,
  gradNormGlobalStep: diagnostic,
  gradNormAgentWise: diagnostic,
  gradNormCentered: diagnostic,
  conflictMin: diagnostic,
  conflictNullLow: diagnostic,
  spanConflict: diagnostic,
  spanConflictNullLow: diagnostic,
  gradGini: diagnostic,
  success: { reason: 'They log the reward; success of training rollouts is not told apart.' },
  evalSuccess: {
    reason: 'Named by data set there: val-core/SOURCE/acc/mean@N in verl, eval_reward in TRL.',
  },
  warmStartSteps: ours,
  nonFiniteRewards: ours,
  keptTaskFraction: ours,
  policyAge: ours,
  pulseSteps: ours,
  valueUpdateSkipped: ours,
  samplerMismatch: {
    reason: 'They log mean and largest |difference| or other estimators of the mismatch, not k3.',
  },
} as const satisfies Partial<Names>;

/**
 * verl, with the worker group that Dr. MAS puts after the first word left out (`verlMetricName` puts it in).
 *
 * Verified in code: https://github.com/langfengQ/DrMAS, a fork of verl, verl/workers/actor/dp_actor.py at 3069403 (actor/grad_norm, pg_loss, pg_clipfrac,
 * pg_clipfrac_lower, ppo_kl, kl_loss), verl/trainer/ppo/core_algos.py at 3b556f2 (what they are) and metric_utils.py at fe0191d
 * (critic/…). Taken from our notes on https://github.com/volcengine/verl at b178a3c, not read again: actor/entropy, actor/lr, critic/grad_norm.
 */
export const verlNames: Names = {
  ...inNeither,
  gradNorm: { name: 'actor/grad_norm' },
  policyLoss: { name: 'actor/pg_loss' },
  entropy: { name: 'actor/entropy' },
  approxKl: {
    reason:
      'actor/ppo_kl is the mean of log π_old − log π (k1), ours is k3 and is taken after the update.',
  },
  clipFraction: { name: 'actor/pg_clipfrac' },
  clipFractionLow: {
    reason: 'actor/pg_clipfrac_lower is the share that the dual clip changed, not the low side.',
  },
  clipFractionHigh: { reason: 'The two sides are not told apart.' },
  refKl: { reason: 'actor/kl_loss is of the estimator that the loss uses; ours is k3 always.' },
  rewardMean: { name: 'critic/score/mean' },
  rewardStd: { reason: 'Mean, largest and least score are logged, no deviation.' },
  zeroStdGroupFraction: ours,
  learningRate: { name: 'actor/lr' },
  teamReward: { reason: 'episode/reward/mean is without the penalties of the steps.' },
  episodeTurns: {
    reason: 'episode/length/mean counts steps of the environment, in which several agents may act.',
  },
  valueLoss: { reason: 'critic/vf_loss is with or without the factor ½, by version.' },
  explainedVariance: { name: 'critic/vf_explained_var' },
  valueGradNorm: { name: 'critic/grad_norm' },
  tokenCount: { reason: 'perf/total_num_tokens counts one step, ours counts from the start.' },
};

/**
 * TRL, GRPOTrainer.
 *
 * Verified in copies of the trainer’s code: clip_ratio/{low_mean,high_mean,region_mean}, reward, reward_std, frac_reward_zero_std and what
 * they are. Taken from our notes on https://github.com/huggingface/trl at f2cd577, not read again: kl, entropy,
 * num_tokens, grad_norm, learning_rate.
 */
export const trlNames: Names = {
  ...inNeither,
  gradNorm: { name: 'grad_norm' },
  policyLoss: { reason: 'loss holds the KL term as well.' },
  entropy: { name: 'entropy' },
  approxKl: { reason: 'Only the KL to the reference is logged.' },
  clipFraction: { name: 'clip_ratio/region_mean' },
  clipFractionLow: { name: 'clip_ratio/low_mean' },
  clipFractionHigh: { name: 'clip_ratio/high_mean' },
  refKl: { name: 'kl' },
  rewardMean: { name: 'reward' },
  rewardStd: { reason: 'reward_std is the sample deviation (n − 1), ours is of the population.' },
  zeroStdGroupFraction: { name: 'frac_reward_zero_std' },
  learningRate: { name: 'learning_rate' },
  teamReward: { reason: 'One policy, no team: reward is the agent’s.' },
  episodeTurns: { reason: 'Completions have lengths in tokens, not turns.' },
  valueLoss: { reason: 'GRPOTrainer has no critic.' },
  explainedVariance: { reason: 'GRPOTrainer has no critic.' },
  valueGradNorm: { reason: 'GRPOTrainer has no critic.' },
  tokenCount: { name: 'num_tokens' },
};

/** Null where verl has no such metric. `group`: agent or policy, as Dr. MAS writes `actor/solver/grad_norm`; null for verl itself. */
export function verlMetricName(metric: MetricKey, group: string | null): string | null {
  const counterpart = verlNames[metric];
  if (!('name' in counterpart)) return null;
  return group === null ? counterpart.name : counterpart.name.replace('/', `/${group}/`);
}

/** Null where GRPOTrainer has no such metric. */
export function trlMetricName(metric: MetricKey): string | null {
  const counterpart = trlNames[metric];
  return 'name' in counterpart ? counterpart.name : null;
}
