import * as tf from '@tensorflow/tfjs-core';
import type { ScoreTurns } from '../protocol/policyApi';
import { groupRows } from './groupRows';
import { packTurns, type PackedTurns, type TurnArrays } from './packTurns';
import { disposeTurns, tokenLogprobs, uploadTurns } from './policyObjective';
import { logitsAt, type CohortModel, type ReplicaState } from './replica';

/** Log-probabilities of turns that are already written. Equal turns of a replica are computed once. */

/** What only a loss reads is the same for all. */
export function withoutLoss(turns: ScoreTurns): TurnArrays {
  const { replicas, actionTokens } = turns;
  return {
    ...turns,
    oldLogprobs: new Float32Array(actionTokens.length),
    lossFactors: new Float32Array(actionTokens.length),
    advantages: new Float32Array(replicas.length),
    weights: new Float32Array(replicas.length).fill(1),
  };
}

/** The distinct turns among `rows`. */
export function packScored(turns: ScoreTurns, rows: readonly number[]): PackedTurns {
  const total = { numTokens: 1, numTurns: 1, maxActionTokens: 1 };
  return packTurns(withoutLoss(turns), rows, 'tokenMean', total);
}

function weightsOf(
  { weights, reference }: ReplicaState,
  under: 'current' | 'reference',
): readonly tf.Tensor[] {
  if (under === 'current') return weights;
  if (reference === null)
    throw new Error('This replica has no reference to score under: its loss has no KL penalty.');
  return reference;
}

/** See `PolicyApi.score`. All forward passes are issued before the first read-back is awaited. */
export async function scoreTurns(
  model: CohortModel,
  replicas: readonly ReplicaState[],
  turns: ScoreTurns,
  under: 'current' | 'reference',
): Promise<Float32Array> {
  const byReplica = groupRows(turns.replicas.keys(), (row) => turns.replicas[row]!);
  const pending = Array.from(byReplica, async ([replica, rows]) => {
    // Before the upload, which would be left behind where there is no reference.
    const weights = weightsOf(replicas[replica]!, under);
    const packed = packScored(turns, rows);
    const device = uploadTurns(packed);
    const logprobs = tf.tidy(() =>
      tokenLogprobs(tf.logSoftmax(logitsAt(model, weights, device)), device),
    );
    disposeTurns(device);
    const values = await logprobs.data<'float32'>().finally(() => logprobs.dispose());
    return { rows, packed, values };
  });
  return unpackScores(turns, await Promise.all(pending));
}

/**
 * [B, L] from the log-probabilities of the distinct turns; `values`: [N, L] of `packed`.
 * Throws an Error where one is not finite.
 */
export function unpackScores(
  turns: ScoreTurns,
  scored: readonly { rows: readonly number[]; packed: PackedTurns; values: Float32Array }[],
): Float32Array {
  const { actionWidth } = turns;
  const scores = new Float32Array(turns.replicas.length * actionWidth);
  for (const { rows, packed, values } of scored)
    for (const [place, row] of rows.entries()) {
      const start = packed.turnOfRow[place]! * packed.actionWidth;
      const length = turns.actionLengths[row]!;
      scores.set(values.subarray(start, start + length), row * actionWidth);
    }
  // A mask of importance weights would make factor 0 of a NaN, and the loss of its turn vanish without a word.
  if (!scores.every(Number.isFinite))
    throw new Error(
      'The policy’s log-probabilities are not finite: its weights have diverged. Lower the learning rate or clip the gradient.',
    );
  return scores;
}
