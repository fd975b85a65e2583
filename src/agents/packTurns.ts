import type { LossSpec } from '../config/experimentSpec';

/**
 * Equal work is done once. Rollouts of one task repeat the same prompts many times, so the transformer runs over *distinct*
 * sequences, and the loss over *distinct* turns with their multiplicity as weight: the same sums, a fraction of the cost.
 * Axes: U distinct sequences, T their padded length, K sites (token rows whose next-token distribution is needed), N distinct
 * turns, L action tokens. U, K and N are rounded up to few sizes, so that a GPU sees few shapes; what is added has weight 0.
 */
export interface PackedTurns {
  /** int32 [U, T] prompt and all action tokens but the last; zero-padded on the right. */
  readonly tokens: Int32Array;
  readonly numSequences: number;
  readonly length: number;
  /** int32 [K] token row (sequence · T + position) of each site. */
  readonly siteRows: Int32Array;
  /** int32 [U·T] site of each token row; K where there is none. */
  readonly siteOfRow: Int32Array;
  /** float32 [K] how many action tokens were drawn at the site, by weight. */
  readonly siteCounts: Float32Array;
  /** L */
  readonly actionWidth: number;
  /** int32 [N, L] site that each action token was drawn at; 0 where the mask is 0. */
  readonly turnSites: Int32Array;
  /** int32 [N, L] */
  readonly turnTokens: Int32Array;
  /** float32 [N, L] 1 = an action token, 0 = padding. */
  readonly mask: Float32Array;
  /** float32 [N] multiplicity, as summed weights; 0 for a turn that only fills up. */
  readonly turnCounts: Float32Array;
  /** float32 [N, L] aggregation weight × multiplicity: what a penalty on every token is weighed by. */
  readonly tokenWeights: Float32Array;
  /** float32 [N, L] `tokenWeights` × the constant factors of the token losses: the loss is Σ weight · token loss. */
  readonly lossWeights: Float32Array;
  /** int32 [rows] the distinct turn of each selected row, in the order of the selection. */
  readonly turnOfRow: Int32Array;
  /** float32 [N, L] nats */
  readonly oldLogprobs: Float32Array;
  /** float32 [N] */
  readonly advantages: Float32Array;
  /** All action tokens, by weight. */
  readonly numActionTokens: number;
}

/** Turns of an update batch as the packer reads them; rows are selected by index. */
export interface TurnArrays {
  readonly promptTokens: Int32Array;
  readonly promptLengths: Int32Array;
  readonly promptWidth: number;
  readonly actionTokens: Int32Array;
  readonly actionLengths: Int32Array;
  readonly actionWidth: number;
  readonly oldLogprobs: Float32Array;
  readonly advantages: Float32Array;
  readonly weights: Float32Array;
  readonly lossFactors: Float32Array;
}

/** Totals over all turns that one policy update averages over, so that slices of it add up to the whole. */
export interface Normaliser {
  readonly numTokens: number;
  readonly numTurns: number;
  readonly maxActionTokens: number;
}

/** The smallest of 8, 12, 16, 24, 32, 48, … that is not below `count`: at most a third is padding. */
export function bucketSize(count: number): number {
  let size = 8;
  while (size < count) size = Number.isInteger(Math.log2(size)) ? size * 1.5 : (size / 3) * 4;
  return size;
}

/** Loss weight of one token of a turn with `length` action tokens. See ALGORITHMS: token mean, turn mean, constant length. */
function tokenWeight(
  aggregation: LossSpec['aggregation'],
  length: number,
  total: Normaliser,
): number {
  switch (aggregation) {
    case 'tokenMean':
      return 1 / total.numTokens;
    case 'sequenceMean':
      return 1 / (length * total.numTurns);
    case 'constantLength':
      return 1 / (total.numTurns * total.maxActionTokens);
  }
}

/** Distinct sequences in order of first use; equal ones of different families stay apart. */
class SequenceTable {
  readonly rows: number[][] = [];
  readonly #indexOf = new Map<string, number>();

  indexOf(sequence: number[], family: number): number {
    const key = String.fromCharCode(family, ...sequence);
    const known = this.#indexOf.get(key);
    if (known !== undefined) return known;
    this.#indexOf.set(key, this.rows.length);
    this.rows.push(sequence);
    return this.rows.length - 1;
  }
}

/** Right-padded [bucket, T] token matrix of distinct sequences. */
export function padSequences(rows: readonly (readonly number[])[]): {
  tokens: Int32Array;
  numSequences: number;
  length: number;
} {
  const length = rows.reduce((longest, row) => Math.max(longest, row.length), 1);
  const numSequences = bucketSize(rows.length);
  const tokens = new Int32Array(numSequences * length);
  for (const [index, row] of rows.entries()) tokens.set(row, index * length);
  return { tokens, numSequences, length };
}

interface DistinctTurn {
  readonly sequence: number;
  readonly promptLength: number;
  readonly action: Int32Array;
  readonly oldLogprobs: Float32Array;
  readonly lossFactors: Float32Array;
  readonly advantage: number;
  /** Place among the distinct turns. */
  readonly index: number;
  count: number;
}

/**
 * Distinct (sequence, action, old logprobs, loss factors, advantage) with their counts.
 * @param sequences shared = turns that differ in their last token alone, which nothing reads, are one sequence
 */
function collectTurns(
  turns: TurnArrays,
  rows: readonly number[],
  sequences: 'shared' | 'apart',
): { table: SequenceTable; distinct: DistinctTurn[]; turnOfRow: Int32Array } {
  const table = new SequenceTable();
  const distinct = new Map<string, DistinctTurn>();
  const turnOfRow = new Int32Array(rows.length);
  for (const [place, row] of rows.entries()) {
    const promptLength = turns.promptLengths[row]!;
    const actionLength = turns.actionLengths[row]!;
    const promptStart = row * turns.promptWidth;
    const actionStart = row * turns.actionWidth;
    const prompt = turns.promptTokens.subarray(promptStart, promptStart + promptLength);
    const action = turns.actionTokens.subarray(actionStart, actionStart + actionLength);
    const oldLogprobs = turns.oldLogprobs.subarray(actionStart, actionStart + actionLength);
    const lossFactors = turns.lossFactors.subarray(actionStart, actionStart + actionLength);
    const sequence =
      sequences === 'shared'
        ? table.indexOf([...prompt, ...action.subarray(0, actionLength - 1)], 0)
        : table.indexOf([...prompt, ...action], promptLength);
    const advantage = turns.advantages[row]!;
    const weight = turns.weights[row]!;
    const constants = `${oldLogprobs.join()} ${lossFactors.join()} ${advantage}`;
    const key = `${sequence} ${promptLength} ${action[actionLength - 1]} ${constants}`;
    const index = distinct.size;
    const fresh = { sequence, promptLength, action, oldLogprobs, lossFactors, advantage, index };
    const turn = distinct.get(key) ?? { ...fresh, count: 0 };
    distinct.set(key, turn);
    turn.count += weight;
    turnOfRow[place] = turn.index;
  }
  return { table, distinct: [...distinct.values()], turnOfRow };
}

/** The token matrices [N, L] of the distinct turns; sites are numbered in order of first use. */
function fillTurns(
  distinct: readonly DistinctTurn[],
  sequenceLength: number,
  weightOf: (length: number) => number,
): Pick<
  PackedTurns,
  | 'actionWidth'
  | 'turnSites'
  | 'turnTokens'
  | 'mask'
  | 'tokenWeights'
  | 'lossWeights'
  | 'oldLogprobs'
> & { siteOf: Map<number, number> } {
  const actionWidth = distinct.reduce((width, { action }) => Math.max(width, action.length), 1);
  const size = bucketSize(distinct.length) * actionWidth;
  const siteOf = new Map<number, number>();
  const turnSites = new Int32Array(size);
  const turnTokens = new Int32Array(size);
  const mask = new Float32Array(size);
  const tokenWeights = new Float32Array(size);
  const lossWeights = new Float32Array(size);
  const oldLogprobs = new Float32Array(size);
  for (const [row, turn] of distinct.entries()) {
    const start = row * actionWidth;
    const length = turn.action.length;
    turnTokens.set(turn.action, start);
    oldLogprobs.set(turn.oldLogprobs, start);
    mask.fill(1, start, start + length);
    const weight = turn.count * weightOf(length);
    tokenWeights.fill(weight, start, start + length);
    for (let offset = 0; offset < length; offset++)
      lossWeights[start + offset] = weight * turn.lossFactors[offset]!;
    for (let offset = 0; offset < length; offset++) {
      const tokenRow = turn.sequence * sequenceLength + turn.promptLength - 1 + offset;
      const site = siteOf.get(tokenRow) ?? siteOf.size;
      siteOf.set(tokenRow, site);
      turnSites[start + offset] = site;
    }
  }
  const matrices = { turnSites, turnTokens, mask, tokenWeights, lossWeights, oldLogprobs };
  return { actionWidth, ...matrices, siteOf };
}

/**
 * Packs the turns `rows` of one agent in one replica.
 * @throws RangeError for an empty selection: an agent that did not act has no loss.
 */
export function packTurns(
  turns: TurnArrays,
  rows: readonly number[],
  aggregation: LossSpec['aggregation'],
  total: Normaliser,
): PackedTurns {
  if (rows.length === 0)
    throw new RangeError('packTurns got no turns: leave out agents that did not act.');
  return packCollected(collectTurns(turns, rows, 'shared'), (length) =>
    tokenWeight(aggregation, length, total),
  );
}

/**
 * Likewise, but every distinct turn has a sequence of its own, so that the gradient of a summed loss with respect to a token of a sequence
 * is that of its turn. Every action token weighs as much as there are equal turns.
 */
export function packApart(turns: TurnArrays, rows: readonly number[]): PackedTurns {
  if (rows.length === 0) throw new RangeError('packApart got no turns: ask for none.');
  return packCollected(collectTurns(turns, rows, 'apart'), () => 1);
}

function packCollected(
  { table, distinct, turnOfRow }: ReturnType<typeof collectTurns>,
  weightOf: (length: number) => number,
): PackedTurns {
  const { tokens, numSequences, length } = padSequences(table.rows);
  const { siteOf, ...matrices } = fillTurns(distinct, length, weightOf);
  const numSites = bucketSize(siteOf.size);
  const siteRows = new Int32Array(numSites);
  const siteOfRow = new Int32Array(numSequences * length).fill(numSites);
  for (const [row, site] of siteOf) {
    siteRows[site] = row;
    siteOfRow[row] = site;
  }
  const siteCounts = new Float32Array(numSites);
  const numTurns = bucketSize(distinct.length);
  const turnCounts = new Float32Array(numTurns);
  const advantages = new Float32Array(numTurns);
  let numActionTokens = 0;
  for (const [row, turn] of distinct.entries()) {
    turnCounts[row] = turn.count;
    advantages[row] = turn.advantage;
    numActionTokens += turn.count * turn.action.length;
    for (let offset = 0; offset < turn.action.length; offset++)
      siteCounts[matrices.turnSites[row * matrices.actionWidth + offset]!]! += turn.count;
  }
  return {
    tokens,
    numSequences,
    length,
    siteRows,
    siteOfRow,
    siteCounts,
    ...matrices,
    turnCounts,
    advantages,
    numActionTokens,
    turnOfRow,
  };
}
