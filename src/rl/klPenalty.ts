import { aggregationWeights, rowWidth, type Aggregation, type MaskedRows } from './aggregation';
import {
  klK1,
  klK2,
  klK3,
  klK3Clamped,
  klK3ValueK2Gradient,
  type KlEstimates,
} from './klEstimators';
import { assertSameSize } from './lossBatch';

/** Which estimate of KL(policy ‖ reference) per token. */
export type KlEstimator = 'k1' | 'k2' | 'k3' | 'k3Clamped' | 'k3ValueK2Gradient';

/** Tokens as scored by the policy and by the frozen reference. */
export interface ReferenceBatch extends MaskedRows {
  /** [B, T] under the current policy. Unit: nats. Entries with mask 0 may hold anything. */
  readonly logprobs: Float64Array;
  /** [B, T] under the reference. Unit: nats. */
  readonly refLogprobs: Float64Array;
}

export interface KlPenaltyOptions {
  readonly estimator: KlEstimator;
  /** β ≥ 0 */
  readonly refKlCoef: number;
}

export interface KlLoss {
  /** The number to minimise: β times the aggregated estimates. */
  readonly loss: number;
  /** [B, T] ∂loss/∂logprob; 0 where the mask is 0. */
  readonly gradients: Float64Array;
  /** Mean estimate over the mask, without weights and β; 0 without a token. Unit: nats. */
  readonly refKl: number;
}

/**
 * KL to the reference as a loss term: β·Σ aggregation weight · estimate per token. GRPO (arXiv 2402.03300) Eq. 3 with k3.
 * Which KL it pulls towards depends on the estimator's gradient: see `klEstimators`. Throws a RangeError on shapes that do not fit.
 */
export function klLoss(
  batch: ReferenceBatch,
  options: KlPenaltyOptions & { readonly aggregation: Aggregation },
): KlLoss {
  const estimates = maskedEstimates(batch, options.estimator);
  // With β = 0 an infinite estimate has no say; 0·∞ would be NaN.
  const scale = options.refKlCoef;
  const weights = aggregationWeights(batch, options.aggregation).map((weight) => scale * weight);
  const gradients = estimates.gradients.map((gradient, token) =>
    weights[token] === 0 ? 0 : gradient * weights[token]!,
  );
  let [loss, sum, numCounted] = [0, 0, 0];
  for (const [token, value] of estimates.values.entries()) {
    if (weights[token] !== 0) loss += value * weights[token]!;
    sum += value;
    numCounted += batch.mask[token]!;
  }
  return { loss, gradients, refKl: sum / Math.max(1, numCounted) };
}

/** What is added to rewards. Unit: reward. */
export interface KlRewardPenalties {
  /** [B, T] −β·estimate, to be added to the rewards of the tokens; 0 where the mask is 0. */
  readonly tokens: Float64Array;
  /** [B] their sums, to be added to one reward per sequence. */
  readonly sequences: Float64Array;
}

/**
 * KL to the reference as part of the reward: −β·estimate per token, a constant in the gradient, which the score function supplies.
 * Ziegler et al. 2019 (arXiv 1909.08593) §2 with k1; verl `apply_kl_penalty`. Only with k1 is the expected gradient that of
 * −β·KL(policy ‖ reference); k3 adds that of +β·KL(reference ‖ policy), which pulls away from the reference. With a teacher in place
 * of the reference, k1 and β = 1 this is on-policy distillation on sampled tokens. `rowWeights` and `totals` have no say.
 * Throws a RangeError on shapes that do not fit.
 */
export function klRewardPenalties(
  batch: ReferenceBatch,
  { estimator, refKlCoef }: KlPenaltyOptions,
): KlRewardPenalties {
  const numTokens = rowWidth('logprobs', batch.logprobs.length, batch.numSequences);
  const { values } = maskedEstimates(batch, estimator);
  const tokens = values.map((value) => (value === 0 || refKlCoef === 0 ? 0 : -refKlCoef * value));
  const sequences = new Float64Array(batch.numSequences);
  for (const [token, penalty] of tokens.entries())
    sequences[Math.floor(token / numTokens)]! += penalty;
  return { tokens, sequences };
}

const estimatorOf: Readonly<
  Record<KlEstimator, (logprobs: Float64Array, refLogprobs: Float64Array) => KlEstimates>
> = {
  k1: klK1,
  k2: klK2,
  k3: klK3,
  k3Clamped: klK3Clamped,
  k3ValueK2Gradient: klK3ValueK2Gradient,
};

/** The estimates with 0 where the mask is 0. */
function maskedEstimates(batch: ReferenceBatch, estimator: KlEstimator): KlEstimates {
  const { logprobs, refLogprobs, mask } = batch;
  assertSameSize('logprobs', logprobs.length, { refLogprobs, mask });
  const { values, gradients } = estimatorOf[estimator](logprobs, refLogprobs);
  return {
    values: values.map((value, token) => (mask[token] === 0 ? 0 : value)),
    gradients: gradients.map((gradient, token) => (mask[token] === 0 ? 0 : gradient)),
  };
}
