import type {
  CohortSpec,
  PolicyEngine,
  PolicyInfo,
  ReplicaHyper,
  SampleCalls,
  SampledTurns,
  ScoreTurns,
  UpdateBatch,
  UpdateStats,
} from '../protocol/policyApi';
import { createStorage } from '../gpu/buffers';
import type { NamedDevice } from '../gpu/device';
import { meterDevice, type DeviceCounts } from '../gpu/deviceMeter';
import { createPipelineCache } from '../gpu/plan';
import { createQueue } from './callQueue';
import type { DeviceUsage } from './meteredPolicy';
import { scoreCompiled } from './compiledScore';
import { createCompiledSampler, type CompiledSampler } from './compiledSampler';
import { testCompiledEngine } from './compiledSelfTest';
import { createCompiledState, destroyCompiledState, type CompiledState } from './compiledState';
import { updateCompiled } from './compiledUpdate';

/** Copies the present weights as the reference of the KL penalty, if a replica has one. */
function keepReference(state: CompiledState): void {
  if (!state.hypers.some(({ loss }) => loss.refKlCoef > 0)) return;
  const { device } = state.cache;
  state.reference ??= createStorage(device, state.weights.size / 4, 'reference');
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(state.weights, 0, state.reference, 0, state.weights.size);
  device.queue.submit([encoder.finish()]);
}

interface CompiledPolicy extends PolicyEngine {
  /** Of the device it is created on; null before. */
  deviceUsage(): DeviceUsage | null;
}

interface Engine {
  readonly state: CompiledState;
  readonly sampler: CompiledSampler;
  readonly counts: () => DeviceCounts;
}

/**
 * A policy on the compiled engine: all replicas of the cohort stacked, one device.
 * @param now milliseconds of wall time
 * @throws Error from every call before `create`.
 */
export function createCompiledPolicy(
  requestDevice: () => Promise<NamedDevice>,
  now: () => number,
): CompiledPolicy {
  const inTurn = createQueue();
  let engine: Engine | null = null;
  const created = (): Engine => {
    if (engine === null) throw new Error('The policy was used before create() or after dispose().');
    return engine;
  };
  const dispose = (): void => {
    if (engine === null) return;
    engine.sampler.destroy();
    destroyCompiledState(engine.state);
    engine.state.cache.device.destroy();
    engine = null;
  };
  return {
    create: (spec: CohortSpec, replicas: readonly ReplicaHyper[]): Promise<PolicyInfo> =>
      inTurn(async () => {
        dispose();
        const { device, name } = await requestDevice();
        const counts = meterDevice(device);
        const cache = createPipelineCache(device);
        const selfTest = await testCompiledEngine(cache, spec);
        const state = createCompiledState(cache, spec, replicas, now);
        engine = { state, sampler: createCompiledSampler(state), counts };
        const { numParameters } = state;
        return { backend: spec.backend, device: name, numParameters, selfTest };
      }),
    sample: (calls: SampleCalls): Promise<SampledTurns> =>
      inTurn(() => created().sampler.sample(calls)),
    update: (batch: UpdateBatch): Promise<UpdateStats> =>
      inTurn(() => updateCompiled(created().state, batch)),
    score: (turns: ScoreTurns, under: 'current' | 'reference'): Promise<Float32Array> =>
      inTurn(() => scoreCompiled(created().state, turns, under)),
    keepReference: () => inTurn(async () => keepReference(created().state)),
    dispose: () => inTurn(async () => dispose()),
    deviceUsage: () =>
      engine && { counts: engine.counts, waitedMs: () => engine?.state.readback.waitedMs() ?? 0 },
  };
}
