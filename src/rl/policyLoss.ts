import type { Aggregation } from './aggregation';
import type { PolicyLoss, PolicyLossBatch } from './lossBatch';
import { surrogate } from './surrogateLoss';
import type { ClipBounds } from './surrogateTerms';

export type { Aggregation } from './aggregation';
export type { PolicyLoss, PolicyLossBatch } from './lossBatch';

export interface PolicyLossOptions extends ClipBounds {
  readonly aggregation: Aggregation;
}

/**
 * Clipped surrogate, minimised: per token max(−Aρ, −A·clip(ρ, 1 − clipLow, 1 + clipHigh)), for A < 0 at most −A·c.
 * PPO: Schulman et al. 2017 (arXiv 1707.06347) Eq. 7. Dual clip: Ye et al. 2020 (arXiv 1912.09729) Eq. 5. Asymmetric clip: DAPO Eq. 8.
 * At a tie (ρ exactly on a bound) the token keeps its gradient −Aρ. Beyond a log-ratio of ±20 it has none, as with `torch.clamp`.
 * Without a token in the mask: loss, gradients and fractions are 0. Throws a RangeError on shapes that do not fit.
 */
export function policyLoss(batch: PolicyLossBatch, options: PolicyLossOptions): PolicyLoss {
  const { logprobs, oldLogprobs, mask, advantages, rowWeights } = batch;
  return surrogate(
    { logprobs, oldLogprobs, mask, advantages, rowWeights },
    { kind: 'clip', ...options },
  );
}
