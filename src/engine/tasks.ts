import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import { streamKey, type Purpose } from './randomStreams';
import type { EpisodeStart } from './rollout';

/** The training episodes that one iteration learns from: the replica's tasks, each played `groupSize` times or grown as one tree. */
export function trainingStarts(
  { index, seed, training: { groups } }: ReplicaPlan,
  batch: number,
): EpisodeStart[] {
  // A tree whose branches all continue is one start a task.
  const perTask = groups.sampling === 'expand' ? 1 : groups.groupSize;
  return Array.from({ length: groups.tasksPerIteration * perTask }, (_, episode) => {
    const task = Math.floor(episode / perTask);
    const rollout = episode % perTask;
    return {
      replica: index,
      batch,
      task,
      taskKey: streamKey(seed, 'trainingTask', batch, task),
      noiseKey: streamKey(seed, 'trainingNoise', batch, task, rollout),
    };
  });
}

/**
 * Which batches the present policy samples in an iteration: that of the iteration, or, in a pipeline of depth k, the one k iterations
 * ahead. Its first k + 1 batches all come from the policy that the run starts with. No batch beyond the last iteration is sampled.
 */
export function batchesDue(
  { training: { groups } }: ReplicaPlan,
  iteration: number,
  iterations: number,
): number[] {
  const first = iteration === 1 ? 1 : iteration + groups.staleIterations;
  const last = Math.min(iteration + groups.staleIterations, iterations);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
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
      batch: 0,
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
      return { replica: index, batch: 0, task, taskKey: key, noiseKey: key };
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
