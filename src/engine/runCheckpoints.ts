import type { SavedCritic, SavedPolicy } from '../config/checkpointSchema';
import type { ExperimentSpec } from '../config/experimentSpec';
import { canonicalJson } from '../config/specHash';
import { parameterSpecs, sizeOf, valueParameterSpecs } from '../agents/parameters';
import type { CriticApi, CriticCheckpoint } from '../protocol/criticApi';
import type { PolicyApi, PolicyCheckpoint } from '../protocol/policyApi';
import { resumeRefusal } from '../protocol/resumption';
import {
  parseRunCheckpoint,
  writeRunCheckpoint,
  type RunCheckpoint,
} from '../protocol/runCheckpoint';
import { CheckpointMisfit, requireFit } from './checkpointMisfit';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import type { Trajectory } from './experience';
import { createExperienceStore, type ExperienceStore } from './experienceStore';
import type { ReplicaMemory } from './memory';
import { packMemory, unpackMemory } from './packMemory';
import type { Snapshot } from './recovery';
import { batchesDue } from './tasks';

/** A run between two iterations as bytes, and back. */

type Description = Omit<SavedPolicy, 'numbers'>;

/** What each policy of a plan is, and of which replicas. */
function describePolicies({ cohorts, replicas }: ExperimentPlan): Description[] {
  return cohorts.map(({ spec, hypers }, cohort) => {
    const { policyId, architecture, vocabularySize, maxLength } = spec;
    const seated = replicas.flatMap(({ arm, seed, seats }) => {
      const slot = seats.find((seat) => seat.cohort === cohort)?.slot;
      return slot === undefined ? [] : [{ slot, arm, seed }];
    });
    const parameters = parameterSpecs(architecture, vocabularySize);
    return {
      policyId,
      architecture,
      vocabularySize,
      maxLength,
      replicas: inOrder(seated, hypers.length),
      parameters: parameters.map(({ name, shape }) => ({ name, shape: [...shape] })),
    };
  });
}

function describeCritics({ critics, replicas }: ExperimentPlan): Omit<SavedCritic, 'numbers'>[] {
  return critics.map(({ spec: { architecture, vocabularySize }, hypers }, cohort) => {
    const seated = replicas.flatMap(({ arm, seed, critic }) =>
      critic?.cohort === cohort ? [{ slot: critic.slot, arm, seed }] : [],
    );
    const numParameters = valueParameterSpecs(architecture, vocabularySize).reduce(
      (sum, { shape }) => sum + sizeOf(shape),
      0,
    );
    return { replicas: inOrder(seated, hypers.length), numParameters };
  });
}

function inOrder(
  seated: readonly { readonly slot: number; readonly arm: string; readonly seed: number }[],
  count: number,
): SavedCritic['replicas'] {
  const sorted = seated.toSorted((a, b) => a.slot - b.slot);
  if (sorted.length !== count) throw new Error('Every place of a policy has one replica.');
  return sorted.map(({ arm, seed }) => ({ arm, seed }));
}

function withNumbers<T extends object, N>(own: T, numbers: N): T & { readonly numbers: N } {
  return Object.assign({ numbers }, own);
}

/**
 * Everything that decides what comes after `iteration`.
 * Throws a RangeError where a number is not finite: there is nothing to go on with.
 */
export function runCheckpoint(
  { spec, plan }: { readonly spec: ExperimentSpec; readonly plan: ExperimentPlan },
  iteration: number,
  { policies, critics, store }: Snapshot,
  memories: ReadonlyMap<number, ReplicaMemory>,
): ArrayBuffer {
  const waiting = plan.replicas.map((): Trajectory[] => []);
  for (const trajectory of store.waiting()) waiting[trajectory.replica]!.push(trajectory);
  return writeRunCheckpoint({
    spec,
    iteration,
    policies: describePolicies(plan).map((own, i) => withNumbers(own, policies[i]!)),
    critics: describeCritics(plan).map((own, i) => withNumbers(own, critics[i]!)),
    replicas: plan.replicas.map((replica) =>
      packMemory(replica, memories.get(replica.index)!, waiting[replica.index]!),
    ),
  });
}

/** What a run goes on with. */
export interface Resumed {
  /** The last that was done. */
  readonly iteration: number;
  readonly policies: readonly PolicyCheckpoint[];
  readonly critics: readonly CriticCheckpoint[];
  readonly memories: ReadonlyMap<number, ReplicaMemory>;
  readonly store: ExperienceStore;
}

/** Throws an Error for people where the bytes are no checkpoint that the run can go on from. */
export function resumedFrom(
  spec: ExperimentSpec,
  plan: ExperimentPlan,
  bytes: ArrayBuffer,
): Resumed {
  const parsed = parseRunCheckpoint(bytes);
  if (!parsed.ok) throw new Error(parsed.reason);
  const refusal = resumeRefusal(parsed.checkpoint, spec);
  if (refusal !== null) throw new Error(refusal);
  try {
    return fitted(plan, parsed.checkpoint);
  } catch (error) {
    if (!(error instanceof CheckpointMisfit)) throw error;
    throw new Error(
      `The checkpoint does not fit its own experiment in this version of Marlbook: ${error.message}. Nothing was changed. Take another checkpoint, or start the run anew.`,
      { cause: error },
    );
  }
}

function fitted(plan: ExperimentPlan, checkpoint: RunCheckpoint): Resumed {
  const { iteration, policies, critics, replicas } = checkpoint;
  requireSame('policies', policies, describePolicies(plan));
  requireSame('critics', critics, describeCritics(plan));
  for (const [index, { hypers }] of plan.cohorts.entries()) {
    const hasReference = policies[index]!.numbers.reference !== null;
    const needsReference = hypers.some(({ loss }) => loss.refKlCoef > 0);
    requireFit(
      hasReference === needsReference,
      `policies.${index}`,
      'reference for the KL penalty',
    );
  }
  const fits = replicas.length === plan.replicas.length;
  requireFit(fits, 'replicas', `${replicas.length} came, expected ${plan.replicas.length}`);
  const store = createExperienceStore();
  const memories = new Map<number, ReplicaMemory>();
  for (const replica of plan.replicas) {
    const { memory, waiting } = unpackMemory(replica, replicas[replica.index]!);
    requireBatches(replica, waiting, checkpoint);
    memories.set(replica.index, memory);
    store.commit(waiting);
  }
  return {
    iteration,
    policies: policies.map(({ numbers }) => numbers),
    critics: critics.map(({ numbers }) => numbers),
    memories,
    store,
  };
}

/** Networks as the plan has them, in its order. */
function requireSame(
  place: string,
  came: readonly { readonly numbers: unknown }[],
  expected: readonly object[],
): void {
  const descriptions = came.map(({ numbers: _numbers, ...description }) => description);
  requireFit(
    canonicalJson(descriptions) === canonicalJson(expected),
    place,
    'their architectures, parameters or replicas are others',
  );
}

/** Exactly the batches wait that were sampled and not learned from. */
function requireBatches(
  replica: ReplicaPlan,
  waiting: readonly { readonly batch: number }[],
  { iteration, spec }: RunCheckpoint,
): void {
  const sampled = Array.from({ length: iteration }, (_, done) =>
    batchesDue(replica, done + 1, spec.iterations),
  ).flat();
  const expected = sampled.filter((batch) => batch > iteration);
  const came = [...new Set(waiting.map(({ batch }) => batch))].toSorted((a, b) => a - b);
  requireFit(
    came.join() === expected.join(),
    `replicas.${replica.index}.waiting`,
    `rollouts for the iterations ${came.join(', ') || '–'} came, expected ${expected.join(', ') || '–'}`,
  );
}

/** Puts policies and critics where the checkpoint left them. */
export async function restoreNetworks(
  { policies, critics }: { policies: readonly PolicyApi[]; critics: readonly CriticApi[] },
  resumed: Pick<Resumed, 'policies' | 'critics'>,
): Promise<void> {
  await Promise.all([
    ...policies.map(async (policy, index) => {
      await policy.putCheckpoint(0, resumed.policies[index]!);
      await policy.restoreCheckpoint(0);
    }),
    ...critics.map(async (critic, index) => {
      await critic.putCheckpoint(0, resumed.critics[index]!);
      await critic.restoreCheckpoint(0);
    }),
  ]);
}
