import { expose, transfer, wrap, type Endpoint } from 'comlink';
import type { PolicyApi, SampleCalls, SampledTurns, UpdateBatch } from '../src/protocol/policyApi';

/** Both ends of the door between the trainer and a policy. Arrays change hands instead of being copied. */

function buffersOf(message: SampleCalls | SampledTurns | UpdateBatch): ArrayBuffer[] {
  return Object.values(message).flatMap((value: unknown) =>
    ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
}

/** The policy's end. */
export function exposePolicy(policy: PolicyApi, endpoint?: Endpoint): void {
  const exposed: PolicyApi = {
    ...policy,
    async sample(calls) {
      const turns = await policy.sample(calls);
      return transfer(turns, buffersOf(turns));
    },
  };
  expose(exposed, endpoint);
}

/** The trainer's end. */
export function connectPolicy(endpoint: Endpoint): PolicyApi {
  const remote = wrap<PolicyApi>(endpoint);
  return {
    create: (cohort, replicas) => remote.create(cohort, replicas),
    sample: (calls) => remote.sample(transfer(calls, buffersOf(calls))),
    keepReference: () => remote.keepReference(),
    update: (batch) => remote.update(transfer(batch, buffersOf(batch))),
    dispose: () => remote.dispose(),
  };
}
