import type { MetricKey } from './catalog';

/**
 * How far two runs of one experiment may lie apart where they ran on different devices: |Δ| ≤ absolute + relative · |original|. On one
 * device, or on the processor, the same run gives the same bits. Where a sampled token flips the runs part for good: no tolerance
 * covers that, and none should.
 */
export interface Tolerance {
  readonly label: string;
  readonly absolute: number;
  readonly relative: number;
  /** Whence. */
  readonly reason: string;
}

export const tolerances = {
  exact: {
    label: 'counts and settings',
    absolute: 0,
    relative: 0,
    reason: 'counted or scheduled: one more is another run',
  },
  share: {
    label: 'shares',
    absolute: 1e-6,
    relative: 0,
    reason: 'a share of episodes, turns or tokens: one of them more is another run',
  },
  reward: {
    label: 'rewards',
    absolute: 1e-6,
    relative: 1e-6,
    reason: 'float64 sums of rewards',
  },
  measure: {
    label: 'measures of the policy',
    absolute: 1e-5,
    relative: 1e-3,
    reason: 'float32 sums in another order, carried on by the updates before',
  },
  cosine: {
    label: 'cosines',
    absolute: 1e-3,
    relative: 0,
    reason: 'float32 sums that cancel',
  },
} as const satisfies Readonly<Record<string, Tolerance>>;

export type ToleranceKind = keyof typeof tolerances;

/** Every metric has one: what is added to the catalogue has to say which. */
export const toleranceKinds: Readonly<Record<MetricKey, ToleranceKind>> = {
  gradNorm: 'measure',
  gradNormMax: 'measure',
  gradCosine: 'cosine',
  updateSkipped: 'exact',
  policyLoss: 'measure',
  entropy: 'measure',
  approxKl: 'measure',
  clipFraction: 'share',
  clipFractionLow: 'share',
  clipFractionHigh: 'share',
  refKl: 'measure',
  samplerMismatch: 'measure',
  effectiveSampleSize: 'measure',
  // Advantages may rest on a value network.
  advSecondMoment: 'measure',
  advSecondMomentPredicted: 'measure',
  advInflationMax: 'measure',
  meanGap: 'reward',
  varianceRatio: 'measure',
  advAbsP99: 'measure',
  advAbsMax: 'measure',
  rewardMean: 'reward',
  rewardStd: 'reward',
  zeroStdGroupFraction: 'share',
  singletonFraction: 'share',
  numTurns: 'exact',
  validActionRate: 'share',
  passRate: 'share',
  unreadableRate: 'share',
  wrongCallRate: 'share',
  wrongContentRate: 'share',
  failureScale: 'reward',
  roleBaseline: 'reward',
  collapsed: 'exact',
  learningRate: 'exact',
  gradNormInUse: 'measure',
  gradNormGlobal: 'measure',
  gradNormGlobalStep: 'measure',
  gradNormAgentWise: 'measure',
  gradNormCentered: 'measure',
  conflictMin: 'cosine',
  conflictNullLow: 'cosine',
  spanConflict: 'cosine',
  spanConflictNullLow: 'cosine',
  gradGini: 'measure',
  success: 'share',
  teamReward: 'reward',
  episodeTurns: 'reward',
  evalSuccess: 'share',
  warmStartSteps: 'exact',
  nonFiniteRewards: 'exact',
  keptTaskFraction: 'share',
  policyAge: 'exact',
  pulseSteps: 'exact',
  valueLoss: 'measure',
  explainedVariance: 'measure',
  valueGradNorm: 'measure',
  valueUpdateSkipped: 'exact',
  tokenCount: 'exact',
};

/** The largest |Δ| that is allowed. Unit: the metric’s. */
export function allowance(original: number, { absolute, relative }: Tolerance): number {
  return absolute + relative * Math.abs(original);
}

/**
 * |Δ| in units of what is allowed: 0 for the same bits, at most 1 within the tolerance, ∞ for two numbers of which one is not finite,
 * and for any difference where none is allowed. −0 and 0 are 0 apart.
 */
export function excess(original: number, again: number, tolerance: Tolerance): number {
  if (Object.is(original, again)) return 0;
  if (!Number.isFinite(original) || !Number.isFinite(again)) return Infinity;
  const difference = Math.abs(again - original);
  return difference === 0 ? 0 : difference / allowance(original, tolerance);
}
