import { requestComputeDevice, type NamedDevice } from '../gpu/device';
import type { PolicyApi, PolicyEngine } from '../protocol/policyApi';
import { createCompiledPolicy } from './compiledPolicy';
import { meteredPolicy, type DeviceUsage } from './meteredPolicy';
import { createTfjsPolicy } from './tfjsPolicy';

/** A device of this browser. */
function browserDevice(): Promise<NamedDevice> {
  return requestComputeDevice(globalThis.navigator.gpu);
}

/**
 * The policy that a cohort's backend asks for: compiled kernels on `webgpu`, tfjs on the others. Made anew by each `create`.
 * @param now milliseconds of wall time
 */
export function createPolicyByBackend(now: () => number): PolicyApi {
  let engine: PolicyEngine | null = null;
  let deviceUsage: () => DeviceUsage | null = () => null;
  const created = (): PolicyEngine => {
    if (engine === null) throw new Error('The policy was used before create() or after dispose().');
    return engine;
  };
  const policy: PolicyEngine = {
    async create(spec, replicas) {
      await engine?.dispose();
      if (spec.backend === 'webgpu') {
        const compiled = createCompiledPolicy(browserDevice, now);
        [engine, deviceUsage] = [compiled, () => compiled.deviceUsage()];
      } else [engine, deviceUsage] = [createTfjsPolicy(), () => null];
      return engine.create(spec, replicas);
    },
    sample: async (calls) => created().sample(calls),
    update: async (batch) => created().update(batch),
    score: async (turns, under) => created().score(turns, under),
    keepReference: async () => created().keepReference(),
    async dispose() {
      await engine?.dispose();
      engine = null;
    },
  };
  return meteredPolicy(policy, () => deviceUsage(), now);
}
