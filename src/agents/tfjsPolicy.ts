import * as tf from '@tensorflow/tfjs-core';
import type {
  CohortSpec,
  PolicyInfo,
  ReplicaHyper,
  SampleCalls,
  SampledTurns,
  ScoreTurns,
  UpdateBatch,
  UpdateStats,
} from '../protocol/policyApi';
import { cohortGradients } from './cohortGradients';
import { numParametersOf } from './parameterViews';
import { restoreTfjs, tfjsCheckpoint } from './policyCheckpoint';
import type { PolicyEngine } from './policyEngine';
import { promptInfluence } from './promptInfluence';
import {
  createCohortModel,
  createReplica,
  disposeReplica,
  requireSameReplicas,
  withReference,
} from './replica';
import { sampleTurns } from './sampleTurns';
import { scoreTurns } from './scoreTurns';
import { runSelfTest } from './selfTest';
import { selectBackend } from './tfjsBackend';
import { updateCohort, type Cohort } from './updateCohort';

function disposeCohort({ model, replicas }: Cohort): void {
  for (const replica of replicas) disposeReplica(replica);
  tf.dispose(Object.values(model.tables));
}

/** Replaces the replicas; their tensors stay. */
function setHypers({ replicas }: Cohort, hypers: readonly ReplicaHyper[]): void {
  requireSameReplicas(
    replicas.map(({ hyper }) => hyper),
    hypers,
  );
  for (const [index, replica] of replicas.entries())
    replicas[index] = { ...replica, hyper: hypers[index]! };
}

/**
 * A policy on tfjs. One per thread, because tfjs has one current backend per thread.
 * @throws Error from `sample` and `update` before `create`.
 */
export function createTfjsPolicy(): PolicyEngine {
  let cohort: Cohort | null = null;
  const created = (): Cohort => {
    if (cohort === null) throw new Error('The policy was used before create() or after dispose().');
    return cohort;
  };
  return {
    async create(spec: CohortSpec, replicas: readonly ReplicaHyper[]): Promise<PolicyInfo> {
      if (cohort !== null) disposeCohort(cohort);
      // Should one of the next steps fail, there is no policy, rather than one whose tensors are gone.
      cohort = null;
      const device = await selectBackend(spec.backend);
      const selfTest = spec.backend === 'cpu' ? null : await runSelfTest(spec);
      const model = createCohortModel(spec);
      cohort = { model, replicas: replicas.map((hyper) => createReplica(model, hyper)) };
      const numParameters = numParametersOf(spec.architecture, spec.vocabularySize);
      return {
        backend: spec.backend,
        device,
        numParameters,
        selfTest,
        compared: [],
        decoding: null,
      };
    },
    sample: (calls: SampleCalls): Promise<SampledTurns> => {
      const { model, replicas } = created();
      return sampleTurns(model, replicas, calls);
    },
    update: (batch: UpdateBatch): Promise<UpdateStats> => updateCohort(created(), batch),
    segmentGradients: (batch: UpdateBatch) => cohortGradients(created(), batch),
    score: (turns: ScoreTurns, under: 'current' | 'reference'): Promise<Float32Array> => {
      const { model, replicas } = created();
      return scoreTurns(model, replicas, turns, under);
    },
    promptInfluence: (turns: ScoreTurns): Promise<Float32Array> => {
      const { model, replicas } = created();
      return promptInfluence(model, replicas, turns);
    },
    setHypers: async (hypers) => setHypers(created(), hypers),
    keepReference(): Promise<void> {
      const { replicas } = created();
      for (const [index, replica] of replicas.entries()) replicas[index] = withReference(replica);
      return Promise.resolve();
    },
    checkpoint: () => tfjsCheckpoint(created()),
    async restore(checkpoint) {
      restoreTfjs(created(), checkpoint);
    },
    deviceUsage: () => null,
    dispose(): Promise<void> {
      if (cohort !== null) disposeCohort(cohort);
      cohort = null;
      return Promise.resolve();
    },
  };
}
