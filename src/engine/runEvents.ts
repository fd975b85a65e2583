import type { PolicyApi } from '../protocol/policyApi';
import type { PolicyStatus, TrainerListener } from '../protocol/trainerApi';
import type { ExperimentPlan } from './cohorts';
import { recordsToSend } from './groupRecords';
import type { IterationResult } from './iteration';
import type { Recovered } from './recovery';

/** What a run tells the page. */

interface Speaking {
  readonly plan: ExperimentPlan;
  readonly policies: readonly PolicyApi[];
  readonly emit: TrainerListener;
}

/** After a lost device: what happened, and what the policies run on now. */
export function tellRecovery(
  { emit }: Speaking,
  statuses: readonly PolicyStatus[],
  { part, reason, infos }: Recovered,
): void {
  const policies = statuses.map((status, index) => ({ ...status, ...infos[index]! }));
  const devices = [...new Set(infos.map(({ device }) => device))].join(', ');
  emit({ kind: 'policies', policies });
  const message = `${reason.message} ${part} began again from its checkpoint, on ${devices}: nothing is lost.`;
  emit({ kind: 'notice', message });
}

/** What is being waited for, in words. */
export function startDetail(cohorts: ExperimentPlan['cohorts']): string {
  const { backend } = cohorts[0]!.spec;
  switch (backend) {
    case 'cpu':
      return 'building policies';
    case 'auto':
      return 'timing WebGPU against WebAssembly with one turn of every rollout, and comparing each with the CPU reference';
    case 'webgpu':
    case 'wasm':
      return `compiling ${cohorts.length} policies for ${backend} and comparing one step of each with the CPU reference`;
  }
}

export async function emitThroughput(
  { plan, policies, emit }: Speaking,
  iteration: number,
): Promise<void> {
  const usages = await Promise.all(
    plan.cohorts.map(async ({ spec: { policyId } }, index) => ({
      policyId,
      ...(await policies[index]!.usage()),
    })),
  );
  emit({ kind: 'throughput', iteration, policies: usages });
}

/** Puts the shards together again, in the order of the plan; then what the user should know of it. */
export function emitIteration(
  { plan, emit }: Speaking,
  iteration: number,
  parts: readonly IterationResult[],
): void {
  const rows = parts.flatMap((part) => part.rows);
  const transcripts = parts.flatMap((part) => part.transcripts);
  const groups = parts.flatMap((part) => part.groups);
  const order = new Map(plan.replicas.map(({ arm, seed, index }) => [`${arm} ${seed}`, index]));
  const indexOf = ({ arm, seed }: { arm: string; seed: number }): number =>
    order.get(`${arm} ${seed}`)!;
  const total = (of: (part: IterationResult) => number): number =>
    parts.reduce((sum, part) => sum + of(part), 0);
  emit({
    kind: 'iteration',
    iteration,
    rows: rows.toSorted((a, b) => indexOf(a) - indexOf(b)),
    transcripts: transcripts.toSorted((a, b) => indexOf(a) - indexOf(b)),
    groups: recordsToSend(
      groups.toSorted((a, b) => indexOf(a) - indexOf(b)),
      iteration,
    ),
    gradientPairs: parts
      .flatMap((part) => part.gradientPairs)
      .toSorted((a, b) => indexOf(a) - indexOf(b)),
    tokens: total((part) => part.tokens),
    times: {
      rolloutMs: total((part) => part.times.rolloutMs),
      advantagesMs: total((part) => part.times.advantagesMs),
      diagnosticsMs: total((part) => part.times.diagnosticsMs),
      updateMs: total((part) => part.times.updateMs),
    },
  });
  for (const message of parts.flatMap((part) => part.notices)) emit({ kind: 'notice', message });
}
