import type { ExperimentSpec } from '../config/experimentSpec';
import type { CriticApi } from '../protocol/criticApi';
import type { PolicyApi } from '../protocol/policyApi';
import type {
  PolicyStatus,
  StartOptions,
  TrainerApi,
  TrainerEvent,
  TrainerListener,
} from '../protocol/trainerApi';
import { createCheckpointSaver, type CheckpointSaver } from './checkpointSaver';
import { planExperiment, type ExperimentPlan } from './cohorts';
import { createExperienceStore } from './experienceStore';
import { createRecovery, type Recovery } from './recovery';
import { evaluate, runIteration, type IterationContext } from './iteration';
import { initialMemory, type ReplicaMemory } from './memory';
import { restoreNetworks, resumedFrom, runCheckpoint, type Resumed } from './runCheckpoints';
import { emitIteration, emitThroughput, startDetail, tellRecovery } from './runEvents';
import { createRunControl, type RunControl } from './runControl';
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
  readonly emit: TrainerListener;
  readonly now: () => number;
  readonly checkpointEvery: number | null;
  /** Null for a run from its start. */
  readonly resumed: Resumed | null;
}

/** The trainer behind the page's door. One run at a time. */
export function createTrainer(environment: TrainerEnvironment): TrainerApi {
  let control: RunControl | null = null;
  const controlled = (act: (control: RunControl) => void): Promise<void> => {
    if (control !== null) act(control);
    return Promise.resolve();
  };
  return {
    async start(
      spec: ExperimentSpec,
      listener: TrainerListener,
      options: StartOptions = {},
    ): Promise<void> {
      if (control !== null)
        throw new Error('A run is in progress: stop it before starting another.');
      const own = createRunControl();
      control = own;
      try {
        await supervise(environment, { spec, control, options }, listener);
      } finally {
        control = null;
        own.close();
      }
    },
    pause: () => controlled((gate) => gate.pause()),
    step: () => controlled((gate) => gate.step()),
    resume: () => controlled((gate) => gate.resume()),
    stop: () => controlled((gate) => gate.stop()),
    checkpoint: () =>
      control?.askToSave() ??
      Promise.reject(new Error('There is no run to take a checkpoint of: start one.')),
  };
}

/** Throws an Error for people where the options cannot be followed. */
function planned(
  spec: ExperimentSpec,
  { checkpointEvery, resumeFrom }: StartOptions,
): Pick<Run, 'plan' | 'checkpointEvery' | 'resumed'> {
  if (
    checkpointEvery !== undefined &&
    !(Number.isSafeInteger(checkpointEvery) && checkpointEvery >= 1)
  )
    throw new Error(
      `Checkpoints were asked for every ${checkpointEvery} iterations: give a whole number from 1.`,
    );
  const plan = planExperiment(spec);
  const resumed = resumeFrom === undefined ? null : resumedFrom(spec, plan, resumeFrom);
  return { plan, checkpointEvery: checkpointEvery ?? null, resumed };
}

/** Runs to the end, whatever it is: every way out emits one last event and frees the policies. */
async function supervise(
  environment: TrainerEnvironment,
  { spec, control, options }: Pick<Run, 'spec' | 'control'> & { options: StartOptions },
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
    const parts = planned(spec, options);
    const { plan, resumed } = parts;
    iteration = resumed?.iteration ?? 0;
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
      train({ spec, ...parts, ...doors, control, emit, now }).then(resolve, reject);
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    emit({ kind: 'failed', iteration, message });
  } finally {
    for (const handle of [...policies, ...critics]) handle.terminate();
  }
}

async function train(run: Run): Promise<void> {
  const { spec, plan, control, emit, resumed } = run;
  const [statuses] = await Promise.all([createPolicies(run), createCritics(run)]);
  if (resumed !== null) await restoreNetworks(run, resumed);
  const recovery = createRecovery({
    ...run,
    isAtRisk: statuses.some(({ backend }) => backend === 'webgpu'),
    store: resumed?.store ?? createExperienceStore(),
    onRecovered: (recovered) => tellRecovery(run, statuses, recovered),
  });
  await recovery.begin();
  if (await prepare(run, recovery))
    return emit({ kind: 'finished', iteration: 0, reason: 'stopped' });
  const { iterations } = spec;
  const memories = new Map(
    resumed?.memories ?? plan.replicas.map((replica) => [replica.index, initialMemory(replica)]),
  );
  const saver = saverOf(run, recovery, memories);
  const end = async (iteration: number, reason: 'completed' | 'stopped'): Promise<void> => {
    await saver.saveLast(iteration);
    await control.serve(() => saver.save(iteration));
    emit({ kind: 'finished', iteration, reason });
  };
  for (let last = resumed?.iteration ?? 0; last < iterations; last++) {
    await saver.saveIfDue(last);
    const passing = {
      onPause: () => emit({ kind: 'paused', iteration: last }),
      save: () => saver.save(last),
    };
    if ((await control.pass(passing)) === 'stop') return end(last, 'stopped');
    await iterate(run, recovery, last + 1, memories);
  }
  return end(iterations, 'completed');
}

/** One iteration of all replicas; replaces their memories. */
async function iterate(
  run: Run,
  recovery: Recovery,
  iteration: number,
  memories: Map<number, ReplicaMemory>,
): Promise<void> {
  const { plan, spec } = run;
  const { iterations, evaluation, diagnostics } = spec;
  const parts = await recovery.run(`Iteration ${iteration}`, (doors) => {
    const context = { ...run, ...doors, iterations, evaluation, diagnostics };
    return Promise.all(
      shardsOf(plan).map((replicas) => runIteration(context, replicas, iteration, memories)),
    );
  });
  for (const [replica, memory] of parts.flatMap((part) => [...part.memories]))
    memories.set(replica, memory);
  emitIteration(run, iteration, parts);
  await emitThroughput(run, iteration);
}

function saverOf(
  run: Run,
  recovery: Recovery,
  memories: ReadonlyMap<number, ReplicaMemory>,
): CheckpointSaver {
  const { emit, checkpointEvery, resumed } = run;
  return createCheckpointSaver({
    every: checkpointEvery,
    resumedAt: resumed?.iteration ?? null,
    write: async (iteration) => runCheckpoint(run, iteration, await recovery.snapshot(), memories),
    emit,
  });
}

/** Up to where the first iteration can begin. True if it was stopped on the way. */
async function prepare(run: Run, recovery: Recovery): Promise<boolean> {
  const { emit, spec, resumed } = run;
  if (resumed !== null) {
    emit({ kind: 'phase', phase: 'training', detail: 'training', share: null });
    return false;
  }
  const { iterations, evaluation, diagnostics } = spec;
  return recovery.run('The warm start', (doors) =>
    prepareTeam({ ...run, ...doors, iterations, evaluation, diagnostics }),
  );
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
