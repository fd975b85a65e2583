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

/** Counts of all that shares one optimizer step. */
export interface BatchTotals {
  /** Tokens in the mask. */
  readonly numTokens: number;
  /** B: every sequence, also one without a token in the mask. */
  readonly numSequences: number;
  readonly numNonEmptySequences: number;
}

/** Sequences whose token losses are to be aggregated. */
export interface MaskedRows {
  /** [B, T] 1 = the token counts in the loss, 0 = it does not. */
  readonly mask: Uint8Array;
  /** B */
  readonly numSequences: number;
  /** [B] factor on the sequence's token losses; null = 1. The divisor does not change. */
  readonly rowWeights: Float64Array | null;
  /**
   * What is divided by, if these rows are one of several micro-batches: the sum of their losses and gradients is then that of the
   * whole. A mean of the micro-batches' own means is another number. null = these rows are the whole.
   */
  readonly totals: BatchTotals | null;
}

/** Counts tokens and sequences. `mask` is [B, T]; throws a RangeError unless it consists of whole rows. */
export function batchTotals(mask: Uint8Array, numSequences: number): BatchTotals {
  return totalsOf(rowLengths(mask, numSequences));
}

/** [B] number of tokens in the mask. Throws a RangeError unless `mask` [B, T] consists of whole rows. */
export function rowLengths(mask: Uint8Array, numSequences: number): Int32Array {
  const numTokens = rowWidth('mask', mask.length, numSequences);
  const lengths = new Int32Array(numSequences);
  for (let token = 0; token < mask.length; token++)
    lengths[Math.floor(token / numTokens)]! += mask[token]!;
  return lengths;
}

/** T of an array [B, T] called `name`; 1 without a sequence. Throws a RangeError unless the array consists of whole rows. */
export function rowWidth(name: string, size: number, numSequences: number): number {
  if (numSequences === 0 ? size !== 0 : size % numSequences !== 0)
    throw new RangeError(
      `${name} has ${size} entries for ${numSequences} sequences: give whole rows of [B, T].`,
    );
  return numSequences === 0 ? 1 : size / numSequences;
}

/**
 * [B, T] what each token's loss is multiplied by in the aggregate: ∂loss/∂tokenLoss, 0 where the mask is 0.
 * Throws a RangeError on shapes that do not fit and on totals that are smaller than the rows they should contain.
 */
export function aggregationWeights(rows: MaskedRows, aggregation: Aggregation): Float64Array {
  const { mask, numSequences, rowWeights } = rows;
  const numTokens = rowWidth('mask', mask.length, numSequences);
  if (rowWeights !== null && rowWeights.length !== numSequences)
    throw new RangeError(
      `rowWeights has ${rowWeights.length} entries for ${numSequences} sequences: give one per sequence.`,
    );
  const lengths = rowLengths(mask, numSequences);
  const own = totalsOf(lengths);
  assertContains(rows.totals ?? own, own);
  const divisorOf = rowDivisor(rows.totals ?? own, aggregation);
  const perRow = Float64Array.from(
    lengths,
    (length, row) => (rowWeights?.[row] ?? 1) / divisorOf(length),
  );
  return Float64Array.from(mask, (counts, token) =>
    counts === 0 ? 0 : perRow[Math.floor(token / numTokens)]!,
  );
}

function totalsOf(lengths: Int32Array): BatchTotals {
  return {
    numTokens: lengths.reduce((sum, length) => sum + length, 0),
    numSequences: lengths.length,
    numNonEmptySequences: lengths.filter((length) => length > 0).length,
  };
}

/** What a token's loss is divided by, given the number of tokens in its sequence. */
function rowDivisor(totals: BatchTotals, aggregation: Aggregation): (length: number) => number {
  switch (aggregation.kind) {
    case 'tokenMean':
      return () => totals.numTokens;
    case 'sequenceMean':
      return (length) => totals.numNonEmptySequences * length;
    case 'sequenceSum':
      return () => totals.numNonEmptySequences;
    case 'constantLength':
      return () => totals.numSequences * aggregation.length;
  }
}

function assertContains(totals: BatchTotals, own: BatchTotals): void {
  const fits =
    totals.numTokens >= own.numTokens &&
    totals.numSequences >= own.numSequences &&
    totals.numNonEmptySequences >= own.numNonEmptySequences;
  if (!fits)
    throw new RangeError(
      `totals are ${totals.numTokens} tokens in ${totals.numSequences} sequences, this micro-batch alone has ${own.numTokens} in ${own.numSequences}: count the whole optimizer step.`,
    );
}
