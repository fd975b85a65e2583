/** Where too long begins. Unit: tokens. */
export interface LengthLimit {
  /** L: no sequence is longer. */
  readonly maxTokens: number;
  /** c: the penalty grows over the last c tokens. */
  readonly cacheTokens: number;
  /** Penalty at L. Unit: reward. */
  readonly maxPenalty: number;
}

/**
 * What is added to the reward of a long sequence: 0 up to L − c tokens, then −(length − (L − c))/c, −1 from L on; times `maxPenalty`.
 * Soft overlong punishment as described in DAPO (arXiv 2503.14476), formula not verified against the primary text; verl
 * `reward_manager/dapo.py`, where L = 20480 and c = 4096. `length` in tokens; returns ≤ 0. Unit: reward.
 * Throws a RangeError unless 0 < c ≤ L.
 */
export function overlongPenalty(length: number, limit: LengthLimit): number {
  const { maxTokens, cacheTokens, maxPenalty } = limit;
  if (!(cacheTokens > 0 && cacheTokens <= maxTokens))
    throw new RangeError(
      `cacheTokens is ${cacheTokens} with maxTokens ${maxTokens}: give a number above 0 and at most maxTokens.`,
    );
  const excess = (length - (maxTokens - cacheTokens)) / cacheTokens;
  return excess <= 0 ? 0 : -Math.min(1, excess) * maxPenalty;
}
