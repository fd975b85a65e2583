import { requestComputeDevice, type NamedDevice } from '../gpu/device';
import type { PolicyApi } from '../protocol/policyApi';
import { createCompiledPolicy } from './compiledPolicy';
import { createTfjsPolicy } from './tfjsPolicy';

/** A device of this browser. */
function browserDevice(): Promise<NamedDevice> {
  return requestComputeDevice(globalThis.navigator.gpu);
}

/** The policy that a cohort's backend asks for: compiled kernels on `webgpu`, tfjs on the others. Made anew by each `create`. */
export function createPolicyByBackend(): PolicyApi {
  let policy: PolicyApi | null = null;
  const created = (): PolicyApi => {
    if (policy === null) throw new Error('The policy was used before create() or after dispose().');
    return policy;
  };
  return {
    async create(spec, replicas) {
      await policy?.dispose();
      policy = spec.backend === 'webgpu' ? createCompiledPolicy(browserDevice) : createTfjsPolicy();
      return policy.create(spec, replicas);
    },
    sample: async (calls) => created().sample(calls),
    update: async (batch) => created().update(batch),
    score: async (turns, under) => created().score(turns, under),
    keepReference: async () => created().keepReference(),
    async dispose() {
      await policy?.dispose();
      policy = null;
    },
  };
}
