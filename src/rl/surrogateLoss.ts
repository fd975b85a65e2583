import { aggregationWeights, rowLengths, type Aggregation, type BatchTotals } from './aggregation';
import { boundedExp, maxLogRatio, meanLogRatios, tokenLogRatios } from './logRatios';
import {
  assertLossBatch,
  assertSameSize,
  type PolicyLoss,
  type PolicyLossBatch,
} from './lossBatch';
import {
  cispoTerm,
  clippedTerm,
  sapoTerm,
  type CispoBounds,
  type ClipBounds,
  type SapoTemperatures,
  type TokenTerm,
} from './surrogateTerms';

/** A batch, or one of several micro-batches that share an optimizer step. */
export interface SurrogateBatch extends PolicyLossBatch {
  /** [B, T] in place of `advantages`, from a critic for example; absent = each token has its sequence's. */
  readonly tokenAdvantages?: Float64Array;
  /** [B, T] constant factor on each token's loss, such as `samplerWeights`; absent = 1. The divisor does not change. */
  readonly tokenWeights?: Float64Array;
  /** Counts of the whole optimizer step if this is a micro-batch of it; absent = this batch is the whole. */
  readonly totals?: BatchTotals;
}

interface Aggregated {
  readonly aggregation: Aggregation;
}

/** PPO, GRPO, Dr. GRPO, DAPO (clipHigh > clipLow), dual clip: the ratio is the token's. */
interface ClipSpec extends Aggregated, ClipBounds {
  readonly kind: 'clip';
}

/**
 * The ratio is the sequence's. `gspo`: its gradient is shared by the sequence's tokens. `gspoToken`: the same value, but each token
 * has the gradient of its own advantage and weight.
 */
interface GspoSpec extends Aggregated, Omit<ClipBounds, 'dualClip'> {
  readonly kind: 'gspo' | 'gspoToken';
}

/** The ratio is a constant weight of the token. */
interface CispoSpec extends Aggregated {
  readonly kind: 'cispo';
  readonly bounds: CispoBounds;
}

/** A soft gate in place of the clip. */
interface SapoSpec extends Aggregated, SapoTemperatures {
  readonly kind: 'sapo';
}

/** Which policy loss, and how its token losses become one number. */
export type SurrogateSpec = ClipSpec | GspoSpec | CispoSpec | SapoSpec;

/**
 * The policy loss that `spec` names, to be minimised, and its gradient with respect to the logprobs.
 * Loss = Σ over the mask of aggregation weight · row weight · token weight · token term; the terms are in `surrogateTerms`.
 * Beyond a log-ratio of ±20 nats a token has no gradient, as with `torch.clamp`; CISPO holds the ratio constant and keeps it.
 * A sequence without a token in the mask adds nothing. Without any: loss, gradients and fractions are 0.
 * Throws a RangeError on shapes that do not fit.
 */
export function surrogate(batch: SurrogateBatch, spec: SurrogateSpec): PolicyLoss {
  const numTokens = assertSurrogateBatch(batch);
  const weights = tokenWeights(batch, spec.aggregation);
  const logRatios = logRatiosOf(batch, spec, numTokens);
  const ratios = logRatios.map(boundedExp);
  const tokenLosses = new Float64Array(ratios.length);
  const gradients = new Float64Array(ratios.length);
  const counts = { none: 0, low: 0, high: 0, dual: 0 };
  let loss = 0;
  for (let token = 0; token < ratios.length; token++) {
    if (batch.mask[token] === 0) continue;
    const advantage =
      batch.tokenAdvantages?.[token] ?? batch.advantages[Math.floor(token / numTokens)]!;
    const term = termOf(spec, advantage, ratios[token]!, batch.logprobs[token]!);
    counts[term.clippedBy]++;
    tokenLosses[token] = term.loss;
    loss += term.loss * weights[token]!;
    const isFree = term.clippedBy === 'none' && Math.abs(logRatios[token]!) <= maxLogRatio;
    if (isFree || spec.kind === 'cispo') gradients[token] = term.slope * weights[token]!;
  }
  if (spec.kind === 'gspo') shareWithinSequences(gradients, batch);
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

function termOf(spec: SurrogateSpec, advantage: number, ratio: number, logprob: number): TokenTerm {
  switch (spec.kind) {
    case 'clip':
      return clippedTerm(advantage, ratio, spec);
    case 'gspo':
    case 'gspoToken':
      return clippedTerm(advantage, ratio, { ...spec, dualClip: null });
    case 'cispo':
      return cispoTerm(advantage, ratio, logprob, spec.bounds);
    case 'sapo':
      return sapoTerm(advantage, ratio, spec);
  }
}

/**
 * [B, T] log of the ratio the loss uses. For GSPO the same at every token of a sequence: the mean over its tokens in the mask, so
 * that the ratio is (π(y)/π_old(y))^(1/|y|), as described in Zheng et al. 2025 (arXiv 2507.18071); formula as in the code of TRL and
 * verl, not verified against the primary text. GSPO-token writes the ratio as sg[s]·π/sg[π], with sg a constant: equal in value,
 * but its derivative is the token's own.
 */
function logRatiosOf(batch: SurrogateBatch, spec: SurrogateSpec, numTokens: number): Float64Array {
  const logRatios = tokenLogRatios(batch.logprobs, batch.oldLogprobs);
  if (spec.kind !== 'gspo' && spec.kind !== 'gspoToken') return logRatios;
  const means = meanLogRatios(logRatios, batch.mask, batch.advantages.length);
  return logRatios.map((_, token) => means[Math.floor(token / numTokens)]!);
}

/**
 * From ∂loss/∂log s at each token to ∂loss/∂logprob, in place: log s is the mean of the sequence's logprobs, so each token in the
 * mask gets 1/|y| of the sequence's sum. With one advantage and one weight per sequence this changes nothing but the last bits.
 */
function shareWithinSequences(gradients: Float64Array, batch: SurrogateBatch): void {
  const lengths = rowLengths(batch.mask, batch.advantages.length);
  const numTokens = gradients.length / lengths.length;
  for (const [row, length] of lengths.entries()) {
    if (length === 0) continue;
    const cells = gradients.subarray(row * numTokens, (row + 1) * numTokens);
    const share = cells.reduce((sum, gradient) => sum + gradient, 0) / length;
    for (let token = 0; token < numTokens; token++)
      cells[token] = batch.mask[row * numTokens + token] === 0 ? 0 : share;
  }
}

/** [B, T] ∂loss/∂(token term); 0 where the mask is 0. */
function tokenWeights(batch: SurrogateBatch, aggregation: Aggregation): Float64Array {
  const { mask, advantages, rowWeights, totals = null } = batch;
  const rows = { mask, numSequences: advantages.length, rowWeights, totals };
  const weights = aggregationWeights(rows, aggregation);
  const factors = batch.tokenWeights;
  if (factors === undefined) return weights;
  return weights.map((weight, token) => (mask[token] === 0 ? 0 : weight * factors[token]!));
}

/** Returns T. */
function assertSurrogateBatch(batch: SurrogateBatch): number {
  const { logprobs, tokenAdvantages = logprobs, tokenWeights: factors = logprobs } = batch;
  const numTokens = assertLossBatch(batch);
  assertSameSize('logprobs', logprobs.length, { tokenAdvantages, tokenWeights: factors });
  return numTokens;
}
