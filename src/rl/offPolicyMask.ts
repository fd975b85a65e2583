import { meanLogRatios, tokenLogRatios } from './logRatios';
import { assertLossBatch, type PolicyLossBatch } from './lossBatch';

/**
 * Which sequences the policy has not left behind: 0 if A < 0 and the mean over its tokens of oldLogprob − logprob exceeds
 * `maxMeanLogRatio`, otherwise 1. A bad sequence that has become unlikely has little left to teach and can do harm.
 * As described for DeepSeek-V3.2 (arXiv 2512.02556), formula not verified against the primary text; TRL `get_off_policy_mask`.
 * [B] out: row weights, which leave the divisor of the loss. A sequence without a token in the mask is kept.
 * `maxMeanLogRatio` in nats per token, ≥ 0. To judge staleness as the sampler saw it, give its logprobs as `oldLogprobs`.
 */
export function offPolicyMask(batch: PolicyLossBatch, maxMeanLogRatio: number): Float64Array {
  assertLossBatch(batch);
  const { logprobs, oldLogprobs, mask, advantages } = batch;
  const means = meanLogRatios(tokenLogRatios(oldLogprobs, logprobs), mask, advantages.length);
  return means.map((mean, row) => (advantages[row]! < 0 && mean > maxMeanLogRatio ? 0 : 1));
}
