import type { ExperimentSpec } from '../config/experimentSpec';
import type { CriticApi } from '../protocol/criticApi';
import type { PolicyApi } from '../protocol/policyApi';
import type {
  PolicyStatus,
  TrainerApi,
  TrainerEvent,
  TrainerListener,
} from '../protocol/trainerApi';
import { planExperiment, type ExperimentPlan } from './cohorts';
import { recordsToSend } from './groupRecords';
import { createRecovery, type Recovered } from './recovery';
import { evaluate, runIteration, type IterationContext, type IterationResult } from './iteration';
import { initialMemory } from './memory';
import { createRunControl, type RunControl } from './runControl';
import { createSteering, type Steering } from './steering';
import { shardsOf } from './tasks';
import { runWarmStart, type WarmStartResult } from './warmStart';

/** A policy somewhere: in a worker of its own, or in this thread for tests. */
export interface PolicyHandle {
  readonly api: PolicyApi;
  /** Frees the worker, whatever state it is in. */
  terminate(): void;
}

/** A critic somewhere, likewise. */
export interface CriticHandle {
  readonly api: CriticApi;
  terminate(): void;
}

export interface TrainerEnvironment {
  /** @param onFailure call it when the policy dies outside a call, e.g. its worker crashed */
  createPolicy(policyId: string, onFailure: (reason: Error) => void): PolicyHandle;
  createCritic(onFailure: (reason: Error) => void): CriticHandle;
  /** Milliseconds of wall time. */
  readonly now: () => number;
}

interface Run {
  readonly spec: ExperimentSpec;
  readonly plan: ExperimentPlan;
  readonly policies: readonly PolicyApi[];
  readonly critics: readonly CriticApi[];
  readonly control: RunControl;
  readonly steering: Steering;
  readonly emit: TrainerListener;
  readonly now: () => number;
}

/** What the page's requests reach of a run. */
type Handles = Pick<Run, 'control' | 'steering'>;

/** The trainer behind the page's door. One run at a time. */
export function createTrainer(environment: TrainerEnvironment): TrainerApi {
  let current: Handles | null = null;
  const controlled = (act: (control: RunControl) => void): Promise<void> => {
    if (current !== null) act(current.control);
    return Promise.resolve();
  };
  return {
    async start(spec: ExperimentSpec, listener: TrainerListener): Promise<void> {
      if (current !== null)
        throw new Error('A run is in progress: stop it before starting another.');
      current = { control: createRunControl(), steering: createSteering(spec) };
      try {
        await supervise(environment, spec, current, listener);
      } finally {
        current.steering.close();
        current = null;
      }
    },
    pause: () => controlled((gate) => gate.pause()),
    step: () => controlled((gate) => gate.step()),
    resume: () => controlled((gate) => gate.resume()),
    stop: () => controlled((gate) => gate.stop()),
    intervene: (command) =>
      current === null
        ? Promise.resolve({ ok: false, reason: 'Nothing runs, so there is nothing to change.' })
        : current.steering.ask(command),
  };
}

/** Runs to the end, whatever it is: every way out emits one last event and frees the policies. */
async function supervise(
  environment: TrainerEnvironment,
  spec: ExperimentSpec,
  handles: Handles,
  listener: TrainerListener,
): Promise<void> {
  let iteration = 0;
  const emit = (event: TrainerEvent): void => {
    if (event.kind === 'iteration') ({ iteration } = event);
    listener(event);
  };
  const policies: PolicyHandle[] = [];
  const critics: CriticHandle[] = [];
  try {
    const plan = planExperiment(spec);
    emit({ kind: 'phase', phase: 'preparing', detail: 'starting policy workers', share: null });
    await new Promise<void>((resolve, reject) => {
      for (const { spec: cohort } of plan.cohorts)
        policies.push(environment.createPolicy(cohort.policyId, reject));
      for (const _ of plan.critics) critics.push(environment.createCritic(reject));
      const doors = {
        policies: policies.map(({ api }) => api),
        critics: critics.map(({ api }) => api),
      };
      // A worker that dies rejects this promise at once; the training below would wait for its answer for ever.
      const { now } = environment;
      train({ spec, plan, ...doors, ...handles, emit, now }).then(resolve, reject);
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    emit({ kind: 'failed', iteration, message });
  } finally {
    for (const handle of [...policies, ...critics]) handle.terminate();
  }
}

async function train(run: Run): Promise<void> {
  const { spec, plan, control, emit } = run;
  const [statuses] = await Promise.all([createPolicies(run), createCritics(run)]);
  const recovery = createRecovery({
    ...run,
    isAtRisk: statuses.some(({ backend }) => backend === 'webgpu'),
    onRecovered: (recovered) => tellRecovery(run, statuses, recovered),
  });
  await recovery.begin();
  const { iterations, evaluation, diagnostics } = spec;
  const wasStopped = await recovery.run('The warm start', (doors) =>
    prepareTeam({ ...run, ...doors, iterations, evaluation, diagnostics }),
  );
  if (wasStopped) return emit({ kind: 'finished', iteration: 0, reason: 'stopped' });
  const memories = new Map(plan.replicas.map((replica) => [replica.index, initialMemory(replica)]));
  for (let iteration = 1; iteration <= iterations; iteration++) {
    const last = iteration - 1;
    if ((await control.pass(() => emit({ kind: 'paused', iteration: last }))) === 'stop')
      return emit({ kind: 'finished', iteration: last, reason: 'stopped' });
    const steered = { ...run, plan: await run.steering.begin(iteration, run) };
    const parts = await recovery.run(`Iteration ${iteration}`, (doors) =>
      Promise.all(
        shardsOf(steered.plan).map((replicas) =>
          runIteration(
            { ...steered, ...doors, iterations, evaluation, diagnostics },
            replicas,
            iteration,
            memories,
          ),
        ),
      ),
    );
    for (const [replica, memory] of parts.flatMap((part) => [...part.memories]))
      memories.set(replica, memory);
    emitIteration(run, iteration, parts);
    await emitThroughput(run, iteration);
  }
  return emit({ kind: 'finished', iteration: iterations, reason: 'completed' });
}

/** From fresh weights to the team that reinforcement starts from. True if it was stopped on the way. */
async function prepareTeam(run: Run & IterationContext): Promise<boolean> {
  const { plan, policies, control, emit, evaluation } = run;
  const warmStart = await runWarmStart({ plan, policies, control, emit }, evaluation.tasks);
  if (warmStart.wasStopped) return true;
  // The reference of the KL penalty is the team that reinforcement starts from.
  await Promise.all(policies.map((policy) => policy.keepReference()));
  emit({ kind: 'phase', phase: 'training', detail: 'training', share: null });
  await emitStart(run, warmStart);
  return false;
}

/** After a lost device: what happened, and what the policies run on now. */
function tellRecovery(
  { emit }: Run,
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
function startDetail(cohorts: ExperimentPlan['cohorts']): string {
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

/** Builds every cohort in its worker; all compile and test themselves at the same time. */
async function createPolicies({ plan, policies, emit }: Run): Promise<readonly PolicyStatus[]> {
  const detail = startDetail(plan.cohorts);
  emit({ kind: 'phase', phase: 'selfTest', detail, share: null });
  const statuses = await Promise.all(
    plan.cohorts.map(async ({ spec, hypers, load }, index): Promise<PolicyStatus> => {
      const info = await policies[index]!.create(spec, hypers, load);
      return { policyId: spec.policyId, numReplicas: hypers.length, ...info };
    }),
  );
  emit({ kind: 'policies', policies: statuses });
  return statuses;
}

async function createCritics({ plan, critics }: Run): Promise<void> {
  await Promise.all(
    plan.critics.map(({ spec, hypers }, index) => critics[index]!.create(spec, hypers)),
  );
}

/** Iteration 0: where the warm start has brought each replica. */
async function emitStart(run: Run & IterationContext, warmStart: WarmStartResult): Promise<void> {
  const { plan, emit, now } = run;
  const startMs = now();
  const success = await evaluate(run, plan.replicas);
  const rows = plan.replicas.map(({ index, arm, seed }) => ({
    iteration: 0,
    arm,
    seed,
    agent: 'team',
    values: { evalSuccess: success.get(index)!, warmStartSteps: warmStart.steps.get(index) ?? 0 },
  }));
  const times = { rolloutMs: now() - startMs, advantagesMs: 0, diagnosticsMs: 0, updateMs: 0 };
  emit({
    kind: 'iteration',
    iteration: 0,
    rows,
    transcripts: [],
    groups: [],
    gradientPairs: [],
    tokens: 0,
    times,
  });
}

async function emitThroughput({ plan, policies, emit }: Run, iteration: number): Promise<void> {
  const usages = await Promise.all(
    plan.cohorts.map(async ({ spec: { policyId } }, index) => ({
      policyId,
      ...(await policies[index]!.usage()),
    })),
  );
  emit({ kind: 'throughput', iteration, policies: usages });
}

/** Puts the shards together again, in the order of the plan; then what the user should know of it. */
function emitIteration(
  { plan, emit }: Run,
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
