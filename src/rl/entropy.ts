/** Entropy of each row and its derivative with respect to the row's logits. */
export interface CategoricalEntropy {
  /** [B] Unit: nats. */
  readonly entropies: Float64Array;
  /** [B, V] ∂H/∂logit */
  readonly gradients: Float64Array;
}

/**
 * Log-probabilities of a categorical: z − max − log Σ exp(z − max), row by row.
 * [B, V] in, [B, V] out, float64. Unit: nats. A logit of −Infinity (a forbidden token) stays −Infinity; a row of nothing else is NaN.
 * Throws a RangeError unless V divides the length.
 */
export function logSoftmax(
  logits: Float32Array | Float64Array,
  vocabularySize: number,
): Float64Array {
  assertRows(logits.length, vocabularySize);
  const logprobs = new Float64Array(logits.length);
  for (let start = 0; start < logits.length; start += vocabularySize) {
    const end = start + vocabularySize;
    let largest = -Infinity;
    for (let i = start; i < end; i++) largest = Math.max(largest, logits[i]!);
    let sum = 0;
    for (let i = start; i < end; i++) sum += Math.exp(logits[i]! - largest);
    const logSum = Math.log(sum);
    // Subtracted one after the other: largest + logSum would round away small differences of large logits.
    for (let i = start; i < end; i++) logprobs[i] = logits[i]! - largest - logSum;
  }
  return logprobs;
}

/**
 * Entropy of a categorical, H = −Σ p log p, and ∂H/∂zⱼ = −pⱼ(log pⱼ + H).
 * Shannon 1948; the derivative follows from ∂pᵢ/∂zⱼ = pᵢ(δᵢⱼ − pⱼ). [B, V] in. A token with probability 0 adds nothing to either.
 * Throws a RangeError unless V divides the length.
 */
export function categoricalEntropy(
  logits: Float32Array | Float64Array,
  vocabularySize: number,
): CategoricalEntropy {
  const logprobs = logSoftmax(logits, vocabularySize);
  const entropies = new Float64Array(logits.length / vocabularySize);
  const gradients = new Float64Array(logits.length);
  for (let row = 0; row < entropies.length; row++) {
    const start = row * vocabularySize;
    const end = start + vocabularySize;
    let entropy = 0;
    for (let i = start; i < end; i++) {
      const probability = Math.exp(logprobs[i]!);
      if (probability !== 0) entropy -= probability * logprobs[i]!;
    }
    entropies[row] = entropy;
    for (let i = start; i < end; i++) {
      const probability = Math.exp(logprobs[i]!);
      gradients[i] = probability === 0 ? 0 : -probability * (logprobs[i]! + entropy);
    }
  }
  return { entropies, gradients };
}

/** A loss term that keeps the policy from narrowing too early. */
export interface EntropyBonus {
  /** The number to minimise: −entropyCoef · entropy. */
  readonly loss: number;
  /** Σ weight · entropy: with weights that sum to 1 the mean. Unit: nats. */
  readonly entropy: number;
  /** [B, V] ∂loss/∂logit */
  readonly gradients: Float64Array;
}

/**
 * Entropy bonus −entropyCoef·Σ wᵦHᵦ with the gradient of each row's logits.
 * Williams & Peng 1991; Mnih et al. 2016 (arXiv 1602.01783) §4; PPO (arXiv 1707.06347) Eq. 9. `logits` [B, V], one row per token;
 * `weights` [B]: what the aggregation multiplies a token's loss by, such as `aggregationWeights`. A row with weight 0 may hold anything.
 * Throws a RangeError on shapes that do not fit.
 */
export function entropyBonus(
  logits: Float32Array | Float64Array,
  vocabularySize: number,
  weights: Float64Array,
  entropyCoef: number,
): EntropyBonus {
  const { entropies, gradients } = categoricalEntropy(logits, vocabularySize);
  if (weights.length !== entropies.length)
    throw new RangeError(
      `weights has ${weights.length} entries, logits ${entropies.length} rows: give one weight per row.`,
    );
  let entropy = 0;
  for (const [row, weight] of weights.entries())
    if (weight !== 0) entropy += weight * entropies[row]!;
  const scaled = gradients.map((gradient, i) => {
    const weight = weights[Math.floor(i / vocabularySize)]!;
    return weight === 0 ? 0 : -entropyCoef * weight * gradient;
  });
  return { loss: -entropyCoef * entropy, entropy, gradients: scaled };
}

function assertRows(length: number, vocabularySize: number): void {
  if (!Number.isInteger(vocabularySize) || vocabularySize < 1 || length % vocabularySize !== 0)
    throw new RangeError(
      `${length} logits with a vocabulary of ${vocabularySize}: give whole rows of [B, V].`,
    );
}
