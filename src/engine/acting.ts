import type { GroupsSpec } from '../config/experimentSpec';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import type { PolicyApi } from '../protocol/policyApi';
import type { ExperienceStore } from './experienceStore';
import { expandTrees } from './expandedRollout';
import { playEpisodes, type EpisodeStart } from './rollout';
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
  const startsOf = (sampling: GroupsSpec['sampling']): EpisodeStart[] =>
    starts.filter(({ replica }) => plan.replicas[replica]!.training.groups.sampling === sampling);
  // One after the other: all may ask the same policies.
  store.commit(await playEpisodes(plan, policies, startsOf('parallel'), false));
  store.commit(await playTrees(plan, policies, startsOf('tree')));
  store.commit(await expandTrees(plan, policies, startsOf('expand')));
}
