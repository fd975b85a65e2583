import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import type { PolicyApi } from '../protocol/policyApi';
import type { ExperienceStore } from './experienceStore';
import { playEpisodes } from './rollout';
import { batchesDue, trainingStarts } from './tasks';
import { playTrees } from './treeRollout';

interface Acting {
  readonly plan: ExperimentPlan;
  readonly policies: readonly PolicyApi[];
  readonly store: ExperienceStore;
  readonly iterations: number;
}

/** Samples the rollouts that are due in an iteration with the present policies, and commits them to the store. */
export async function act(
  { plan, policies, store, iterations }: Acting,
  replicas: readonly ReplicaPlan[],
  iteration: number,
): Promise<void> {
  const starts = replicas.flatMap((replica) =>
    batchesDue(replica, iteration, iterations).flatMap((batch) => trainingStarts(replica, batch)),
  );
  const growsTrees = ({ replica }: { replica: number }): boolean =>
    plan.replicas[replica]!.training.groups.sampling === 'tree';
  const parallel = starts.filter((start) => !growsTrees(start));
  // One after the other: both may ask the same policies.
  if (parallel.length > 0) store.commit(await playEpisodes(plan, policies, parallel, false));
  const branching = starts.filter(growsTrees);
  if (branching.length > 0) store.commit(await playTrees(plan, policies, branching));
}
