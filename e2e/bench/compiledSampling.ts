import { calibrateSampler } from '../../src/agents/calibrateSampler';
import { createCompiledSampler } from '../../src/agents/compiledSampler';
import { createCompiledState } from '../../src/agents/compiledState';
import { createPipelineCache } from '../../src/gpu/plan';
import type { Sampler, SamplingRequest } from './sampling';
import { sampleCallsOf, samplingCohort, samplingHyper } from './samplingCohort';

const now = (): number => performance.now();

/** Sampling with a key/value cache on the device, the way of decoding chosen by timing both, as a policy does. */
export async function createCompiledBenchSampler(
  device: GPUDevice,
  request: SamplingRequest,
): Promise<Sampler> {
  const cohort = samplingCohort(request, 'webgpu');
  const state = createCompiledState(createPipelineCache(device), cohort, [samplingHyper], now);
  const { fastest } = await calibrateSampler(state, sampleCallsOf(request), now);
  const sampler = createCompiledSampler(state, fastest);
  return async () => {
    await sampler.sample(sampleCallsOf(request));
  };
}
