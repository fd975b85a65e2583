import type { GroupIndices } from './groupIndices';
import { groupMoments, type GroupMoments } from './groupMoments';
import {
  assertStepScores,
  batchGroup,
  taskAgentGroups,
  taskAgentTurnGroups,
  taskGroups,
  trajectoryScores,
  type StepScores,
} from './stepScores';

/** Where group-relative estimators differ. */
export interface EstimatorOptions {
  /**
   * Whose scores form a group. `task`: GRPO; `taskAgent`: Dr. MAS; the mixed scopes take one statistic from each
   * (Dr. MAS, Table 3: mean only = μₖ and σ, std only = μ and σₖ). `taskAgentTurn`: AT-GRPO, as described for Stronger-MAS
   * (arXiv 2510.11062) and in its code, not verified against the primary text; one sample per step. `batch`: REINFORCE.
   */
  readonly scope:
    'task' | 'taskAgent' | 'taskAgentMeanOnly' | 'taskAgentStdOnly' | 'taskAgentTurn' | 'batch';
  /** What counts once. In the mixed scopes it governs the task's statistic; the agent's is pooled over its steps. */
  readonly unit: 'trajectory' | 'step';
  /** `max`: the best of the group (MAREMAX, CoMLRL). */
  readonly center: 'mean' | 'leaveOneOut' | 'max' | 'none';
  /**
   * `groupMean`: divided by the group's mean score, 0 where it is not positive (MaxRL, prime-rl). `batchStd`: centered in the group,
   * then whitened over all steps, (x − mean)/√(var + ε) (REINFORCE++-baseline, verl).
   */
  readonly scale: 'std' | 'groupMean' | 'batchStd' | 'none';
  /** 1: `torch.std`, all public code; 0: population, as the papers print it. */
  readonly ddof: 0 | 1;
  /** Added to the std. verl and Dr. MAS 1e-6, TRL 1e-4. Unit: reward. */
  readonly epsilon: number;
  /** A std below this gives advantage 0. Applies with scale `std` only. Unit: reward. */
  readonly minStd: number;
  /** A group of one: `zero` centers it on itself (TRL); `raw` uses mean 0, std 1 (verl and the Dr. MAS code). */
  readonly singleton: 'zero' | 'raw';
}

/** The groups one statistic was taken over, after the singleton rule. */
interface GroupStatistics extends GroupMoments {
  /** [S] the step's group. */
  readonly groupIndices: Int32Array;
}

export interface GroupAdvantages {
  /** [S] Unit: group standard deviations, or reward where `scale` is `none`. Always finite. */
  readonly advantages: Float64Array;
  /** Steps whose score is NaN or ±Infinity: outside all statistics, advantage 0. */
  readonly numNonFinite: number;
  /** The groups behind the baseline. */
  readonly center: GroupStatistics;
  /** The groups behind the divisor; the same object as `center` unless the scope is mixed. */
  readonly scale: GroupStatistics;
}

/** A statistic together with the number that stands for each step in it. */
interface Sampled {
  readonly statistics: GroupStatistics;
  /** [S] the step's own score or its trajectory's mean; NaN where the score is not finite. */
  readonly stepValues: Float64Array;
}

/**
 * Group-relative advantage of every step: A = (r − mean)/(std + ε), each part as `options` says.
 * GRPO: Shao et al. 2024 (arXiv 2402.03300) §4.1. Dr. MAS: Feng et al. 2026 (arXiv 2602.08847) §4.2.
 * Dr. GRPO (scale `none`): Liu et al. 2025 (arXiv 2503.20783). RLOO (`leaveOneOut`, r − mean of the others = n/(n − 1)·(r − mean)):
 * Ahmadian et al. 2024 (arXiv 2402.14740).
 * With unit `trajectory` the mean of a trajectory's steps (of the agent's steps in it, for scope `taskAgent`) is the sample and
 * replaces the score of each of those steps. Float64, O(S).
 * Edge cases: a score that is not finite is left out, gets 0 and is counted; minStd 0 leaves a std of 0 to ε alone.
 * Throws a RangeError on arrays of unequal length, a trajectory in two tasks, or a negative ε or minStd.
 */
export function groupAdvantages(scores: StepScores, options: EstimatorOptions): GroupAdvantages {
  assertStepScores(scores);
  assertNotNegative('epsilon', options.epsilon);
  assertNotNegative('minStd', options.minStd);
  const { center, scale } = sampledStatistics(scores, options);
  const baselines = baselineWeights(center, scores.weights, options);
  const advantages = new Float64Array(scores.rewards.length);
  let numNonFinite = 0;
  for (let step = 0; step < advantages.length; step++) {
    if (!Number.isFinite(scores.rewards[step]!)) {
      numNonFinite++;
      continue;
    }
    // What does not count has no group to be compared with.
    if (scores.weights?.[step] === 0) continue;
    const group = center.statistics.groupIndices[step]!;
    const centered =
      (center.stepValues[step]! - baselines.means[group]!) * baselines.factors[group]!;
    const scaleGroup = scale.groupIndices[step]!;
    advantages[step] = scaledBy(centered, scale, scaleGroup, options);
  }
  if (options.scale === 'batchStd') whiten(advantages, scores, options);
  return { advantages, numNonFinite, center: center.statistics, scale };
}

function scaledBy(
  centered: number,
  statistics: GroupStatistics,
  group: number,
  options: EstimatorOptions,
): number {
  const { stds, means } = statistics;
  switch (options.scale) {
    case 'none':
    case 'batchStd':
      return centered;
    case 'std':
      return scaled(centered, stds[group]!, options);
    case 'groupMean':
      if (isRawSingleton(statistics, group, options.singleton)) return centered;
      return means[group]! > 0 ? centered / means[group]! : 0;
  }
}

/** (x − mean)/√(var + ε) over the steps that count and whose reward is finite, in place; less than two of them become 0. */
function whiten(
  advantages: Float64Array,
  { rewards, weights }: StepScores,
  { ddof, epsilon }: EstimatorOptions,
): void {
  const counted = advantages.map((advantage, step) =>
    Number.isFinite(rewards[step]!) && weights?.[step] !== 0 ? advantage : NaN,
  );
  const all = { indices: new Int32Array(counted.length), numGroups: 1 };
  const { means, stds } = groupMoments(counted, all, ddof, weights);
  const divisor = Math.sqrt(stds[0]! ** 2 + epsilon);
  for (const [step, advantage] of counted.entries())
    if (!Number.isNaN(advantage))
      advantages[step] = divisor > 0 ? (advantage - means[0]!) / divisor : 0;
}

function scaled(centered: number, std: number, { epsilon, minStd }: EstimatorOptions): number {
  return std < minStd || std + epsilon === 0 ? 0 : centered / (std + epsilon);
}

/** The centering statistic with its samples, and the scaling statistic. */
function sampledStatistics(
  scores: StepScores,
  options: EstimatorOptions,
): { center: Sampled; scale: GroupStatistics } {
  const perTask = (): Sampled =>
    options.unit === 'trajectory'
      ? perTrajectory(scores, taskGroups(scores), options)
      : perStep(scores, taskGroups(scores), options);
  const perAgentStep = (): Sampled => perStep(scores, taskAgentGroups(scores), options);
  switch (options.scope) {
    case 'task': {
      const center = perTask();
      return { center, scale: center.statistics };
    }
    case 'taskAgent': {
      const center =
        options.unit === 'trajectory'
          ? perTrajectory(scores, taskAgentGroups(scores), options)
          : perAgentStep();
      return { center, scale: center.statistics };
    }
    case 'taskAgentTurn': {
      const center = perStep(scores, taskAgentTurnGroups(scores), options);
      return { center, scale: center.statistics };
    }
    case 'batch': {
      const groups = batchGroup(scores);
      const center =
        options.unit === 'trajectory'
          ? perTrajectory(scores, groups, options)
          : perStep(scores, groups, options);
      return { center, scale: center.statistics };
    }
    case 'taskAgentMeanOnly':
      return { center: perAgentStep(), scale: perTask().statistics };
    case 'taskAgentStdOnly':
      return { center: perTask(), scale: perAgentStep().statistics };
  }
}

function perStep(scores: StepScores, groups: GroupIndices, options: EstimatorOptions): Sampled {
  const moments = groupMoments(scores.rewards, groups, options.ddof, scores.weights);
  return {
    stepValues: scores.rewards,
    statistics: withSingletonRule(moments, groups.indices, options.singleton),
  };
}

function perTrajectory(
  scores: StepScores,
  groups: GroupIndices,
  options: EstimatorOptions,
): Sampled {
  const samples = trajectoryScores(scores, groups, options.scope === 'taskAgent');
  const moments = groupMoments(samples.values, samples.groups, options.ddof, samples.weights);
  return {
    stepValues: samples.stepValues,
    statistics: withSingletonRule(moments, groups.indices, options.singleton),
  };
}

/** A group of one that keeps its raw reward. One sample that counts several times is several equal ones, not a group of one. */
function isRawSingleton(
  { numSamples, totalWeights }: GroupMoments,
  group: number,
  singleton: EstimatorOptions['singleton'],
): boolean {
  return singleton === 'raw' && numSamples[group] === 1 && totalWeights[group]! <= 1;
}

/** `groupMoments` gives a group of one its own value as mean and std 0, which is the rule `zero`. */
function withSingletonRule(
  moments: GroupMoments,
  indices: Int32Array,
  singleton: EstimatorOptions['singleton'],
): GroupStatistics {
  const isRaw = (group: number): boolean => isRawSingleton(moments, group, singleton);
  return {
    ...moments,
    groupIndices: indices,
    means: moments.means.map((mean, group) => (isRaw(group) ? 0 : mean)),
    stds: moments.stds.map((std, group) => (isRaw(group) ? 1 : std)),
  };
}

/** What to subtract from a sample of each group, and what to multiply the difference by. [numGroups] */
function baselineWeights(
  { statistics, stepValues }: Sampled,
  weights: Float64Array | undefined,
  { center, singleton }: EstimatorOptions,
): { means: Float64Array; factors: Float64Array } {
  const { means, totalWeights } = statistics;
  const factors = new Float64Array(means.length).fill(1);
  switch (center) {
    case 'none':
      return { means: new Float64Array(means.length), factors };
    case 'mean':
      return { means, factors };
    case 'max':
      return {
        factors,
        means: groupMaxima(stepValues, statistics.groupIndices, weights, means.length).map(
          (largest, group) => (isRawSingleton(statistics, group, singleton) ? 0 : largest),
        ),
      };
    case 'leaveOneOut':
      return {
        means,
        factors: factors.map((one, group) => {
          const total = totalWeights[group]!;
          return total > 1 ? total / (total - 1) : one;
        }),
      };
  }
}

/** Largest finite value that counts in every group. */
function groupMaxima(
  values: Float64Array,
  indices: Int32Array,
  weights: Float64Array | undefined,
  numGroups: number,
): Float64Array {
  const maxima = new Float64Array(numGroups).fill(-Infinity);
  for (const [step, value] of values.entries())
    if (value > maxima[indices[step]!]! && value < Infinity && weights?.[step] !== 0)
      maxima[indices[step]!] = value;
  return maxima;
}

function assertNotNegative(name: string, value: number): void {
  if (!(value >= 0))
    throw new RangeError(`${name} is ${value}: expected a number ≥ 0, for example 1e-6.`);
}
