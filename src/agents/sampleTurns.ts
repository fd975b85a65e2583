import * as tf from '@tensorflow/tfjs-core';
import type { SampleCalls, SampledTurns } from '../protocol/policyApi';
import { gumbel, type Key } from '../rl/rng';
import { groupRows } from './groupRows';
import { padSequences } from './packTurns';
import { logitsAt, type CohortModel, type ReplicaState } from './replica';

/**
 * Whole turns for a batch of prompts. Equal contexts of a replica are computed once, whatever their number; each row then draws
 * with its own noise, so the result does not depend on the order or the company of a row. One read-back per token and replica.
 */

/** Contexts of one replica that wait for their next token. */
interface Wave {
  readonly replica: number;
  readonly rows: readonly number[];
  /** [rows] index of each row's context among the distinct ones. */
  readonly contextOf: readonly number[];
  readonly contexts: readonly (readonly number[])[];
}

function wavesOf(contexts: ReadonlyMap<number, readonly number[]>, replicas: Int32Array): Wave[] {
  const byReplica = groupRows(contexts.keys(), (row) => replicas[row]!);
  return Array.from(byReplica, ([replica, rows]) => {
    const distinct = new Map<string, number>();
    const kept: (readonly number[])[] = [];
    const contextOf = rows.map((row) => {
      const context = contexts.get(row)!;
      const key = String.fromCharCode(...context);
      const known = distinct.get(key);
      if (known !== undefined) return known;
      distinct.set(key, kept.length);
      kept.push(context);
      return kept.length - 1;
    });
    return { replica, rows, contextOf, contexts: kept };
  });
}

/** [contexts, V] logits after the last token of each context, on the device. */
function lastLogits(model: CohortModel, replica: ReplicaState, wave: Wave): tf.Tensor2D {
  return tf.tidy(() => {
    const { tokens, numSequences, length } = padSequences(wave.contexts);
    const rows = new Int32Array(numSequences);
    for (const [index, context] of wave.contexts.entries())
      rows[index] = index * length + context.length - 1;
    const sites = {
      rows: tf.tensor1d(rows, 'int32'),
      // Only the gradient reads it, and nothing is differentiated here.
      siteOfRow: tf.tensor1d([0], 'int32'),
    };
    return logitsAt(model, replica.weights, {
      tokens: tf.tensor2d(tokens, [numSequences, length], 'int32'),
      sites,
    });
  });
}

interface Draw {
  readonly token: number;
  /** nats */
  readonly logprob: number;
}

/** log Σ exp of one row, in float64. */
function logSumExp(logits: Float32Array): number {
  const largest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  return largest + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0));
}

export const divergedMessage =
  'The policy’s logits are not finite: its weights have diverged. Lower the learning rate or clip the gradient.';

/** Gumbel-max: argmax of logits + noise is a sample of the softmax. Ties go to the smaller token. */
function drawToken(logits: Float32Array, logNormaliser: number, noise: Noise): Draw {
  let best = -Infinity;
  let token = 0;
  for (const [candidate, logit] of logits.entries()) {
    const score = noise === 'greedy' ? logit : logit + gumbel(noise.key, noise.offset + candidate);
    if (score > best) [best, token] = [score, candidate];
  }
  // One NaN or infinite logit is enough: the normaliser takes it in, though the argmax may pass it by.
  if (!Number.isFinite(logNormaliser)) throw new Error(divergedMessage);
  return { token, logprob: logits[token]! - logNormaliser };
}

type Noise = 'greedy' | { readonly key: Key; readonly offset: number };

/** Draws the next token of every waiting row. */
async function nextTokens(
  model: CohortModel,
  replicas: readonly ReplicaState[],
  waves: readonly Wave[],
  noiseOf: (row: number) => Noise,
): Promise<Map<number, Draw>> {
  const { vocabularySize } = model.cohort;
  // All forward passes are issued before the first read-back is awaited.
  const pending = waves.map((wave) => {
    const logits = lastLogits(model, replicas[wave.replica]!, wave);
    const data = logits.data<'float32'>().finally(() => logits.dispose());
    return { wave, data };
  });
  const draws = new Map<number, Draw>();
  for (const { wave, data } of pending) {
    const logits = await data;
    const rowsOf = wave.contexts.map((_, context) =>
      logits.subarray(context * vocabularySize, (context + 1) * vocabularySize),
    );
    const normalisers = rowsOf.map(logSumExp);
    for (const [index, row] of wave.rows.entries()) {
      const context = wave.contextOf[index]!;
      draws.set(row, drawToken(rowsOf[context]!, normalisers[context]!, noiseOf(row)));
    }
  }
  return draws;
}

/** See `PolicyApi.sample`. */
export async function sampleTurns(
  model: CohortModel,
  replicas: readonly ReplicaState[],
  calls: SampleCalls,
): Promise<SampledTurns> {
  const { maxActionTokens, vocabularySize } = model.cohort;
  const numRows = calls.replicas.length;
  const actionTokens = new Int32Array(numRows * maxActionTokens);
  const rolloutLogprobs = new Float32Array(numRows * maxActionTokens);
  const contexts = new Map<number, readonly number[]>();
  for (let row = 0; row < numRows; row++) {
    const start = row * calls.promptWidth;
    contexts.set(row, [...calls.promptTokens.subarray(start, start + calls.promptLengths[row]!)]);
  }
  for (let position = 0; position < maxActionTokens; position++) {
    for (const row of contexts.keys())
      if (calls.actionLengths[row]! <= position) contexts.delete(row);
    const noiseOf = (row: number): Noise =>
      calls.greedy
        ? 'greedy'
        : {
            key: [calls.noiseKeys[2 * row]!, calls.noiseKeys[2 * row + 1]!],
            offset: position * vocabularySize,
          };
    const waves = wavesOf(contexts, calls.replicas);
    for (const [row, { token, logprob }] of await nextTokens(model, replicas, waves, noiseOf)) {
      actionTokens[row * maxActionTokens + position] = token;
      rolloutLogprobs[row * maxActionTokens + position] = logprob;
      contexts.set(row, [...contexts.get(row)!, token]);
    }
  }
  return { actionTokens, rolloutLogprobs };
}
