import type { GroupEstimatorSpec } from '../config/experimentSpec';
import { alignInvocations, type Alignment } from '../rl/mgrpoAlignment';
import { foldIn, type Key } from '../rl/rng';
import type { StepScores } from '../rl/stepScores';
import type { Turn } from './experience';

/** M-GRPO's alignment of sub-trajectories, from the steps of a batch. Axis S. */

interface Steps {
  /** [S] */
  readonly turns: readonly Turn[];
  /** [S] */
  readonly trajectoryOf: Int32Array;
  readonly scores: StepScores;
}

export interface AlignedSteps {
  /** [S] how often each step counts: 1 for main trajectories and without an alignment. */
  readonly weights: Float64Array;
  /** [S] what a group of the estimator has in common: the task, or a queue group. */
  readonly taskIds: Int32Array;
}

function alignmentOf(
  { alignment, alignTo }: Pick<GroupEstimatorSpec, 'alignment' | 'alignTo'>,
  groupSize: number,
  key: Key,
): Alignment | null {
  switch (alignment) {
    case 'none':
      return null;
    case 'duplicateDrop':
      return { kind: 'duplicateDrop', target: alignTo, key };
    case 'weighted':
      return { kind: 'weighted', target: alignTo };
    case 'fifo':
      return { kind: 'fifo', groupSize };
  }
}

/** [trajectories] × [d_k] sample numbers of one agent's invocations, in order of first use. */
function invocationsOf(steps: Steps, agent: number): number[][] {
  const numTrajectories = steps.trajectoryOf.reduce((a, b) => Math.max(a, b), -1) + 1;
  const rollouts = Array.from({ length: numTrajectories }, (): number[] => []);
  for (const [step, turn] of steps.turns.entries()) {
    if (turn.agent !== agent || turn.invocation === null) continue;
    const samples = rollouts[steps.trajectoryOf[step]!]!;
    const sample = steps.scores.trajectoryIds[step]!;
    if (!samples.includes(sample)) samples.push(sample);
  }
  return rollouts;
}

/**
 * How often each step counts, and with whom it is compared. An alignment within the task changes weights alone; the queue of
 * M-GRPO's public code also replaces the task by the queue group, whose numbers stand apart from those of tasks.
 * @param groupSize of a queue group
 * @param key decides which invocations are duplicated or dropped
 */
export function alignSteps(
  steps: Steps,
  estimator: Pick<GroupEstimatorSpec, 'alignment' | 'alignTo'>,
  groupSize: number,
  key: Key,
): AlignedSteps {
  const { turns, scores } = steps;
  const weights = new Float64Array(turns.length).fill(1);
  const taskIds = scores.taskIds.slice();
  const agents = new Set(turns.flatMap((turn) => (turn.invocation === null ? [] : turn.agent)));
  const firstQueueGroup = scores.taskIds.reduce((a, b) => Math.max(a, b), -1) + 1;
  for (const agent of agents) {
    const alignment = alignmentOf(estimator, groupSize, foldIn(key, agent));
    if (alignment === null) continue;
    const rollouts = invocationsOf(steps, agent);
    const aligned = alignInvocations(
      Int32Array.from(rollouts, ({ length }) => length),
      alignment,
    );
    const weightOf = new Map<number, number>();
    const groupOf = new Map<number, number>();
    for (const [place, invocation] of aligned.invocations.entries()) {
      const sample = rollouts[aligned.rollouts[place]!]![invocation];
      if (sample === undefined) continue;
      weightOf.set(sample, (weightOf.get(sample) ?? 0) + aligned.weights[place]!);
      groupOf.set(sample, aligned.groupIds[place]!);
    }
    for (const [step, turn] of turns.entries()) {
      if (turn.agent !== agent || turn.invocation === null) continue;
      const sample = scores.trajectoryIds[step]!;
      weights[step] = weightOf.get(sample) ?? 0;
      if (alignment.kind === 'fifo')
        taskIds[step] = firstQueueGroup + (groupOf.get(sample) ?? -1) + 1;
    }
  }
  return { weights, taskIds };
}
