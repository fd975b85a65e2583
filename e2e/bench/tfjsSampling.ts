import { createCohortModel, createReplica } from '../../src/agents/replica';
import { sampleTurns } from '../../src/agents/sampleTurns';
import { selectBackend } from '../../src/agents/tfjsBackend';
import { defaultLosses } from '../../src/config/defaults';
import type { CohortSpec, SampleCalls } from '../../src/protocol/policyApi';
import type { Sampler, SamplingRequest } from './sampling';
import { adam, architectureOf } from './trainingTask';

/** The request's turns as the policy gets them: each with its own noise, prompts that differ. */
function sampleCallsOf({ shape }: SamplingRequest): SampleCalls {
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

/** Sampling by full recomputation: one forward pass and one read-back a token. */
export async function createTfjsSampler(
  request: SamplingRequest,
  backend: 'webgpu' | 'wasm',
): Promise<Sampler> {
  await selectBackend(backend);
  const { shape } = request;
  const cohort: CohortSpec = {
    policyId: 'bench',
    architecture: architectureOf(shape),
    vocabularySize: shape.vocabularySize,
    maxLength: 1 + shape.length,
    maxActionTokens: shape.length,
    backend,
  };
  const model = createCohortModel(cohort);
  const replica = createReplica(model, { seed: 3, optimizer: adam, loss: defaultLosses.clip });
  return async () => {
    await sampleTurns(model, [replica], sampleCallsOf(request));
  };
}
