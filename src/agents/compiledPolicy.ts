import type { ArchitectureSpec } from '../config/experimentSpec';
import type {
  CohortLoad,
  CohortSpec,
  DecodingTimes,
  PolicyInfo,
  ReplicaHyper,
  ScoreTurns,
} from '../protocol/policyApi';
import { deviceLostError } from '../protocol/deviceLost';
import { createStorage } from '../gpu/buffers';
import type { NamedDevice } from '../gpu/device';
import { meterDevice, type DeviceCounts } from '../gpu/deviceMeter';
import { watchDevice, type DeviceWatch } from '../gpu/deviceWatch';
import { createPassTimer, type PassTimer } from '../gpu/passTimer';
import { createPipelineCache } from '../gpu/plan';
import { calibrateSampler } from './calibrateSampler';
import { createQueue } from './callQueue';
import { compiledCheckpoint, restoreCompiled } from './compiledCheckpoint';
import { compiledGradients } from './compiledGradients';
import { influenceCompiled } from './compiledInfluence';
import { scoreCompiled } from './compiledScore';
import { createCompiledSampler, type CompiledSampler } from './compiledSampler';
import { testCompiledEngine } from './compiledSelfTest';
import { createCompiledState, destroyCompiledState, type CompiledState } from './compiledState';
import { updateCompiled } from './compiledUpdate';
import { callsOf } from './engineLoad';
import type { PolicyEngine } from './policyEngine';
import { requireSameReplicas } from './replica';

/** Copies the present weights as the reference of the KL penalty, if a replica has one. */
function keepReference(state: CompiledState): void {
  if (!state.hypers.some(({ loss }) => loss.refKlCoef > 0)) return;
  const { device } = state.cache;
  state.reference ??= createStorage(device, state.weights.size / 4, 'reference');
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(state.weights, 0, state.reference, 0, state.weights.size);
  device.queue.submit([encoder.finish()]);
}

interface Engine {
  readonly state: CompiledState;
  readonly sampler: CompiledSampler;
  readonly counts: () => DeviceCounts;
  readonly watch: DeviceWatch;
  /** Grows as calls go by. Unit: ms. */
  readonly hostMs: Record<CallKind, number>;
  readonly timer: PassTimer<CallKind>;
}

/** What time is counted under. */
type CallKind = 'sample' | 'update' | 'other';

/** What to time the ways of sampling with; without a load nothing is timed. */
interface Timing {
  readonly load: CohortLoad | undefined;
  readonly now: () => number;
}

/** The faster way of sampling where there is a load to time it with. */
async function chooseSampler(
  state: CompiledState,
  { load, now }: Timing,
): Promise<{ readonly sampler: CompiledSampler; readonly decoding: DecodingTimes | null }> {
  if (load === undefined) return { sampler: createCompiledSampler(state), decoding: null };
  const calls = callsOf(state.cohort, state.hypers.length, load);
  const { fastest, batchedMs, persistentMs } = await calibrateSampler(state, calls, now);
  return {
    sampler: createCompiledSampler(state, fastest),
    decoding: { kind: fastest.kind, batchedMs, persistentMs },
  };
}

/** Attention reads the numbers of a head as vectors of four. */
export function fitsKernels({ hiddenSize, numHeads }: ArchitectureSpec): boolean {
  return (hiddenSize / numHeads) % 4 === 0;
}

function requireKernels({ architecture }: CohortSpec): void {
  if (fitsKernels(architecture)) return;
  const { hiddenSize, numHeads } = architecture;
  throw new RangeError(
    `The compiled engine got heads of ${hiddenSize / numHeads} numbers (width ${hiddenSize}, ${numHeads} heads), and has kernels for multiples of 4: choose another width or number of heads.`,
  );
}

interface Opened {
  readonly engine: Engine;
  readonly info: PolicyInfo;
}

/** Nothing is left on the device, nor the device, where it fails. */
async function open(
  { device, name }: NamedDevice,
  spec: CohortSpec,
  replicas: readonly ReplicaHyper[],
  { load, now }: Timing,
): Promise<Opened> {
  try {
    requireKernels(spec);
    const [watch, counts] = [watchDevice(device), meterDevice(device)];
    const timer = createPassTimer<CallKind>(device);
    const cache = createPipelineCache(device);
    const selfTest = await testCompiledEngine(cache, spec);
    const state = createCompiledState(cache, spec, replicas, now);
    const { sampler, decoding } = await chooseSampler(state, { load, now });
    timer.assign('other');
    // What went wrong so far belongs to the start, not to the first call.
    checkDevice(watch);
    const hostMs = { sample: 0, update: 0, other: 0 };
    const { numParameters } = state;
    const info = { backend: spec.backend, device: name, numParameters, selfTest };
    return {
      engine: { state, sampler, counts, watch, hostMs, timer },
      info: { ...info, compared: [], decoding },
    };
  } catch (error) {
    device.destroy();
    throw error;
  }
}

/** Throws what has become of the device since it was last asked. */
function checkDevice(watch: DeviceWatch): void {
  const reason = watch.lossReason();
  if (reason !== null) throw deviceLostError(`The GPU device was lost: ${reason}.`);
  const fault = watch.takeError();
  if (fault !== null) throw new Error(fault);
}

/** The task on a device that may be lost meanwhile, or may have found a fault in it. */
async function guarded<T>({ watch, state }: Engine, task: () => Promise<T>): Promise<T> {
  checkDevice(watch);
  let result: T;
  try {
    result = await watch.untilLost(task());
  } catch (error) {
    // A read-back can fail before the loss is told.
    await state.cache.device.queue.onSubmittedWorkDone().catch(() => undefined);
    checkDevice(watch);
    throw error;
  }
  checkDevice(watch);
  return result;
}

/** Adds the task's time without that spent waiting. Calls come in turn, so what the read-back has waited is the task's own. */
async function timed<T>(
  { state: { readback }, hostMs, timer }: Engine,
  kind: CallKind,
  now: () => number,
  task: () => T | Promise<T>,
): Promise<T> {
  const [startMs, waitedMs] = [now(), readback.waitedMs()];
  const result = await task();
  hostMs[kind] += now() - startMs - (readback.waitedMs() - waitedMs);
  timer.assign(kind);
  return result;
}

/**
 * A policy on the compiled engine: all replicas of the cohort stacked, one device.
 * @param now milliseconds of wall time
 * @throws Error from every call before `create`.
 */
export function createCompiledPolicy(
  requestDevice: () => Promise<NamedDevice>,
  now: () => number,
): PolicyEngine {
  const inTurn = createQueue();
  let engine: Engine | null = null;
  const onDevice = <T>(kind: CallKind, task: (own: Engine) => T | Promise<T>): Promise<T> =>
    inTurn(async () => {
      const own = engine;
      if (own === null) throw new Error('The policy was used before create() or after dispose().');
      return guarded(own, () => timed(own, kind, now, () => task(own)));
    });
  const dispose = (): void => {
    if (engine === null) return;
    engine.sampler.destroy();
    engine.timer.destroy();
    destroyCompiledState(engine.state);
    engine.state.cache.device.destroy();
    engine = null;
  };
  return {
    create: (spec, replicas, load) =>
      inTurn(async () => {
        dispose();
        const opened = await open(await requestDevice(), spec, replicas, { load, now });
        ({ engine } = opened);
        return opened.info;
      }),
    sample: (calls) => onDevice('sample', ({ sampler }) => sampler.sample(calls)),
    update: (batch) => onDevice('update', ({ state }) => updateCompiled(state, batch)),
    segmentGradients: (batch) => onDevice('other', ({ state }) => compiledGradients(state, batch)),
    score: (turns: ScoreTurns, under: 'current' | 'reference') =>
      onDevice('other', ({ state }) => scoreCompiled(state, turns, under)),
    promptInfluence: (turns) => onDevice('other', ({ state }) => influenceCompiled(state, turns)),
    setHypers: (hypers) =>
      // In turn: a call that is under way goes on as it began. The device may be lost meanwhile; that is found out by the next call.
      inTurn(async () => {
        if (engine === null)
          throw new Error('The policy was used before create() or after dispose().');
        requireSameReplicas(engine.state.hypers, hypers);
        engine.state.hypers = hypers;
      }),
    keepReference: () => onDevice('other', ({ state }) => keepReference(state)),
    checkpoint: () => onDevice('other', ({ state }) => compiledCheckpoint(state)),
    restore: (checkpoint) => onDevice('other', ({ state }) => restoreCompiled(state, checkpoint)),
    dispose: () => inTurn(async () => dispose()),
    deviceUsage() {
      if (engine === null) return null;
      const { counts, hostMs, timer } = engine;
      return {
        counts,
        hostMs: () => ({ ...hostMs }),
        deviceMs: () => ({ sample: timer.totalMs('sample'), update: timer.totalMs('update') }),
      };
    },
  };
}
