import { packLossTokens, type LossToken } from '../kernels/policyLoss/policyLoss';
import type { PackedTurns } from './packTurns';

/**
 * The packed turns of all replicas of a cohort, side by side in one shape: what the kernels read. A replica without turns is padding.
 * Axes: R replicas, U sequences, T tokens, K sites, N turns, L action tokens.
 */

export interface StackShape {
  readonly numSequences: number;
  readonly length: number;
  readonly numSites: number;
  readonly numTurns: number;
  readonly actionWidth: number;
}

export interface StackedTurns {
  readonly shape: StackShape;
  /** int32 [R, U, T] */
  readonly tokens: Int32Array<ArrayBuffer>;
  /** int32 [R, K] token row of each site. */
  readonly siteRows: Int32Array<ArrayBuffer>;
  /** int32 [R, U·T] site of each row; K where there is none. */
  readonly siteOfRow: Int32Array<ArrayBuffer>;
  /** [R, N, L, 7] see `packLossTokens`. */
  readonly lossTokens: Int32Array<ArrayBuffer>;
  /** float32 [R, N] */
  readonly advantages: Float32Array<ArrayBuffer>;
  /** int32 [R, K + 1] and [R, N·L, 2]: what was drawn at each site, see `LossBuffers`. */
  readonly starts: Int32Array<ArrayBuffer>;
  readonly cells: Int32Array<ArrayBuffer>;
  /** float32 [R, K] share of the replica's action tokens drawn at the site. */
  readonly siteShares: Float32Array<ArrayBuffer>;
}

/** One replica's turns and what its loss weighs them by. */
export interface ReplicaTurns {
  readonly packed: PackedTurns;
  /** Cross-entropy weighs every token alike; a policy gradient has constant factors on its token losses. */
  readonly objective: 'policyGradient' | 'supervised';
  /** float32 [N, L] of `packed`; null without a reference. Unit: nats. */
  readonly refLogprobs: Float32Array | null;
}

function commonShape(replicas: readonly (ReplicaTurns | null)[]): StackShape {
  const largest = (of: (packed: PackedTurns) => number): number =>
    replicas.reduce(
      (most, replica) => (replica === null ? most : Math.max(most, of(replica.packed))),
      1,
    );
  return {
    numSequences: largest(({ numSequences }) => numSequences),
    length: largest(({ length }) => length),
    numSites: largest(({ siteRows }) => siteRows.length),
    numTurns: largest(({ turnCounts }) => turnCounts.length),
    actionWidth: largest(({ actionWidth }) => actionWidth),
  };
}

const emptyToken: LossToken = {
  site: -1,
  token: 0,
  oldLogprob: 0,
  refLogprob: 0,
  lossWeight: 0,
  klWeight: 0,
  share: 0,
};

/** An action token of the common shape; padding where the packed turns have none. */
function lossToken(
  { packed, objective, refLogprobs }: ReplicaTurns,
  turn: number,
  place: number,
): LossToken {
  const { actionWidth, turnCounts, numActionTokens, mask } = packed;
  const cell = turn * actionWidth + place;
  const isToken = turn < turnCounts.length && place < actionWidth && mask[cell] === 1;
  if (!isToken) return emptyToken;
  return {
    site: packed.turnSites[cell]!,
    token: packed.turnTokens[cell]!,
    oldLogprob: packed.oldLogprobs[cell]!,
    refLogprob: refLogprobs?.[cell] ?? 0,
    lossWeight: objective === 'supervised' ? packed.tokenWeights[cell]! : packed.lossWeights[cell]!,
    klWeight: packed.tokenWeights[cell]!,
    share: turnCounts[turn]! / numActionTokens,
  };
}

/** [N·L] tokens of one replica in the common shape. */
function lossTokens(replica: ReplicaTurns | null, shape: StackShape): LossToken[] {
  const { numTurns, actionWidth } = shape;
  return Array.from({ length: numTurns * actionWidth }, (_, cell) =>
    replica === null
      ? emptyToken
      : lossToken(replica, Math.floor(cell / actionWidth), cell % actionWidth),
  );
}

/** Cells by site: [K + 1] where each site's begin, and (cell, token) of each. */
function cellsBySite(
  tokens: readonly LossToken[],
  numSites: number,
): { starts: Int32Array; cells: Int32Array } {
  const starts = new Int32Array(numSites + 1);
  for (const { site } of tokens) if (site >= 0) starts[site + 1]!++;
  for (let site = 0; site < numSites; site++) starts[site + 1]! += starts[site]!;
  const next = starts.slice();
  const cells = new Int32Array(2 * tokens.length);
  for (const [cell, { site, token }] of tokens.entries())
    if (site >= 0) cells.set([cell, token], 2 * next[site]!++);
  return { starts, cells };
}

/** Copies the sequences and sites of one replica into its place; token rows are renumbered to the common length. */
function placeSequences(stacked: StackedTurns, replica: number, packed: PackedTurns): void {
  const { numSequences, length, numSites } = stacked.shape;
  const numRows = numSequences * length;
  const rowOf = (row: number): number =>
    Math.floor(row / packed.length) * length + (row % packed.length);
  for (let sequence = 0; sequence < packed.numSequences; sequence++)
    stacked.tokens.set(
      packed.tokens.subarray(sequence * packed.length, (sequence + 1) * packed.length),
      replica * numRows + sequence * length,
    );
  const noSite = packed.siteRows.length;
  for (const [row, site] of packed.siteOfRow.entries())
    if (site !== noSite) stacked.siteOfRow[replica * numRows + rowOf(row)] = site;
  for (const [site, row] of packed.siteRows.entries())
    stacked.siteRows[replica * numSites + site] = rowOf(row);
  for (const [site, count] of packed.siteCounts.entries())
    stacked.siteShares[replica * numSites + site] = count / packed.numActionTokens;
}

/** `replicas`: [R], null where a replica has no turns. */
export function stackTurns(replicas: readonly (ReplicaTurns | null)[]): StackedTurns {
  const shape = commonShape(replicas);
  const { numSequences, length, numSites, numTurns, actionWidth } = shape;
  const numReplicas = replicas.length;
  const numCells = numTurns * actionWidth;
  const stacked: StackedTurns = {
    shape,
    tokens: new Int32Array(numReplicas * numSequences * length),
    siteRows: new Int32Array(numReplicas * numSites),
    siteOfRow: new Int32Array(numReplicas * numSequences * length).fill(numSites),
    lossTokens: new Int32Array(numReplicas * numCells * 7),
    advantages: new Float32Array(numReplicas * numTurns),
    starts: new Int32Array(numReplicas * (numSites + 1)),
    cells: new Int32Array(numReplicas * numCells * 2),
    siteShares: new Float32Array(numReplicas * numSites),
  };
  for (const [index, replica] of replicas.entries()) {
    const tokens = lossTokens(replica, shape);
    stacked.lossTokens.set(packLossTokens(tokens), index * numCells * 7);
    const { starts, cells } = cellsBySite(tokens, numSites);
    stacked.starts.set(starts, index * (numSites + 1));
    stacked.cells.set(cells, index * numCells * 2);
    if (replica === null) continue;
    placeSequences(stacked, index, replica.packed);
    stacked.advantages.set(replica.packed.advantages, index * numTurns);
  }
  return stacked;
}
