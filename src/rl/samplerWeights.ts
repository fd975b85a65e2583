import { rowWidth } from './aggregation';
import { klK3 } from './klEstimators';
import { boundedExp, summedLogRatios, tokenLogRatios } from './logRatios';
import { assertSameSize } from './lossBatch';

/** The same tokens as scored by the trainer and as recorded by the sampler, whose arithmetic differs. */
export interface SampledTokens {
  /** [B, T] under the policy the update starts from, by the trainer. Unit: nats. Entries with mask 0 may hold anything. */
  readonly oldLogprobs: Float64Array;
  /** [B, T] as recorded while sampling. Unit: nats. */
  readonly rolloutLogprobs: Float64Array;
  /** [B, T] 1 = the token counts. */
  readonly mask: Uint8Array;
  /** B */
  readonly numSequences: number;
}

/** How the trainer makes up for tokens drawn from a slightly other policy. */
export interface SamplerCorrection {
  /** `token`: each token by its own ratio. `sequence`: all tokens of a sequence by the product of their ratios. */
  readonly level: 'token' | 'sequence';
  readonly limit:
    /** min(w, high); 2 in verl. */
    | { readonly kind: 'truncate'; readonly high: number }
    /** w inside [low, high], 0 outside: IcePop; TRL `sequence_mask` has [0, 3]. */
    | { readonly kind: 'mask'; readonly low: number; readonly high: number };
}

/**
 * Importance weights w = π_old/π_rollout as constants that multiply the token losses: truncated or masked. 0 where the mask is 0.
 * Truncated importance sampling: V-trace's ρ̄ (Espeholt et al. 2018, arXiv 1802.01561 Eq. 1) applied to the mismatch of sampler and
 * trainer; verl `rollout_is`, TRL `vllm_importance_sampling_mode`. The log-ratio, of a sequence the sum, is bounded to ±20 nats
 * before exp. [B, T] in, [B, T] out, no unit. Throws a RangeError on shapes that do not fit.
 */
export function samplerWeights(
  tokens: SampledTokens,
  { level, limit }: SamplerCorrection,
): Float64Array {
  const { oldLogprobs, rolloutLogprobs, mask, numSequences } = tokens;
  const numTokens = assertSampledTokens(tokens);
  const logRatios = tokenLogRatios(oldLogprobs, rolloutLogprobs);
  const sums = summedLogRatios(logRatios, mask, numSequences);
  return logRatios.map((logRatio, token) => {
    if (mask[token] === 0) return 0;
    const weight = boundedExp(level === 'token' ? logRatio : sums[Math.floor(token / numTokens)]!);
    if (limit.kind === 'truncate') return Math.min(weight, limit.high);
    return weight >= limit.low && weight <= limit.high ? weight : 0;
  });
}

/**
 * The weights divided by their mean over the mask, so that the loss keeps its scale. verl `rollout_is_batch_normalize`.
 * `weights` and `mask` [B, T]. Weights that are all 0 stay 0.
 */
export function unitMeanWeights(weights: Float64Array, mask: Uint8Array): Float64Array {
  assertSameSize('weights', weights.length, { mask });
  const { count, sum } = powerSums(weights, mask);
  return weights.map((weight, token) =>
    mask[token] === 0 || sum === 0 ? 0 : weight / (sum / count),
  );
}

/**
 * Effective sample size as a share of the tokens in the mask: (Σw)²/(n·Σw²), 1 for equal weights, 1/n if one token has all.
 * Kong 1992; verl `rollout_is_eff_sample_size`. `weights` and `mask` [B, T]. 0 without a token or if all weights are 0.
 */
export function effectiveSampleSize(weights: Float64Array, mask: Uint8Array): number {
  assertSameSize('weights', weights.length, { mask });
  const { count, sum, sumOfSquares } = powerSums(weights, mask);
  return sumOfSquares === 0 ? 0 : (sum * sum) / sumOfSquares / count;
}

/**
 * KL(sampler ‖ trainer) per token, estimator k3, mean over the mask: exp(d) − 1 − d with d = oldLogprob − rolloutLogprob.
 * Schulman 2020, "Approximating KL divergence". Unit: nats. 0 without a token. Throws a RangeError on shapes that do not fit.
 */
export function samplerMismatch(tokens: SampledTokens): number {
  assertSampledTokens(tokens);
  const { values } = klK3(tokens.rolloutLogprobs, tokens.oldLogprobs);
  const { count, sum } = powerSums(values, tokens.mask);
  return sum / Math.max(1, count);
}

function powerSums(
  values: Float64Array,
  mask: Uint8Array,
): { count: number; sum: number; sumOfSquares: number } {
  let [count, sum, sumOfSquares] = [0, 0, 0];
  for (const [token, value] of values.entries()) {
    if (mask[token] === 0) continue;
    count++;
    sum += value;
    sumOfSquares += value * value;
  }
  return { count, sum, sumOfSquares };
}

/** Returns T. */
function assertSampledTokens(tokens: SampledTokens): number {
  const { oldLogprobs, rolloutLogprobs, mask, numSequences } = tokens;
  assertSameSize('oldLogprobs', oldLogprobs.length, { rolloutLogprobs, mask });
  return rowWidth('oldLogprobs', oldLogprobs.length, numSequences);
}
