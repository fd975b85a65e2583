import { defaultLosses } from '../../src/config/defaults';
import type { ComputeBackend } from '../../src/config/experimentSpec';
import type { CohortSpec, ReplicaHyper, SampleCalls } from '../../src/protocol/policyApi';
import type { SamplingRequest } from './sampling';
import { adam, architectureOf } from './trainingTask';

/** The policy that all samplers draw from, and what they are asked for. */

export const samplingHyper: ReplicaHyper = { seed: 3, optimizer: adam, loss: defaultLosses.clip };

export function samplingCohort({ shape }: SamplingRequest, backend: ComputeBackend): CohortSpec {
  return {
    policyId: 'bench',
    architecture: architectureOf(shape),
    vocabularySize: shape.vocabularySize,
    maxLength: 1 + shape.length,
    maxActionTokens: shape.length,
    backend,
  };
}

/** The request's turns as the policy gets them: each with its own noise, prompts that differ. */
export function sampleCallsOf({ shape }: SamplingRequest): SampleCalls {
  const { numSequences, vocabularySize, length } = shape;
  return {
    replicas: new Int32Array(numSequences),
    promptTokens: Int32Array.from({ length: numSequences }, (_, row) => row % vocabularySize),
    promptLengths: new Int32Array(numSequences).fill(1),
    promptWidth: 1,
    actionLengths: new Int32Array(numSequences).fill(length),
    noiseKeys: Uint32Array.from({ length: 2 * numSequences }, (_, index) => index),
    greedy: false,
  };
}
