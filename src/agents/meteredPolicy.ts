import type { DeviceCounts } from '../gpu/deviceMeter';
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
  waitedMs: number;
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
  const waitedMs = (): number => device()?.waitedMs() ?? 0;
  const timed = async <T>(stage: Stage, tokens: number, task: () => Promise<T>): Promise<T> => {
    if (stage.numUnderWay === 0) {
      stage.ms -= now();
      stage.waitedMs -= waitedMs();
    }
    stage.numUnderWay++;
    try {
      const result = await task();
      stage.tokens += tokens;
      return result;
    } finally {
      stage.numUnderWay--;
      if (stage.numUnderWay === 0) {
        stage.ms += now();
        stage.waitedMs += waitedMs();
      }
    }
  };
  return {
    ...policy,
    create(spec, replicas, load) {
      hypers = replicas;
      stages = { sample: emptyStage(), update: emptyStage() };
      return policy.create(spec, replicas, load);
    },
    sample: (calls) => timed(stages.sample, sampledTokens(calls), () => policy.sample(calls)),
    update: (batch) =>
      timed(stages.update, trainedTokens(batch, hypers), () => policy.update(batch)),
    usage: () => Promise.resolve(usageOf(stages.sample, stages.update, device(), now())),
  };
}

function emptyStage(): Stage {
  return { tokens: 0, ms: 0, waitedMs: 0, numUnderWay: 0 };
}

/** Of a stage; a call under way counts up to now. */
function timesOf(stage: Stage, device: DeviceUsage | null, nowMs: number) {
  const isUnderWay = stage.numUnderWay > 0;
  const ms = stage.ms + (isUnderWay ? nowMs : 0);
  if (device === null) return { ms, hostMs: null };
  return { ms, hostMs: ms - stage.waitedMs - (isUnderWay ? device.waitedMs() : 0) };
}

/** What is of the device; null off the GPU. */
function deviceUsageOf(counts: DeviceCounts | null) {
  if (counts === null)
    return {
      numDispatches: null,
      numSubmits: null,
      gpuBytes: null,
      numBuffers: null,
      numPipelines: null,
    };
  const { numDispatches, numSubmits, bytes, numBuffers, numPipelines } = counts;
  return { numDispatches, numSubmits, gpuBytes: bytes, numBuffers, numPipelines };
}

function usageOf(
  sample: Stage,
  update: Stage,
  device: DeviceUsage | null,
  nowMs: number,
): PolicyUsage {
  const sampling = timesOf(sample, device, nowMs);
  const updating = timesOf(update, device, nowMs);
  return {
    sampledTokens: sample.tokens,
    trainedTokens: update.tokens,
    sampleMs: sampling.ms,
    updateMs: updating.ms,
    sampleHostMs: sampling.hostMs,
    updateHostMs: updating.hostMs,
    ...deviceUsageOf(device?.counts() ?? null),
  };
}
