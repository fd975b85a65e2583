import type {
  PolicyApi,
  PolicyUsage,
  ReplicaHyper,
  SampleCalls,
  UpdateBatch,
} from '../protocol/policyApi';
import type { DeviceUsage } from './policyEngine';

/** What a policy does, counted as it does it. */

interface Stage {
  tokens: number;
  /** Time with a call under way, however many at once. */
  ms: number;
  numUnderWay: number;
}

function sampledTokens({ actionLengths }: Pick<SampleCalls, 'actionLengths'>): number {
  return actionLengths.reduce((sum, length) => sum + length, 0);
}

/** Prompt and action tokens, once a pass over them. */
function trainedTokens(batch: UpdateBatch, hypers: readonly ReplicaHyper[]): number {
  let tokens = 0;
  for (const [row, replica] of batch.replicas.entries()) {
    const numPasses = batch.objective === 'supervised' ? 1 : hypers[replica]!.loss.numUpdateEpochs;
    tokens += numPasses * (batch.promptLengths[row]! + batch.actionLengths[row]!);
  }
  return tokens;
}

/**
 * The policy with `usage`. Time in which several calls of a kind are under way counts once.
 * @param device of a policy on a GPU, once it is created; null elsewhere
 * @param now milliseconds of wall time
 */
export function meteredPolicy(
  policy: Omit<PolicyApi, 'usage'>,
  device: () => DeviceUsage | null,
  now: () => number,
): PolicyApi {
  let hypers: readonly ReplicaHyper[] = [];
  let stages = { sample: emptyStage(), update: emptyStage() };
  const timed = async <T>(stage: Stage, tokens: number, task: () => Promise<T>): Promise<T> => {
    if (stage.numUnderWay === 0) stage.ms -= now();
    stage.numUnderWay++;
    try {
      const result = await task();
      stage.tokens += tokens;
      return result;
    } finally {
      stage.numUnderWay--;
      if (stage.numUnderWay === 0) stage.ms += now();
    }
  };
  return {
    ...policy,
    create(spec, replicas, load) {
      hypers = replicas;
      stages = { sample: emptyStage(), update: emptyStage() };
      return policy.create(spec, replicas, load);
    },
    async setHypers(replicas) {
      await policy.setHypers(replicas);
      hypers = replicas;
    },
    sample: (calls) => timed(stages.sample, sampledTokens(calls), () => policy.sample(calls)),
    update: (batch) =>
      timed(stages.update, trainedTokens(batch, hypers), () => policy.update(batch)),
    usage: () => Promise.resolve(usageOf(stages.sample, stages.update, device(), now())),
  };
}

function emptyStage(): Stage {
  return { tokens: 0, ms: 0, numUnderWay: 0 };
}

/** A call under way counts up to now. */
function msOf(stage: Stage, nowMs: number): number {
  return stage.ms + (stage.numUnderWay > 0 ? nowMs : 0);
}

const offGpu = {
  sampleHostMs: null,
  updateHostMs: null,
  sampleDeviceMs: null,
  updateDeviceMs: null,
  numDispatches: null,
  numSubmits: null,
  gpuBytes: null,
  numBuffers: null,
  numPipelines: null,
} as const;

/** What is of the device. */
function deviceUsageOf(device: DeviceUsage | null) {
  if (device === null) return offGpu;
  const { numDispatches, numSubmits, bytes, numBuffers, numPipelines } = device.counts();
  const [hostMs, deviceMs] = [device.hostMs(), device.deviceMs()];
  return {
    sampleHostMs: hostMs.sample,
    updateHostMs: hostMs.update,
    sampleDeviceMs: deviceMs.sample,
    updateDeviceMs: deviceMs.update,
    numDispatches,
    numSubmits,
    gpuBytes: bytes,
    numBuffers,
    numPipelines,
  };
}

function usageOf(
  sample: Stage,
  update: Stage,
  device: DeviceUsage | null,
  nowMs: number,
): PolicyUsage {
  return {
    sampledTokens: sample.tokens,
    trainedTokens: update.tokens,
    sampleMs: msOf(sample, nowMs),
    updateMs: msOf(update, nowMs),
    ...deviceUsageOf(device),
  };
}
