import type { OptimizerSpec } from '../../config/experimentSpec';
import type { ReplicaHyper } from '../../protocol/policyApi';
import {
  clippedLoss,
  smallCohort,
  toSampleCalls,
  type PlainCall,
  type PlainTurn,
} from '../golden/smallCohort';
import type { PolicyEngine } from '../policyEngine';

/** Replicas, turns and a look at the weights, for tests of policies. */

export const adamw: OptimizerSpec = {
  kind: 'adamw',
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradNorm: 1,
};

export const hyper = (seed: number, changes: Partial<ReplicaHyper> = {}): ReplicaHyper => ({
  seed,
  optimizer: adamw,
  loss: clippedLoss,
  ...changes,
});

/** A replica's policy as far as the door shows it: log-probabilities that move when any weight that matters moves. */
export async function probe(policy: PolicyEngine, replica: number): Promise<Float32Array> {
  const calls = Array.from({ length: 8 }, (_, i): PlainCall => ({
    replica,
    prompt: [i % 7, (3 * i + 1) % 7],
    actionLength: 3,
    noise: i,
  }));
  return (await policy.sample(toSampleCalls(calls))).rolloutLogprobs;
}

/** Two turns of each of two agents; near-uniform old log-probabilities, as right after `create`. */
export function turnsOf(replica: number, numAgents: number, advantage = 1): PlainTurn[] {
  const logprob = Math.log(1 / smallCohort.vocabularySize);
  return Array.from({ length: numAgents }, (_, agent) => [
    { replica, agent, prompt: [agent, 1], action: [2], oldLogprobs: [logprob], advantage },
    {
      replica,
      agent,
      prompt: [agent + 2],
      action: [3, 4],
      oldLogprobs: [logprob, logprob],
      advantage: -advantage,
    },
  ]).flat();
}
