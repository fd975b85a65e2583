import type { ComputeBackend } from '../config/experimentSpec';
import { requestComputeDevice } from '../gpu/device';
import { isDeviceLost } from '../protocol/deviceLost';
import type { CohortRequest, PolicyApi } from '../protocol/policyApi';
import { createCompiledPolicy, fitsKernels } from './compiledPolicy';
import {
  chooseEngine,
  openFirst,
  type Asked,
  type Candidate,
  type OpenedEngine,
} from './engineChoice';
import { createKeptCheckpoints, type KeptCheckpoints } from './keptCheckpoints';
import { meteredPolicy } from './meteredPolicy';
import type { PolicyCheckpoint, PolicyEngine } from './policyEngine';
import { createTfjsPolicy } from './tfjsPolicy';

interface PolicyEnvironment {
  /** Milliseconds of wall time. */
  readonly now: () => number;
  /** `navigator.gpu`, or Dawn's. */
  readonly gpu: () => GPU | undefined;
}

/** The engine at work, and what it takes to put another in its place. */
interface Current extends OpenedEngine {
  readonly asked: Asked;
  readonly kept: KeptCheckpoints<PolicyCheckpoint>;
}

function tfjsOn(backend: ComputeBackend): Candidate {
  return { backend, make: createTfjsPolicy };
}

const offGpu = (['wasm', 'cpu'] as const).map(tfjsOn);

/** The engines that a backend stands for. Compiled kernels on `webgpu`, or tfjs for shapes they do not have; tfjs on the others. */
function candidatesOf(request: CohortRequest, compiled: () => PolicyEngine): Candidate[] {
  const onGpu: Candidate = { backend: 'webgpu', make: compiled };
  switch (request.backend) {
    case 'auto':
      return [onGpu, tfjsOn('wasm')];
    case 'webgpu':
      return [fitsKernels(request.architecture) ? onGpu : tfjsOn('webgpu')];
    case 'wasm':
    case 'cpu':
      return [tfjsOn(request.backend)];
  }
}

/** The policy that a cohort's backend asks for. Made anew by each `create`. */
export function createPolicyByBackend({ now, gpu }: PolicyEnvironment): PolicyApi {
  let current: Current | null = null;
  const created = (): Current => {
    if (current === null)
      throw new Error('The policy was used before create() or after dispose().');
    return current;
  };
  const compiled = (): PolicyEngine => createCompiledPolicy(() => requestComputeDevice(gpu()), now);
  const reopen = ({ asked, info }: Current): Promise<OpenedEngine> =>
    openFirst([{ backend: info.backend, make: compiled }, ...offGpu], asked);
  const dispose = async (): Promise<void> => {
    const last = current;
    current = null;
    await last?.engine.dispose();
  };
  const policy: Omit<PolicyApi, 'usage'> = {
    async create(request, replicas, load) {
      await dispose();
      const asked = { request, replicas, load };
      const candidates = candidatesOf(request, compiled);
      const opened =
        request.backend === 'auto'
          ? await chooseEngine(candidates, asked, now)
          : await openFirst(candidates, asked);
      current = { ...opened, asked, kept: createKeptCheckpoints() };
      return opened.info;
    },
    sample: async (calls) => created().engine.sample(calls),
    update: async (batch) => created().engine.update(batch),
    segmentGradients: async (batch) => created().engine.segmentGradients(batch),
    score: async (turns, under) => created().engine.score(turns, under),
    promptInfluence: async (turns) => created().engine.promptInfluence(turns),
    async setHypers(replicas) {
      await created().engine.setHypers(replicas);
      // An engine that takes the place of a lost one begins with them.
      current = { ...created(), asked: { ...created().asked, replicas } };
    },
    keepReference: async () => created().engine.keepReference(),
    async keepCheckpoint(checkpoint) {
      const { engine, kept } = created();
      kept.keep(checkpoint, await engine.checkpoint());
    },
    async restoreCheckpoint(number) {
      const { engine, kept, info } = created();
      const checkpoint = kept.get(number);
      try {
        await engine.restore(checkpoint);
      } catch (error) {
        if (!isDeviceLost(error)) throw error;
        await engine.dispose();
        const { engine: fresh, info: own } = await reopen(created());
        // What was compared at the start is still what the choice was made by.
        current = { ...created(), engine: fresh, info: { ...own, compared: info.compared } };
        await current.engine.restore(checkpoint);
      }
      return created().info;
    },
    dispose,
  };
  return meteredPolicy(policy, () => current?.engine.deviceUsage() ?? null, now);
}
