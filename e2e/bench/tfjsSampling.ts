import { createCohortModel, createReplica } from '../../src/agents/replica';
import { sampleTurns } from '../../src/agents/sampleTurns';
import { selectBackend } from '../../src/agents/tfjsBackend';
import type { Sampler, SamplingRequest } from './sampling';
import { sampleCallsOf, samplingCohort, samplingHyper } from './samplingCohort';

/** Sampling by full recomputation: one forward pass and one read-back a token. */
export async function createTfjsSampler(
  request: SamplingRequest,
  backend: 'webgpu' | 'wasm',
): Promise<Sampler> {
  await selectBackend(backend);
  const model = createCohortModel(samplingCohort(request, backend));
  const replica = createReplica(model, samplingHyper);
  return async () => {
    await sampleTurns(model, [replica], sampleCallsOf(request));
  };
}
