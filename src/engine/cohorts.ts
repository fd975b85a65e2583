import type { ExperimentSpec, TrainingSpec } from '../config/experimentSpec';
import { replicasOf, type Replica } from '../config/overrides';
import { createWorkflow } from '../envs/registry';
import type { Workflow } from '../envs/workflow';
import type { CohortSpec, ReplicaHyper } from '../protocol/policyApi';

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
}

/** One policy of one architecture, for all replicas that have it: one worker. */
interface CohortPlan {
  readonly spec: CohortSpec;
  readonly hypers: readonly ReplicaHyper[];
}

export interface ExperimentPlan {
  readonly replicas: readonly ReplicaPlan[];
  readonly cohorts: readonly CohortPlan[];
}

interface GrowingCohort {
  readonly spec: CohortSpec;
  readonly hypers: ReplicaHyper[];
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
  const cohorts = new Map<string, GrowingCohort>();
  const cohortIndex = (key: string): number => [...cohorts.keys()].indexOf(key);
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
      const key = JSON.stringify(cohortSpec);
      const cohort = cohorts.get(key) ?? { spec: cohortSpec, hypers: [] };
      cohorts.set(key, cohort);
      cohort.hypers.push({ seed, optimizer, loss: training.loss });
      const seat = { cohort: cohortIndex(key), slot: cohort.hypers.length - 1 };
      seatOfPolicy.set(policyId, seat);
      return seat;
    });
    return Object.assign({ workflow, seats }, replica);
  });
  return { replicas, cohorts: [...cohorts.values()] };
}

function cohortSpecOf(
  policyId: string,
  architecture: CohortSpec['architecture'],
  workflow: Workflow,
  { backend }: ExperimentSpec,
): CohortSpec {
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
