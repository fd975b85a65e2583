import { rowWidth } from './aggregation';

/** Tokens to learn from. Axes: B sequences, T tokens, row-major. */
export interface PolicyLossBatch {
  /** [B, T] under the current policy. Unit: nats. Entries with mask 0 may hold anything. */
  readonly logprobs: Float64Array;
  /** [B, T] under the policy the update starts from. Unit: nats. */
  readonly oldLogprobs: Float64Array;
  /** [B, T] 1 = the token counts in the loss, 0 = it does not. */
  readonly mask: Uint8Array;
  /** [B] one per sequence, shared by its tokens. Unit: group standard deviations. */
  readonly advantages: Float64Array;
  /** [B] factor on the sequence's token losses, such as `lossBalanceWeights`; null = 1. The divisor does not change. */
  readonly rowWeights: Float64Array | null;
}

export interface PolicyLoss {
  /** The number to minimise. */
  readonly loss: number;
  /** [B, T] ∂loss/∂logprob; 0 where the mask is 0. */
  readonly gradients: Float64Array;
  /** [B, T] ρ = exp(logprob − oldLogprob), also where the mask is 0. GSPO: the sequence's ratio, at each of its tokens. */
  readonly ratios: Float64Array;
  /** [B, T] before weights and aggregation; 0 where the mask is 0. */
  readonly tokenLosses: Float64Array;
  /** 0..1: tokens whose gradient (CISPO: whose weight) the ratio clip limited = low + high. */
  readonly clipFraction: number;
  /** 0..1: A < 0 and ρ < 1 − clipLow. CISPO: ρ below its lower bound. */
  readonly clipFractionLow: number;
  /** 0..1: A > 0 and ρ > 1 + clipHigh. CISPO: ρ above its upper bound. */
  readonly clipFractionHigh: number;
  /** 0..1: A < 0 and ρ > c. */
  readonly dualClipFraction: number;
}

/** Returns T. Throws a RangeError unless all arrays have the shapes their fields say. */
export function assertLossBatch(batch: PolicyLossBatch): number {
  const size = batch.logprobs.length;
  const numSequences = batch.advantages.length;
  if (numSequences === 0 ? size !== 0 : size % numSequences !== 0)
    throw new RangeError(
      `logprobs has ${size} entries for ${numSequences} advantages: give whole rows of [B, T] and one advantage per row.`,
    );
  assertSameSize('logprobs', size, { oldLogprobs: batch.oldLogprobs, mask: batch.mask });
  return rowWidth('logprobs', size, numSequences);
}

/** Throws a RangeError unless every array has `size` entries, as the one called `name` has. */
export function assertSameSize(
  name: string,
  size: number,
  others: Readonly<Record<string, ArrayLike<number>>>,
): void {
  for (const [other, array] of Object.entries(others))
    if (array.length !== size)
      throw new RangeError(
        `${other} has ${array.length} entries, ${name} ${size}: both are [B, T].`,
      );
}
