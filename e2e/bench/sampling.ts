import type { BenchShape } from './trainingTask';

/** Whole turns for a batch of one-token prompts, drawn from the policy. */
export interface SamplingRequest {
  /** Of `shape`, the length is the number of tokens that each turn writes. */
  readonly shape: BenchShape;
}

/** Samples all turns of the request and has them in the thread's memory when it resolves. */
export type Sampler = () => Promise<void>;

export type SamplerFactory = (request: SamplingRequest) => Promise<Sampler>;

/** `compiled` is the project's sampler on the device, with a key/value cache; the others recompute every prefix with tfjs. */
export type SamplerName = 'compiled' | 'tfjsWebgpu' | 'tfjsWasm';
