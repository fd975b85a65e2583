import { aggregationWeights, type Aggregation, type MaskedRows } from './aggregation';
import { assertSameSize } from './lossBatch';

/** What a critic said and what came. */
export interface ValueBatch extends MaskedRows {
  /** [B, T] of the current critic. Unit: reward. Entries with mask 0 may hold anything. */
  readonly values: Float64Array;
  /** [B, T] of the critic the update starts from. Unit: reward. */
  readonly oldValues: Float64Array;
  /** [B, T] targets. Unit: reward. */
  readonly returns: Float64Array;
}

export interface ValueLossOptions {
  /** c: a value counts as no further than this from its old value; null = off. Unit: reward. */
  readonly valueClip: number | null;
  readonly aggregation: Aggregation;
}

export interface ValueLoss {
  /** The number to minimise. Unit: reward². */
  readonly loss: number;
  /** [B, T] ∂loss/∂value; 0 where the mask is 0. */
  readonly gradients: Float64Array;
  /** 0..1: tokens whose gradient the clip removed; 0 without a token. */
  readonly clipFraction: number;
}

/**
 * Squared error of a critic with clipping: ½ max((V − R)², (clip(V, V_old − c, V_old + c) − R)²) per token.
 * Not in the PPO paper but in its code: openai/baselines `ppo2/model.py`; detail 9 of Huang et al. 2022, "The 37 Implementation
 * Details of Proximal Policy Optimization"; verl `compute_value_loss`. At a tie the token keeps its gradient V − R.
 * Throws a RangeError on shapes that do not fit.
 */
export function valueLoss(batch: ValueBatch, options: ValueLossOptions): ValueLoss {
  const { values, oldValues, returns, mask } = batch;
  assertSameSize('values', values.length, { oldValues, returns, mask });
  const weights = aggregationWeights(batch, options.aggregation);
  const valueClip = options.valueClip ?? Infinity;
  const gradients = new Float64Array(values.length);
  let [loss, numCounted, numClipped] = [0, 0, 0];
  for (const [token, weight] of weights.entries()) {
    if (mask[token] === 0) continue;
    const [value, oldValue, target] = [values[token]!, oldValues[token]!, returns[token]!];
    const clipped = Math.min(oldValue + valueClip, Math.max(oldValue - valueClip, value));
    const error = value - target;
    const clippedError = clipped - target;
    const isClipped = Math.abs(clippedError) > Math.abs(error);
    const counted = isClipped ? clippedError : error;
    loss += 0.5 * counted * counted * weight;
    if (!isClipped) gradients[token] = error * weight;
    numCounted++;
    if (isClipped) numClipped++;
  }
  return { loss, gradients, clipFraction: numClipped / Math.max(1, numCounted) };
}
