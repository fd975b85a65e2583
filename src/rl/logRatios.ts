import { rowLengths, rowWidth } from './aggregation';

/** Bound on |logprob − oldLogprob| before exp, as in verl: e²⁰ ≈ 5e8 instead of an overflow. Unit: nats. */
export const maxLogRatio = 20;

/** exp of a log-ratio bounded to ±20 nats. */
export function boundedExp(logRatio: number): number {
  return Math.exp(Math.min(maxLogRatio, Math.max(-maxLogRatio, logRatio)));
}

/** [B, T] logprob − oldLogprob, also where a mask is 0. Unit: nats. Both of one length. */
export function tokenLogRatios(logprobs: Float64Array, oldLogprobs: Float64Array): Float64Array {
  return logprobs.map((logprob, token) => logprob - oldLogprobs[token]!);
}

/**
 * [B] sum over each sequence's tokens in the mask: the log-ratio of the sequence as a whole. 0 for a sequence without a token.
 * `logRatios` and `mask` [B, T]. Unit: nats. Entries with mask 0 may hold anything. Throws a RangeError unless rows are whole.
 */
export function summedLogRatios(
  logRatios: Float64Array,
  mask: Uint8Array,
  numSequences: number,
): Float64Array {
  const numTokens = rowWidth('logRatios', logRatios.length, numSequences);
  const sums = new Float64Array(numSequences);
  for (let token = 0; token < logRatios.length; token++)
    if (mask[token] !== 0) sums[Math.floor(token / numTokens)]! += logRatios[token]!;
  return sums;
}

/** [B] mean over each sequence's tokens in the mask, of what `summedLogRatios` sums. 0 for a sequence without a token. */
export function meanLogRatios(
  logRatios: Float64Array,
  mask: Uint8Array,
  numSequences: number,
): Float64Array {
  const lengths = rowLengths(mask, numSequences);
  const sums = summedLogRatios(logRatios, mask, numSequences);
  return sums.map((sum, row) => sum / Math.max(1, lengths[row]!));
}
