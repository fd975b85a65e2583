import { groupAdvantages, type GroupAdvantages } from './groupAdvantages';
import { groupIndices, pairIndices } from './groupIndices';
import { taskGroups, type StepScores } from './stepScores';

/** Steps of a team in which a main agent calls sub-agents. `trajectoryIds` number samples: main trajectories and invocations alike. */
export interface HierarchicalSteps extends StepScores {
  /** [S] 1 = taken in an invocation of a sub-agent. */
  readonly isSub: Uint8Array;
  /** [S] the episode of the step. */
  readonly episodeIds: Int32Array;
}

/**
 * Hierarchical GRPO: the invocations of a sub-agent (solver) are compared within their own episode, main trajectories (proposer) across
 * the task, each with those of the same agent; r − mean, and 0 for a group of one. One sample for each trajectory or invocation, or an
 * agent's part of it. PrimeIntellect-ai/prime-rl `orchestrator/algo/hierarchical_grpo.py::score_group`, whose groups are
 * (agent, episode or none) within a task.
 * Edge cases: a score that is not finite is left out, gets 0 and is counted.
 * Throws a RangeError on arrays of unequal length, or an invocation in two episodes.
 */
export function hierarchicalAdvantages(steps: HierarchicalSteps): GroupAdvantages {
  const { isSub, episodeIds, rewards } = steps;
  for (const [name, { length }] of Object.entries({ isSub, episodeIds }))
    if (length !== rewards.length)
      throw new RangeError(
        `${name} has ${length} entries, rewards ${rewards.length}: give one of each per step.`,
      );
  const withinTask = taskGroups(steps);
  const withinEpisode = pairIndices(withinTask, groupIndices(episodeIds));
  // Two partitions numbered apart: episodes behind the tasks. The scope splits both by agent.
  const taskIds = withinTask.indices.map((group, step) =>
    isSub[step] === 0 ? group : withinTask.numGroups + withinEpisode.indices[step]!,
  );
  return groupAdvantages(
    { ...steps, taskIds },
    {
      scope: 'taskAgent',
      unit: 'trajectory',
      center: 'mean',
      scale: 'none',
      ddof: 1,
      epsilon: 0,
      minStd: 0,
      singleton: 'zero',
    },
  );
}
