import { expose, transfer, wrap, type Endpoint } from 'comlink';
import type { PolicyApi } from '../src/protocol/policyApi';
import { buffersOf } from './transferables';

/** Both ends of the door between the trainer and a policy. Arrays change hands instead of being copied. */

/** The policy's end. */
export function exposePolicy(policy: PolicyApi, endpoint?: Endpoint): void {
  const exposed: PolicyApi = {
    ...policy,
    async sample(calls) {
      const turns = await policy.sample(calls);
      return transfer(turns, buffersOf(turns));
    },
    async score(turns, under) {
      const logprobs = await policy.score(turns, under);
      return transfer(logprobs, buffersOf({ logprobs }));
    },
    async promptInfluence(turns) {
      const norms = await policy.promptInfluence(turns);
      return transfer(norms, buffersOf({ norms }));
    },
  };
  expose(exposed, endpoint);
}

/** The trainer's end. */
export function connectPolicy(endpoint: Endpoint): PolicyApi {
  const remote = wrap<PolicyApi>(endpoint);
  return {
    create: (cohort, replicas, load) => remote.create(cohort, replicas, load),
    sample: (calls) => remote.sample(transfer(calls, buffersOf(calls))),
    setHypers: (replicas) => remote.setHypers(replicas),
    keepReference: () => remote.keepReference(),
    update: (batch) => remote.update(transfer(batch, buffersOf(batch))),
    segmentGradients: (batch) => remote.segmentGradients(transfer(batch, buffersOf(batch))),
    keepCheckpoint: (checkpoint) => remote.keepCheckpoint(checkpoint),
    restoreCheckpoint: (checkpoint) => remote.restoreCheckpoint(checkpoint),
    usage: () => remote.usage(),
    score: (turns, under) => remote.score(transfer(turns, buffersOf(turns)), under),
    promptInfluence: (turns) => remote.promptInfluence(transfer(turns, buffersOf(turns))),
    dispose: () => remote.dispose(),
  };
}
