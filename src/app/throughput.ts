import type { PolicyUsage } from '../protocol/policyApi';
import type { StageTimes, TrainerEvent } from '../protocol/trainerApi';

/** Iterations that “latest” looks back on. */
export const windowIterations = 25;
/** From this iteration on every shape of the run has been seen: a kernel compiled later is one more than expected. */
const settledIteration = 3;

type UsageEvent = Extract<TrainerEvent, { kind: 'throughput' }>;
type IterationEvent = Extract<TrainerEvent, { kind: 'iteration' }>;

/** What is kept of a run to say how fast it is: as much as the window needs. */
export interface ThroughputLog {
  /** Counts since the start after each of the latest iterations, oldest first: one entry more than the window has iterations. */
  readonly usages: readonly UsageEvent[];
  /** Of the latest iterations, oldest first. */
  readonly times: readonly StageTimes[];
}

export const emptyThroughputLog: ThroughputLog = { usages: [], times: [] };

const countKeys = ['sampledTokens', 'trainedTokens', 'sampleMs', 'updateMs'] as const;
const nullableCountKeys = [
  'sampleHostMs',
  'updateHostMs',
  'sampleDeviceMs',
  'updateDeviceMs',
  'numDispatches',
  'numSubmits',
  'numPipelines',
] as const;
const gaugeKeys = ['gpuBytes', 'numBuffers'] as const;

/** Whether `next` goes on counting where `before` stood: later, the same policies, nothing less than before. */
function continues(before: UsageEvent, next: UsageEvent): boolean {
  return (
    next.iteration > before.iteration &&
    next.policies.length === before.policies.length &&
    next.policies.every((policy, index) => {
      const old = before.policies[index]!;
      return (
        policy.policyId === old.policyId &&
        countKeys.every((key) => policy[key] >= old[key]) &&
        nullableCountKeys.every((key) => (policy[key] ?? 0) >= (old[key] ?? 0))
      );
    })
  );
}

/** Log after one more report of the policies. Counts that have restarted have nothing in common with those before: these are forgotten. */
export function withUsage(log: ThroughputLog, event: UsageEvent): ThroughputLog {
  const last = log.usages.at(-1);
  const kept = last !== undefined && continues(last, event) ? log.usages : [];
  return { ...log, usages: [...kept, event].slice(-windowIterations - 1) };
}

/** Log after one more iteration. Iteration 0 trains nothing and is left out. */
export function withTimes(log: ThroughputLog, event: IterationEvent): ThroughputLog {
  if (event.iteration === 0) return log;
  return { ...log, times: [...log.times, event.times].slice(-windowIterations) };
}

/** What one policy, or all of them together, have done. */
export interface ThroughputColumn {
  readonly name: string;
  readonly wholeRun: PolicyUsage;
  /** What the latest iterations have added, with the memory of now; null before two reports. */
  readonly latest: PolicyUsage | null;
  /** Iterations in `latest`. */
  readonly numIterations: number;
  /** Kernels compiled in the latest iterations, those of the first iterations left out. */
  readonly numLateKernels: number;
}

/** Name of the column that adds all policies up. */
const totalName = 'all';

/** All policies together first where there are several, then each; nothing before the first report. */
export function throughputColumns({ usages }: ThroughputLog): readonly ThroughputColumn[] {
  const last = usages.at(-1);
  if (last === undefined) return [];
  const names = columnNames(last.policies.map(({ policyId }) => policyId));
  const column = (name: string, of: (event: UsageEvent) => PolicyUsage): ThroughputColumn => {
    const first = usages[0]!;
    const settled = usages.find(({ iteration }) => iteration >= settledIteration) ?? last;
    return {
      name,
      wholeRun: of(last),
      latest: usages.length > 1 ? difference(of(first), of(last)) : null,
      numIterations: last.iteration - first.iteration,
      numLateKernels: (of(last).numPipelines ?? 0) - (of(settled).numPipelines ?? 0),
    };
  };
  return names.map((name, index) => {
    const policyIndex = index - (names.length - last.policies.length);
    return policyIndex < 0
      ? column(name, ({ policies }) => sum(policies))
      : column(name, ({ policies }) => sum([policies[policyIndex]!]));
  });
}

/**
 * Names of the columns for the policies of a run: the total first where there are several. One id can stand for several policies
 * (arms of different architectures); these are numbered.
 */
export function columnNames(policyIds: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  const names = policyIds.map((id) => {
    const nth = (seen.get(id) ?? 0) + 1;
    seen.set(id, nth);
    return nth === 1 ? id : `${id} (${nth})`;
  });
  return names.length === 1 ? names : [totalName, ...names];
}

function usageOf(
  count: (key: (typeof countKeys)[number]) => number,
  nullable: (key: (typeof nullableCountKeys)[number] | (typeof gaugeKeys)[number]) => number | null,
): PolicyUsage {
  return {
    sampledTokens: count('sampledTokens'),
    trainedTokens: count('trainedTokens'),
    sampleMs: count('sampleMs'),
    updateMs: count('updateMs'),
    sampleHostMs: nullable('sampleHostMs'),
    updateHostMs: nullable('updateHostMs'),
    sampleDeviceMs: nullable('sampleDeviceMs'),
    updateDeviceMs: nullable('updateDeviceMs'),
    numDispatches: nullable('numDispatches'),
    numSubmits: nullable('numSubmits'),
    numPipelines: nullable('numPipelines'),
    gpuBytes: nullable('gpuBytes'),
    numBuffers: nullable('numBuffers'),
  };
}

/** A sum with an unknown part is unknown. */
function sum(usages: readonly PolicyUsage[]): PolicyUsage {
  return usageOf(
    (key) => usages.reduce((total, usage) => total + usage[key], 0),
    (key) =>
      usages.reduce<number | null>((total, usage) => {
        const part = usage[key];
        return total === null || part === null ? null : total + part;
      }, 0),
  );
}

/** What was added between two reports; memory is no count: the later report’s stands. */
function difference(first: PolicyUsage, last: PolicyUsage): PolicyUsage {
  return usageOf(
    (key) => last[key] - first[key],
    (key) => {
      const [from, to] = [first[key], last[key]];
      if (key === 'gpuBytes' || key === 'numBuffers') return to;
      return from === null || to === null ? null : to - from;
    },
  );
}

const stages = ['rollout', 'advantages', 'diagnostics', 'update'] as const;
type Stage = (typeof stages)[number];

export interface StageUse {
  readonly stage: Stage;
  /** 0..1 of the time of all stages; null where no time was measured. */
  readonly share: number | null;
  /** Null before the first iteration. */
  readonly msPerIteration: number | null;
}

/** Where the time of the latest iterations went. */
export function stageUses({ times }: ThroughputLog): readonly StageUse[] {
  const total = (of: (stageTimes: StageTimes) => number): number =>
    times.reduce((ms, stageTimes) => ms + of(stageTimes), 0);
  const spent: Readonly<Record<Stage, number>> = {
    rollout: total(({ rolloutMs }) => rolloutMs),
    advantages: total(({ advantagesMs }) => advantagesMs),
    diagnostics: total(({ diagnosticsMs }) => diagnosticsMs),
    update: total(({ updateMs }) => updateMs),
  };
  const allMs = stages.reduce((ms, stage) => ms + spent[stage], 0);
  return stages.map((stage) => ({
    stage,
    share: allMs > 0 ? spent[stage] / allMs : null,
    msPerIteration: times.length > 0 ? spent[stage] / times.length : null,
  }));
}
