import * as tf from '@tensorflow/tfjs-core';
import type { LossSpec } from '../config/experimentSpec';
import type { UpdateBatch } from '../protocol/policyApi';
import { groupRows } from './groupRows';
import { flatten, optimizerStep, unflatten } from './optimizer';
import { packTurns } from './packTurns';
import {
  approxKl,
  disposeTurns,
  policyGradientObjective,
  stackScalars,
  supervisedObjective,
  tokenLogprobs,
  uploadTurns,
  type DeviceTurns,
} from './policyObjective';
import { logitsAt, type CohortModel, type ReplicaState } from './replica';

/** One agent's turns of one minibatch of one replica, on the device. */
export interface AgentSlice {
  readonly agent: number;
  readonly turns: DeviceTurns;
  readonly numTokens: number;
  /** This agent's share of the minibatch's action tokens. */
  readonly tokenShare: number;
}

/** Groups the rows of one replica and minibatch by agent and uploads them. The loss is averaged over all of them together. */
export function uploadSlices(
  batch: UpdateBatch,
  rows: readonly number[],
  model: CohortModel,
  aggregation: LossSpec['aggregation'],
): AgentSlice[] {
  const weighted = (of: (row: number) => number): number =>
    rows.reduce((sum, row) => sum + batch.weights[row]! * of(row), 0);
  const numTokens = weighted((row) => batch.actionLengths[row]!);
  const total = {
    numTokens,
    numTurns: weighted(() => 1),
    maxActionTokens: model.cohort.maxActionTokens,
  };
  const byAgent = [...groupRows(rows, (row) => batch.agents[row]!)].toSorted(([a], [b]) => a - b);
  return byAgent.map(([agent, agentRows]) => {
    const packed = packTurns(batch, agentRows, aggregation, total);
    return {
      agent,
      turns: uploadTurns(packed),
      numTokens: packed.numActionTokens,
      tokenShare: packed.numActionTokens / numTokens,
    };
  });
}

export function disposeSlices(slices: readonly AgentSlice[]): void {
  for (const { turns } of slices) disposeTurns(turns);
}

interface SliceGradient {
  /** [P] this agent's part of the policy's gradient. */
  readonly gradient: tf.Tensor1D;
  /** [objectiveStats] */
  readonly stats: tf.Tensor1D;
}

/** [N, L] of the slice's tokens under the replica's reference; null without a penalty. */
function referenceLogprobs(
  model: CohortModel,
  { hyper, reference }: ReplicaState,
  { turns }: AgentSlice,
): tf.Tensor2D | null {
  if (hyper.loss.refKlCoef === 0) return null;
  if (reference === null)
    throw new Error('The loss has a KL penalty, but keepReference() was never called.');
  return tokenLogprobs(tf.logSoftmax(logitsAt(model, reference, turns)), turns);
}

/** One backward pass over one agent's turns. */
export function sliceGradient(
  model: CohortModel,
  replica: ReplicaState,
  slice: AgentSlice,
  objective: UpdateBatch['objective'],
): SliceGradient {
  const { loss } = replica.hyper;
  const { turns, tokenShare } = slice;
  return tf.tidy(() => {
    const isSupervised = objective === 'supervised';
    const refLogprobs = isSupervised ? null : referenceLogprobs(model, replica, slice);
    const scored: tf.Tensor1D[] = [];
    const { grads } = tf.valueAndGrads((...weights: tf.Tensor[]) => {
      const logits = logitsAt(model, weights, turns);
      const { loss: objectiveLoss, stats } = isSupervised
        ? supervisedObjective(logits, turns)
        : policyGradientObjective(logits, turns, { loss, tokenShare, refLogprobs });
      // valueAndGrads returns the loss alone and frees the rest; the statistics have to outlive it.
      scored.push(tf.keep(stats));
      return objectiveLoss;
    })([...replica.weights]);
    const stats = tf.concat1d(scored);
    tf.dispose(scored);
    return { gradient: flatten(grads), stats };
  });
}

/** [slices · slices] inner products of the parts. Each a sum of its own: a matrix product would mix a part that is not finite into others. */
export function innerProducts(parts: readonly tf.Tensor1D[]): tf.Tensor1D {
  return stackScalars(parts.flatMap((a) => parts.map((b) => tf.sum<tf.Scalar>(tf.mul(a, b)))));
}

interface UpdatedReplica {
  readonly replica: ReplicaState;
  /** [slices · slices] inner products of their gradients, then [slices · objectiveStats]; on the device, the caller reads and disposes it. */
  readonly stats: tf.Tensor1D;
}

/** One optimizer step on all slices. The old replica's tensors stay valid: the caller disposes them. */
export function stepReplica(
  model: CohortModel,
  replica: ReplicaState,
  slices: readonly AgentSlice[],
  step: { objective: UpdateBatch['objective']; learningRate: number },
): UpdatedReplica {
  const { optimizer } = replica.hyper;
  const [stats, moment1, moment2, count, ...weights] = tf.tidy(() => {
    const parts = slices.map((slice) => sliceGradient(model, replica, slice, step.objective));
    const gradient = parts.map((part) => part.gradient).reduce((sum, part) => tf.add(sum, part));
    const joined = tf.concat1d([
      innerProducts(parts.map((part) => part.gradient)),
      ...parts.map((part) => part.stats),
    ]);
    const current = { weights: flatten(replica.weights), state: replica.optimizer };
    const normSquared = tf.sum<tf.Scalar>(tf.square(gradient));
    const next = optimizerStep(optimizer, step.learningRate, current, { gradient, normSquared });
    const { state } = next;
    const after = unflatten(next.weights, model.parameters);
    return [joined, state.moment1, state.moment2, state.count, ...after] as const;
  }) as readonly [tf.Tensor1D, tf.Tensor1D, tf.Tensor1D, tf.Scalar, ...tf.Tensor[]];
  return {
    replica: { ...replica, weights, optimizer: { moment1, moment2, count } },
    stats,
  };
}

/** [slices] KL of the current weights to the sampling policy, on the device. */
export function klOfSlices(
  model: CohortModel,
  replica: ReplicaState,
  slices: readonly AgentSlice[],
): tf.Tensor1D {
  return tf.tidy(() =>
    stackScalars(
      slices.map(({ turns }) => approxKl(logitsAt(model, replica.weights, turns), turns)),
    ),
  );
}
