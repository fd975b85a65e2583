import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import { streamKey, type Purpose } from './randomStreams';
import type { EpisodeStart } from './rollout';

/** The training episodes of one iteration: each replica's tasks, each played `groupSize` times. */
export function trainingStarts(
  replicas: readonly ReplicaPlan[],
  iteration: number,
): EpisodeStart[] {
  return replicas.flatMap(({ index, seed, training: { groups } }) =>
    Array.from({ length: groups.tasksPerIteration * groups.groupSize }, (_, episode) => {
      const task = Math.floor(episode / groups.groupSize);
      const rollout = episode % groups.groupSize;
      return {
        replica: index,
        task,
        taskKey: streamKey(seed, 'trainingTask', iteration, task),
        noiseKey: streamKey(seed, 'trainingNoise', iteration, task, rollout),
      };
    }),
  );
}

/** One episode on each of `tasks` tasks, the same ones at every call. */
function fixedStarts(
  replicas: readonly ReplicaPlan[],
  tasks: number,
  purposes: { task: Purpose; noise: Purpose },
): EpisodeStart[] {
  return replicas.flatMap(({ index, seed }) =>
    Array.from({ length: tasks }, (_, task) => ({
      replica: index,
      task,
      taskKey: streamKey(seed, purposes.task, task),
      noiseKey: streamKey(seed, purposes.noise, task),
    })),
  );
}

/** Evaluation episodes. Their tasks and noise stay the same, so that a curve moves only when the policy does. */
export function evaluationStarts(replicas: readonly ReplicaPlan[], tasks: number): EpisodeStart[] {
  return fixedStarts(replicas, tasks, { task: 'evaluationTask', noise: 'evaluationNoise' });
}

/** Episodes that measure how far the warm start has come. */
export function warmStartStarts(replicas: readonly ReplicaPlan[], tasks: number): EpisodeStart[] {
  return fixedStarts(replicas, tasks, { task: 'warmStartTask', noise: 'warmStartNoise' });
}

/** Tasks of one supervised step; fresh at every step. */
export function demonstrationStarts(
  replicas: readonly ReplicaPlan[],
  step: number,
): EpisodeStart[] {
  return replicas.flatMap(({ index, seed, training: { warmStart } }) =>
    Array.from({ length: warmStart.tasksPerStep }, (_, task) => {
      const key = streamKey(seed, 'demonstrationTask', step, task);
      return { replica: index, task, taskKey: key, noiseKey: key };
    }),
  );
}

/** Splits the replicas so that one part samples while another learns: policies in different workers then work at the same time. */
export function shardsOf({ replicas, cohorts }: ExperimentPlan): ReplicaPlan[][] {
  const numShards = Math.min(replicas.length, cohorts.length, 3);
  return Array.from({ length: numShards }, (_, shard) =>
    replicas.filter(({ index }) => index % numShards === shard),
  );
}
