import { boundedExp } from '../rl/logRatios';
import { effectiveSampleSize, samplerMismatch } from '../rl/samplerWeights';
import type { ScoredSteps } from './advantages';
import type { ReplicaPlan } from './cohorts';
import { needsTrainerLogprobs } from './policyScores';

function joined(parts: readonly Float32Array[]): Float64Array {
  const values = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    values.set(part, offset);
    offset += part.length;
  }
  return values;
}

/**
 * Mismatch (k3, nats) and effective sample size of one agent's tokens, where the ratio's denominator was recomputed: the update then
 * no longer sees what the sampler recorded. Empty otherwise.
 */
export function samplerStats(
  plan: ReplicaPlan,
  { turns }: ScoredSteps,
  oldLogprobs: readonly Float32Array[],
  agent: number,
): { samplerMismatch?: number; effectiveSampleSize?: number } {
  if (!needsTrainerLogprobs(plan)) return {};
  const steps = [...turns.keys()].filter((step) => turns[step]!.agent === agent);
  const trainer = joined(steps.map((step) => oldLogprobs[step]!));
  const sampler = joined(steps.map((step) => turns[step]!.rolloutLogprobs));
  const mask = new Uint8Array(trainer.length).fill(1);
  const ratios = trainer.map((logprob, token) => boundedExp(logprob - sampler[token]!));
  return {
    samplerMismatch: samplerMismatch({
      oldLogprobs: trainer,
      rolloutLogprobs: sampler,
      mask,
      numSequences: trainer.length,
    }),
    effectiveSampleSize: effectiveSampleSize(ratios, mask),
  };
}
