import type { ReplicaHyper, UpdateBatch } from '../protocol/policyApi';
import { groupRows } from './groupRows';
import { packTurns, type PackedTurns } from './packTurns';

/** The turns of an update by minibatch and agent, for all replicas of a cohort at once. */

/** One agent's turns of one minibatch. */
export interface CohortSlice {
  readonly agent: number;
  /** [R] null where a replica has none. */
  readonly packed: readonly (PackedTurns | null)[];
  /** [R] the agent's share of the replica's action tokens of the minibatch. */
  readonly tokenShares: readonly number[];
}

/** What one replica's rows of a minibatch are averaged over. */
function totalsOf(batch: UpdateBatch, rows: readonly number[], maxActionTokens: number) {
  let [numTokens, numTurns] = [0, 0];
  for (const row of rows) {
    numTokens += batch.weights[row]! * batch.actionLengths[row]!;
    numTurns += batch.weights[row]!;
  }
  return { numTokens, numTurns, maxActionTokens };
}

function sliceOf(
  batch: UpdateBatch,
  hypers: readonly ReplicaHyper[],
  maxActionTokens: number,
  { rows, agent }: { rows: readonly number[]; agent: number },
): CohortSlice {
  const byReplica = groupRows(rows, (row) => batch.replicas[row]!);
  const totals = (replica: number) =>
    totalsOf(batch, byReplica.get(replica) ?? [], maxActionTokens);
  const packed = hypers.map(({ loss }, replica) => {
    const own = (byReplica.get(replica) ?? []).filter((row) => batch.agents[row] === agent);
    const aggregation = batch.objective === 'supervised' ? 'tokenMean' : loss.aggregation;
    return own.length === 0 ? null : packTurns(batch, own, aggregation, totals(replica));
  });
  const tokenShares = packed.map((turns, replica) =>
    turns === null ? 0 : turns.numActionTokens / totals(replica).numTokens,
  );
  return { agent, packed, tokenShares };
}

/** [minibatches][agents], both in ascending order; agents without a turn in any replica are left out. */
export function slicesOf(
  batch: UpdateBatch,
  hypers: readonly ReplicaHyper[],
  maxActionTokens: number,
): CohortSlice[][] {
  const byMinibatch = groupRows(batch.replicas.keys(), (row) => batch.minibatches[row]!);
  return [...byMinibatch]
    .toSorted(([a], [b]) => a - b)
    .map(([, rows]) =>
      [...new Set(rows.map((row) => batch.agents[row]!))]
        .toSorted((a, b) => a - b)
        .map((agent) => sliceOf(batch, hypers, maxActionTokens, { rows, agent })),
    );
}
