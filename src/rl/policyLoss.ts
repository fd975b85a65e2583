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

/** How token losses become one number. */
export type Aggregation =
  /** Σ / number of tokens in the mask. DAPO (arXiv 2503.14476) Eq. 8; verl `token-mean`, also Dr. MAS. */
  | { readonly kind: 'tokenMean' }
  /** Mean over non-empty sequences of their token mean. GRPO (arXiv 2402.03300) Eq. 3; verl `seq-mean-token-mean`. */
  | { readonly kind: 'sequenceMean' }
  /** Mean over non-empty sequences of their token sum. verl `seq-mean-token-sum`. */
  | { readonly kind: 'sequenceSum' }
  /** Σ / (B · length), B counts every sequence. Dr. GRPO (arXiv 2503.20783) §3.2. */
  | { readonly kind: 'constantLength'; readonly length: number };

export interface PolicyLossOptions {
  /** The ratio is clipped to [1 − clipLow, 1 + clipHigh]. */
  readonly clipLow: number;
  readonly clipHigh: number;
  /** c > 1: with A < 0 a token's loss is at most c·|A|; null = off. */
  readonly dualClip: number | null;
  readonly aggregation: Aggregation;
}

export interface PolicyLoss {
  /** The number to minimise. */
  readonly loss: number;
  /** [B, T] ∂loss/∂logprob; 0 where the mask is 0. */
  readonly gradients: Float64Array;
  /** [B, T] ρ = exp(logprob − oldLogprob), also where the mask is 0. */
  readonly ratios: Float64Array;
  /** [B, T] before weights and aggregation; 0 where the mask is 0. */
  readonly tokenLosses: Float64Array;
  /** 0..1: tokens whose gradient the ratio clip removed = low + high. */
  readonly clipFraction: number;
  /** 0..1: A < 0 and ρ < 1 − clipLow. */
  readonly clipFractionLow: number;
  /** 0..1: A > 0 and ρ > 1 + clipHigh. */
  readonly clipFractionHigh: number;
  /** 0..1: A < 0 and ρ > c. */
  readonly dualClipFraction: number;
}

/** Bound on |logprob − oldLogprob| before exp, as in verl: e²⁰ ≈ 5e8 instead of an overflow. Unit: nats. */
const maxLogRatio = 20;

type ClippedBy = 'none' | 'low' | 'high' | 'dual';

/**
 * Clipped surrogate, minimised: per token max(−Aρ, −A·clip(ρ, 1 − clipLow, 1 + clipHigh)), for A < 0 at most −A·c.
 * PPO: Schulman et al. 2017 (arXiv 1707.06347) Eq. 7. Dual clip: Ye et al. 2020 (arXiv 1912.09729) Eq. 5. Asymmetric clip: DAPO Eq. 8.
 * At a tie (ρ exactly on a bound) the token keeps its gradient −Aρ. Beyond a log-ratio of ±20 it has none, as with `torch.clamp`.
 * Without a token in the mask: loss, gradients and fractions are 0. Throws a RangeError on shapes that do not fit.
 */
export function policyLoss(batch: PolicyLossBatch, options: PolicyLossOptions): PolicyLoss {
  const numTokens = assertShapes(batch);
  const weights = tokenWeights(batch, numTokens, options.aggregation);
  const size = batch.logprobs.length;
  const ratios = new Float64Array(size);
  const tokenLosses = new Float64Array(size);
  const gradients = new Float64Array(size);
  const counts = { none: 0, low: 0, high: 0, dual: 0 };
  let loss = 0;
  for (let token = 0; token < size; token++) {
    const logRatio = batch.logprobs[token]! - batch.oldLogprobs[token]!;
    const ratio = Math.exp(Math.min(maxLogRatio, Math.max(-maxLogRatio, logRatio)));
    ratios[token] = ratio;
    if (batch.mask[token] === 0) continue;
    const advantage = batch.advantages[Math.floor(token / numTokens)]!;
    const clippedBy = clipOf(advantage, ratio, options);
    counts[clippedBy]++;
    tokenLosses[token] = tokenLoss(advantage, ratio, clippedBy, options);
    loss += tokenLosses[token]! * weights[token]!;
    if (clippedBy === 'none' && Math.abs(logRatio) <= maxLogRatio)
      gradients[token] = -advantage * ratio * weights[token]!;
  }
  const numCounted = Math.max(1, counts.none + counts.low + counts.high + counts.dual);
  return {
    loss,
    gradients,
    ratios,
    tokenLosses,
    clipFraction: (counts.low + counts.high) / numCounted,
    clipFractionLow: counts.low / numCounted,
    clipFractionHigh: counts.high / numCounted,
    dualClipFraction: counts.dual / numCounted,
  };
}

/** Which bound, if any, makes the token's loss constant. */
function clipOf(advantage: number, ratio: number, options: PolicyLossOptions): ClippedBy {
  if (advantage > 0) return ratio > 1 + options.clipHigh ? 'high' : 'none';
  if (advantage === 0) return 'none';
  if (options.dualClip !== null && ratio > options.dualClip) return 'dual';
  return ratio < 1 - options.clipLow ? 'low' : 'none';
}

function tokenLoss(
  advantage: number,
  ratio: number,
  clippedBy: ClippedBy,
  options: PolicyLossOptions,
): number {
  switch (clippedBy) {
    case 'none':
      return -advantage * ratio;
    case 'low':
      return -advantage * (1 - options.clipLow);
    case 'high':
      return -advantage * (1 + options.clipHigh);
    case 'dual':
      return -advantage * (options.dualClip ?? ratio);
  }
}

/** [B, T] what each token's loss is multiplied by: ∂loss/∂tokenLoss. 0 where the mask is 0. */
function tokenWeights(
  { mask, advantages, rowWeights }: PolicyLossBatch,
  numTokens: number,
  aggregation: Aggregation,
): Float64Array {
  const lengths = new Int32Array(advantages.length);
  for (let token = 0; token < mask.length; token++)
    lengths[Math.floor(token / numTokens)]! += mask[token]!;
  const divisorOf = rowDivisor(lengths, aggregation);
  const perRow = Float64Array.from(
    lengths,
    (length, row) => (rowWeights?.[row] ?? 1) / divisorOf(length),
  );
  return Float64Array.from(mask, (counts, token) =>
    counts === 0 ? 0 : perRow[Math.floor(token / numTokens)]!,
  );
}

/** What a token's loss is divided by, given the number of tokens in its sequence. */
function rowDivisor(lengths: Int32Array, aggregation: Aggregation): (length: number) => number {
  switch (aggregation.kind) {
    case 'tokenMean': {
      const total = lengths.reduce((sum, length) => sum + length, 0);
      return () => total;
    }
    case 'sequenceMean': {
      const numSequences = lengths.filter((length) => length > 0).length;
      return (length) => numSequences * length;
    }
    case 'sequenceSum': {
      const numSequences = lengths.filter((length) => length > 0).length;
      return () => numSequences;
    }
    case 'constantLength':
      return () => lengths.length * aggregation.length;
  }
}

/** Returns T. */
function assertShapes(batch: PolicyLossBatch): number {
  const size = batch.logprobs.length;
  const numSequences = batch.advantages.length;
  if (numSequences === 0 ? size !== 0 : size % numSequences !== 0)
    throw new RangeError(
      `logprobs has ${size} entries for ${numSequences} advantages: give whole rows of [B, T] and one advantage per row.`,
    );
  const others = { oldLogprobs: batch.oldLogprobs, mask: batch.mask };
  for (const [name, array] of Object.entries(others))
    if (array.length !== size)
      throw new RangeError(
        `${name} has ${array.length} entries, logprobs ${size}: both are [B, T].`,
      );
  if (batch.rowWeights !== null && batch.rowWeights.length !== numSequences)
    throw new RangeError(
      `rowWeights has ${batch.rowWeights.length} entries for ${numSequences} sequences: give one per sequence.`,
    );
  return numSequences === 0 ? 1 : size / numSequences;
}
