import * as tf from '@tensorflow/tfjs-core';
import type { CohortSpec, ReplicaHyper } from '../protocol/policyApi';
import { foldIn, keyFromSeed, type Key } from '../rl/rng';
import { createOptimizerState, type OptimizerState } from './optimizer';
import { initialWeights, parameterSpecs, type ParameterSpec } from './parameters';
import { createTables, forwardLogits, type ModelTables, type Sites } from './tfjsModel';

/** What all replicas of a cohort have in common. */
export interface CohortModel {
  readonly cohort: CohortSpec;
  readonly parameters: readonly ParameterSpec[];
  readonly tables: ModelTables;
}

/** One (arm, seed) of a policy: its weights and optimizer, on the device. Replaced as a whole by each update. */
export interface ReplicaState {
  readonly hyper: ReplicaHyper;
  readonly weights: readonly tf.Tensor[];
  readonly optimizer: OptimizerState;
  /** Frozen weights of the KL penalty; null until kept, and without a penalty. Owned by the replica for its whole life. */
  readonly reference: readonly tf.Tensor[] | null;
}

/** Purpose of the random stream that draws initial weights; the engine's purposes start above. */
const initialWeightsPurpose = 1;

/** FNV-1a over UTF-16 units: gives each policy of a seed its own initial weights. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

export function createCohortModel(cohort: CohortSpec): CohortModel {
  return {
    cohort,
    parameters: parameterSpecs(cohort.architecture, cohort.vocabularySize),
    tables: createTables(cohort.architecture, cohort.maxLength),
  };
}

/** What initial weights are drawn with: the seed and the policy's id alone, so the arms of a seed start equal. */
export function weightsKey(policyId: string, seed: number): Key {
  return foldIn(keyFromSeed(seed), initialWeightsPurpose, hashOf(policyId));
}

export function createReplica(model: CohortModel, hyper: ReplicaHyper): ReplicaState {
  const { cohort, parameters } = model;
  const weights = initialWeights(parameters, weightsKey(cohort.policyId, hyper.seed));
  const numParameters = weights.reduce((sum, values) => sum + values.length, 0);
  return {
    hyper,
    weights: weights.map((values, index) => tf.tensor(values, [...parameters[index]!.shape])),
    optimizer: createOptimizerState(hyper.optimizer, numParameters),
    reference: null,
  };
}

/** The replica with its present weights as reference, if its loss has a KL penalty. The old reference is disposed. */
export function withReference(replica: ReplicaState): ReplicaState {
  if (replica.hyper.loss.refKlCoef === 0) return replica;
  tf.dispose([...(replica.reference ?? [])]);
  return { ...replica, reference: replica.weights.map((weight) => tf.clone(weight)) };
}

/** Throws an Error unless each replica is the one that stands there, with an optimizer of the same kind. */
export function requireSameReplicas(
  before: readonly ReplicaHyper[],
  after: readonly ReplicaHyper[],
): void {
  if (after.length !== before.length)
    throw new Error(
      `${after.length} replicas came, but the policy has ${before.length}: set all of them.`,
    );
  for (const [index, { seed, optimizer }] of before.entries()) {
    const next = after[index]!;
    if (next.seed !== seed || next.optimizer.kind !== optimizer.kind)
      throw new Error(
        `Replica ${index} has seed ${seed} and ${optimizer.kind}, but seed ${next.seed} and ${next.optimizer.kind} came: a policy keeps both.`,
      );
  }
}

/** Frees what an update replaces: weights and optimizer, not the reference. */
export function disposeTrained(replica: ReplicaState): void {
  tf.dispose([...replica.weights]);
  const { moment1, moment2, count } = replica.optimizer;
  tf.dispose([moment1, moment2, count]);
}

export function disposeReplica(replica: ReplicaState): void {
  disposeTrained(replica);
  tf.dispose([...(replica.reference ?? [])]);
}

/** Next-token logits [K, V] of a replica at the given sites. */
export function logitsAt(
  model: CohortModel,
  weights: readonly tf.Tensor[],
  input: { tokens: tf.Tensor2D; sites: Sites },
): tf.Tensor2D {
  return forwardLogits(model.cohort.architecture, model.tables, weights, input);
}
