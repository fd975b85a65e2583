import type { LossSpec } from '../config/experimentSpec';

/**
 * Equal work is done once. Rollouts of one task repeat the same prompts many times, so the transformer runs over *distinct*
 * sequences, and the loss over *distinct* token records with their multiplicity as weight: the same sums, a fraction of the cost.
 * Axes: U distinct sequences, T their padded length, K sites (token rows whose next-token distribution is needed), N token records.
 * U, K and N are rounded up to few sizes, so that a GPU sees few shapes; what is added has weight 0.
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
  /** float32 [K] how many action tokens were drawn at the site. */
  readonly siteCounts: Float32Array;
  /** int32 [N] */
  readonly recordSites: Int32Array;
  /** int32 [N] the action token. */
  readonly recordTokens: Int32Array;
  /** float32 [N] multiplicity. */
  readonly recordCounts: Float32Array;
  /** float32 [N] summed aggregation weight: the loss is −Σ weight · surrogate. */
  readonly recordWeights: Float32Array;
  /** float32 [N] nats */
  readonly oldLogprobs: Float32Array;
  /** float32 [N] */
  readonly advantages: Float32Array;
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
}

function filled<A extends Int32Array | Float32Array>(out: A, values: readonly number[]): A {
  out.set(values);
  return out;
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

/** Distinct sequences in order of first use. */
class SequenceTable {
  readonly rows: number[][] = [];
  readonly #indexOf = new Map<string, number>();

  indexOf(sequence: number[]): number {
    const key = String.fromCharCode(...sequence);
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

interface TokenRecord {
  sequence: number;
  position: number;
  token: number;
  oldLogprob: number;
  advantage: number;
  count: number;
  weight: number;
}

/** Distinct (sequence, position, token, old logprob, advantage) with their counts and summed weights. */
function collectRecords(
  turns: TurnArrays,
  rows: readonly number[],
  weightOf: (length: number) => number,
): { table: SequenceTable; records: TokenRecord[] } {
  const table = new SequenceTable();
  const records = new Map<string, TokenRecord>();
  for (const row of rows) {
    const promptLength = turns.promptLengths[row]!;
    const actionLength = turns.actionLengths[row]!;
    const promptStart = row * turns.promptWidth;
    const actionStart = row * turns.actionWidth;
    const prompt = turns.promptTokens.subarray(promptStart, promptStart + promptLength);
    const action = turns.actionTokens.subarray(actionStart, actionStart + actionLength);
    const sequence = table.indexOf([...prompt, ...action.subarray(0, actionLength - 1)]);
    const weight = weightOf(actionLength);
    const advantage = turns.advantages[row]!;
    for (const [offset, token] of action.entries()) {
      const oldLogprob = turns.oldLogprobs[actionStart + offset]!;
      const position = promptLength - 1 + offset;
      const key = `${sequence},${position},${token},${oldLogprob},${advantage}`;
      const known = records.get(key);
      if (known) {
        known.count += 1;
        known.weight += weight;
      } else
        records.set(key, { sequence, position, token, oldLogprob, advantage, count: 1, weight });
    }
  }
  return { table, records: [...records.values()] };
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
  const { table, records } = collectRecords(turns, rows, (length) =>
    tokenWeight(aggregation, length, total),
  );
  const { tokens, numSequences, length } = padSequences(table.rows);
  const siteIndex = new Map<number, number>();
  const recordSites = records.map(({ sequence, position }) => {
    const row = sequence * length + position;
    const site = siteIndex.get(row) ?? siteIndex.size;
    siteIndex.set(row, site);
    return site;
  });
  const numSites = bucketSize(siteIndex.size);
  const siteRows = new Int32Array(numSites);
  const siteOfRow = new Int32Array(numSequences * length).fill(numSites);
  for (const [row, site] of siteIndex) {
    siteRows[site] = row;
    siteOfRow[row] = site;
  }
  const siteCounts = new Float32Array(numSites);
  for (const [index, { count }] of records.entries()) siteCounts[recordSites[index]!]! += count;
  const numRecords = bucketSize(records.length);
  const floats = (values: readonly number[]): Float32Array =>
    filled(new Float32Array(numRecords), values);
  return {
    tokens,
    numSequences,
    length,
    siteRows,
    siteOfRow,
    siteCounts,
    recordSites: filled(new Int32Array(numRecords), recordSites),
    recordTokens: filled(
      new Int32Array(numRecords),
      records.map((r) => r.token),
    ),
    recordCounts: floats(records.map((r) => r.count)),
    recordWeights: floats(records.map((r) => r.weight)),
    oldLogprobs: floats(records.map((r) => r.oldLogprob)),
    advantages: floats(records.map((r) => r.advantage)),
    numActionTokens: records.reduce((sum, r) => sum + r.count, 0),
  };
}
