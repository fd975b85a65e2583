import * as tf from '@tensorflow/tfjs-core';
import type { ScoreTurns } from '../protocol/policyApi';
import { groupRows } from './groupRows';
import { packApart, type PackedTurns } from './packTurns';
import { disposeTurns, tokenLogprobs, uploadTurns } from './policyObjective';
import type { CohortModel, ReplicaState } from './replica';
import { withoutLoss } from './scoreTurns';
import { embeddedLogits, embedTokens } from './tfjsModel';

/** How much each token of a prompt bears on what was written after it. Equal turns of a replica are computed once. */

/** The distinct turns among `rows`, a sequence each: the gradient of their summed loss falls apart into theirs. */
export function packInfluenced(turns: ScoreTurns, rows: readonly number[]): PackedTurns {
  return packApart(withoutLoss(turns), rows);
}

/** [U·T, D] gradient of −Σ log π over the action tokens of all turns with respect to the embedded tokens. */
function embeddedGradient(
  { cohort: { architecture }, tables }: CohortModel,
  { weights }: ReplicaState,
  packed: PackedTurns,
): tf.Tensor {
  const { numSequences, length } = packed;
  const device = uploadTurns(packed);
  const gradient = tf.tidy(() => {
    const loss = tf.grad((x) => {
      const embedded = tf.reshape<tf.Rank.R2>(x, [numSequences * length, -1]);
      const input = { embedded, numSequences, length, sites: device.sites };
      const logits = embeddedLogits(architecture, tables, weights, input);
      return tf.neg(tf.sum(tokenLogprobs(tf.logSoftmax(logits), device)));
    });
    return loss(embedTokens(weights, device.tokens));
  });
  disposeTurns(device);
  return gradient;
}

/** Where the gradient of one replica's turns came to. */
interface EmbeddedGradient {
  /** Of the batch. */
  readonly rows: readonly number[];
  readonly packed: PackedTurns;
  /** [U, stride, D] with `stride` ≥ the packed length; each turn's part times its scale. */
  readonly gradient: Float32Array;
  readonly stride: number;
  /** By distinct turn: what its part is multiplied with. */
  readonly scaleOf: (turn: number) => number;
}

/** ‖·‖₂ of each of the first `count` rows of width `width`, in float64. */
function rowNorms(values: Float32Array, count: number, width: number): Float64Array {
  const norms = new Float64Array(count);
  for (let row = 0; row < count; row++)
    norms[row] = Math.hypot(...values.subarray(row * width, (row + 1) * width));
  return norms;
}

/** [B, T] norms of the turns' own gradients; `width`: D. */
export function unpackInfluence(
  turns: ScoreTurns,
  parts: readonly EmbeddedGradient[],
  width: number,
): Float32Array {
  const { promptWidth } = turns;
  const influence = new Float32Array(turns.replicas.length * promptWidth);
  for (const { rows, packed, gradient, stride, scaleOf } of parts)
    for (const [place, row] of rows.entries()) {
      const turn = packed.turnOfRow[place]!;
      const site = packed.turnSites[turn * packed.actionWidth]!;
      const sequence = Math.floor(packed.siteRows[site]! / packed.length);
      const own = gradient.subarray(sequence * stride * width);
      const norms = rowNorms(own, turns.promptLengths[row]!, width);
      const scale = scaleOf(turn);
      influence.set(
        norms.map((norm) => norm / scale),
        row * promptWidth,
      );
    }
  return influence;
}

/** See `PolicyApi.promptInfluence`. All passes are issued before the first read-back is awaited. */
export async function promptInfluence(
  model: CohortModel,
  replicas: readonly ReplicaState[],
  turns: ScoreTurns,
): Promise<Float32Array> {
  const byReplica = groupRows(turns.replicas.keys(), (row) => turns.replicas[row]!);
  const pending = Array.from(byReplica, async ([replica, rows]): Promise<EmbeddedGradient> => {
    const packed = packInfluenced(turns, rows);
    const onDevice = embeddedGradient(model, replicas[replica]!, packed);
    const gradient = await onDevice.data<'float32'>().finally(() => onDevice.dispose());
    return { rows, packed, gradient, stride: packed.length, scaleOf: () => 1 };
  });
  const { hiddenSize } = model.cohort.architecture;
  return unpackInfluence(turns, await Promise.all(pending), hiddenSize);
}
