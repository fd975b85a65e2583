import type { ExperimentSpec, TrainingSpec } from '../config/experimentSpec';
import { replicasOf, type Replica } from '../config/overrides';
import { createWorkflow } from '../envs/registry';
import type { Workflow } from '../envs/workflow';
import type { CriticHyper, CriticSpec } from '../protocol/criticApi';
import type { CohortLoad, CohortRequest, ReplicaHyper } from '../protocol/policyApi';

/** Which policy writes an agent's turns: a cohort, and the replica's place in it. */
interface Seat {
  readonly cohort: number;
  readonly slot: number;
}

/** One (arm, seed) with its world and the seats of its agents. */
export interface ReplicaPlan extends Replica {
  readonly workflow: Workflow;
  /** In the order of the workflow's agents. */
  readonly seats: readonly Seat[];
  /** Place of the replica's value network among `ExperimentPlan.critics`; null without one. */
  readonly critic: Seat | null;
}

/** One policy of one architecture, for all replicas that have it: one worker. */
interface CohortPlan {
  readonly spec: CohortRequest;
  readonly hypers: readonly ReplicaHyper[];
  /** Of the replica with the largest groups. */
  readonly load: CohortLoad;
}

export interface ExperimentPlan {
  readonly replicas: readonly ReplicaPlan[];
  readonly cohorts: readonly CohortPlan[];
  readonly critics: readonly CriticPlan[];
}

/** Value networks of one architecture, for all replicas that have one: one worker. */
interface CriticPlan {
  readonly spec: CriticSpec;
  readonly hypers: readonly CriticHyper[];
}

/** Groups what has the same description, in order of first use. */
class SeatTable<Spec, Hyper> {
  readonly groups: { readonly spec: Spec; readonly hypers: Hyper[] }[] = [];
  readonly #indexOf = new Map<string, number>();

  seat(spec: Spec, hyper: Hyper): Seat {
    const key = JSON.stringify(spec);
    const cohort = this.#indexOf.get(key) ?? this.groups.length;
    if (cohort === this.groups.length) this.groups.push({ spec, hypers: [] });
    this.#indexOf.set(key, cohort);
    const { hypers } = this.groups[cohort]!;
    hypers.push(hyper);
    return { cohort, slot: hypers.length - 1 };
  }
}

/** Who trains where: policies of equal id, architecture and vocabulary are stacked over arms and seeds. */
export function planExperiment(spec: ExperimentSpec): ExperimentPlan {
  const workflows = new Map<string, Workflow>();
  const workflowOf = ({ environment }: TrainingSpec): Workflow => {
    const key = JSON.stringify(environment);
    const workflow = workflows.get(key) ?? createWorkflow(environment);
    workflows.set(key, workflow);
    return workflow;
  };
  const cohorts = new SeatTable<CohortRequest, ReplicaHyper>();
  const critics = new SeatTable<CriticSpec, CriticHyper>();
  const replicas = replicasOf(spec).map((replica) => {
    const { training, seed } = replica;
    const workflow = workflowOf(training);
    const seatOfPolicy = new Map<string, Seat>();
    const seats = workflow.spec.agents.map((agent): Seat => {
      const policyId = training.agents[agent]!.policy;
      const known = seatOfPolicy.get(policyId);
      if (known) return known;
      const { architecture, optimizer } = training.policies[policyId]!;
      const cohortSpec = cohortSpecOf(policyId, architecture, workflow, spec);
      const seat = cohorts.seat(cohortSpec, { seed, optimizer, loss: training.loss });
      seatOfPolicy.set(policyId, seat);
      return seat;
    });
    const valueNetwork = criticOf(replica, workflow, spec);
    const critic = valueNetwork && critics.seat(valueNetwork.spec, valueNetwork.hyper);
    return Object.assign({ workflow, seats, critic }, replica);
  });
  const withLoads = cohorts.groups.map(({ spec: cohort, hypers }, index) => ({
    spec: cohort,
    hypers,
    load: largestLoad(replicas, index),
  }));
  return { replicas, cohorts: withLoads, critics: critics.groups };
}

/** Rollouts of an iteration, of the replica in the cohort that has most. */
function largestLoad(replicas: readonly ReplicaPlan[], cohort: number): CohortLoad {
  return replicas
    .filter(({ seats }) => seats.some((seat) => seat.cohort === cohort))
    .map(({ training: { groups } }) => ({
      numTasks: groups.tasksPerIteration,
      rolloutsPerTask: groups.groupSize,
    }))
    .reduce((a, b) => (b.numTasks * b.rolloutsPerTask > a.numTasks * a.rolloutsPerTask ? b : a));
}

/** The value network that the replica's estimator asks for: as the first agent's policy, with what it reads as its length. */
function criticOf(
  { training, seed }: Replica,
  workflow: Workflow,
  { backend }: ExperimentSpec,
): { spec: CriticSpec; hyper: CriticHyper } | null {
  const { estimator, agents, policies } = training;
  if (!('critic' in estimator)) return null;
  const { spec: world } = workflow;
  const { architecture } = policies[agents[world.agents[0]!]!.policy]!;
  const readsState = estimator.critic === 'state';
  return {
    spec: {
      architecture,
      vocabularySize: world.vocabulary.length,
      maxLength: readsState ? world.maxStateTokens : world.maxPromptTokens,
      // On the processor, beside the policies on the GPU: small networks in tfjs ops, asked once an iteration.
      backend: backend === 'cpu' ? 'cpu' : 'wasm',
    },
    hyper: {
      seed,
      learningRate: estimator.valueLearningRate,
      numEpochs: estimator.valueEpochs,
      valueClip: estimator.kind === 'gae' ? estimator.valueClip : null,
    },
  };
}

function cohortSpecOf(
  policyId: string,
  architecture: CohortRequest['architecture'],
  workflow: Workflow,
  { backend }: ExperimentSpec,
): CohortRequest {
  const { vocabulary, maxPromptTokens, maxActionTokens } = workflow.spec;
  return {
    policyId,
    architecture,
    vocabularySize: vocabulary.length,
    maxLength: maxPromptTokens + maxActionTokens,
    maxActionTokens,
    backend,
  };
}
