import type { PolicyCheckpoint } from '../protocol/policyApi';
import { numParametersOf } from './parameterViews';
import { disposeReplica, type ReplicaState } from './replica';
import {
  readFlat,
  readTrained,
  stackTrained,
  tensorsOf,
  trainedAt,
  writeTrained,
} from './tfjsCheckpoint';
import type { Cohort } from './updateCohort';

/** Checkpoints of a policy on tfjs: its replicas, one after another. */

/** P */
function sizeOfReplica({ model: { cohort } }: Cohort): number {
  return numParametersOf(cohort.architecture, cohort.vocabularySize);
}

/** 1 − β^t of both moments; 0 for SGD, which corrects nothing. */
function correctionsOf({ hyper: { optimizer } }: ReplicaState, count: number): number[] {
  if (optimizer.kind === 'sgd') return [0, 0];
  return [optimizer.beta1, optimizer.beta2].map((beta) => 1 - beta ** count);
}

async function referenceOf(cohort: Cohort): Promise<Float32Array<ArrayBuffer> | null> {
  const { replicas } = cohort;
  if (replicas.every(({ reference }) => reference === null)) return null;
  const size = sizeOfReplica(cohort);
  const reference = new Float32Array(replicas.length * size);
  for (const [index, replica] of replicas.entries())
    if (replica.reference !== null) reference.set(await readFlat(replica.reference), index * size);
  return reference;
}

export async function tfjsCheckpoint(cohort: Cohort): Promise<PolicyCheckpoint> {
  const { replicas } = cohort;
  const trained = await Promise.all(replicas.map((replica) => readTrained(replica)));
  return {
    ...stackTrained(trained),
    corrections: Float32Array.from(
      trained.flatMap(({ count }, index) => correctionsOf(replicas[index]!, count)),
    ),
    reference: await referenceOf(cohort),
  };
}

/** Replaces the replicas; what they were is disposed. */
export function restoreTfjs(cohort: Cohort, checkpoint: PolicyCheckpoint): void {
  const { model, replicas } = cohort;
  const size = sizeOfReplica(cohort);
  for (const [index, before] of replicas.entries()) {
    const { hyper } = before;
    const numbers = trainedAt(checkpoint, index);
    const reference = hyper.loss.refKlCoef > 0 ? checkpoint.reference : null;
    const own = reference?.slice(index * size, (index + 1) * size);
    replicas[index] = {
      hyper,
      ...writeTrained(numbers, model.parameters, hyper.optimizer.kind),
      reference: own === undefined ? null : tensorsOf(own, model.parameters),
    };
    disposeReplica(before);
  }
}
