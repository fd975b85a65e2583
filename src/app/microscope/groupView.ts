import type { TrainingSpec } from '../../config/experimentSpec';
import type { GroupRecord } from '../../protocol/trainerApi';
import { groupAdvantages } from '../../rl/groupAdvantages';
import { groupIndices, type GroupIndices } from '../../rl/groupIndices';
import { groupMoments } from '../../rl/groupMoments';
import { agentRewardDiagnostics } from '../../rl/inflation';
import { taskGroups, trajectoryScores, type StepScores } from '../../rl/stepScores';
import {
  conventionsOf,
  normalizerInUse,
  normalizersUnder,
  type Conventions,
  type NormalizerId,
} from './normalizers';

/** One group under the microscope: its scores, their statistics, and what each normalizer makes of them. Axis S: steps of the group. */
export interface GroupView {
  readonly task: number;
  /** [S] */
  readonly steps: readonly StepView[];
  readonly rollouts: readonly RolloutView[];
  /** Over trajectories, and over steps. Unit: reward. */
  readonly trajectory: Moments;
  readonly step: Moments;
  /** Of the world, also those that did not act. */
  readonly agents: readonly AgentView[];
  /** The normalizers, and the advantages in use where they are none of these. */
  readonly columns: readonly AdvantageColumn[];
  readonly conventions: Conventions;
}

interface StepView {
  readonly rollout: number;
  readonly turnIndex: number;
  readonly agent: string;
  readonly score: number;
  /** How often it counts. */
  readonly weight: number;
  readonly isLearned: boolean;
}

interface RolloutView {
  readonly rollout: number;
  /** [agents] × [steps of the agent] scores in the order of the turns. */
  readonly scores: readonly (readonly number[])[];
}

/** Std as the conventions say. NaN without a finite score. */
export interface Moments {
  readonly numSamples: number;
  readonly mean: number;
  readonly std: number;
}

/** μₖ, σₖ and nₖ over the agent's steps, and the second moments. */
export interface AgentView extends Moments {
  readonly agent: string;
  /** (σₖ² + (μₖ − μ)²)/σ² (Dr. MAS, Lemma 4.2), population stds; NaN where the group or the agent has nothing to predict from. */
  readonly predicted: number;
  /** [columns] Σ w·A²/Σ w over the agent's steps; NaN where it did not act. */
  readonly secondMoments: readonly number[];
  /** Σ w·A²/Σ w of the advantages in use. */
  readonly secondMomentInUse: number;
}

export interface AdvantageColumn {
  readonly id: NormalizerId | 'inUse';
  readonly label: string;
  readonly formula: string;
  /** The arm learns with it. */
  readonly isInUse: boolean;
  /** [S] */
  readonly advantages: Float64Array;
}

/** The group's steps as estimators take them; every main trajectory and every invocation is one sample, as in the engine. */
function scoresOf(record: GroupRecord, steps: readonly number[]): StepScores {
  const numbers = new Map<string, number>();
  const samples = steps.map((step) => {
    const invocation = record.invocations[step]!;
    const rollout = record.rollouts[step]!;
    const key =
      invocation < 0 ? `${rollout}` : `${rollout} ${record.agentIds[step]!} ${invocation}`;
    const sample = numbers.get(key) ?? numbers.size;
    numbers.set(key, sample);
    return sample;
  });
  const { weights } = record;
  return {
    rewards: Float64Array.from(steps, (step) => record.scores[step]!),
    taskIds: new Int32Array(steps.length),
    trajectoryIds: Int32Array.from(samples),
    agentIds: Int32Array.from(steps, (step) => record.agentIds[step]!),
    ...(weights && { weights: Float64Array.from(steps, (step) => weights[step]!) }),
  };
}

function momentsAt(
  values: Float64Array,
  groups: GroupIndices,
  ddof: 0 | 1,
  weights: Float64Array | null,
): (group: number) => Moments {
  const { means, stds, numSamples } = groupMoments(values, groups, ddof, weights);
  return (group) => ({
    numSamples: numSamples[group] ?? 0,
    mean: means[group] ?? NaN,
    std: stds[group] ?? NaN,
  });
}

function secondMoment(
  advantages: Float64Array,
  { agentIds, weights }: StepScores,
  agent: number,
): number {
  let [squares, total] = [0, 0];
  for (const [step, advantage] of advantages.entries()) {
    if (agentIds[step] !== agent) continue;
    const weight = weights?.[step] ?? 1;
    squares += weight * advantage * advantage;
    total += weight;
  }
  return squares / total;
}

function columnsOf(
  scores: StepScores,
  inUse: Float64Array,
  training: Pick<TrainingSpec, 'estimator' | 'failureTags'>,
): AdvantageColumn[] {
  const used = normalizerInUse(training);
  const columns = normalizersUnder(conventionsOf(training.estimator)).map(
    ({ id, label, formula, options }): AdvantageColumn => ({
      id,
      label,
      formula,
      isInUse: id === used,
      advantages: groupAdvantages(scores, options).advantages,
    }),
  );
  if (used !== null) return columns;
  return [
    ...columns,
    {
      id: 'inUse',
      label: 'In use',
      formula: 'the advantages that the update saw, of an estimator that is none of these',
      isInUse: true,
      advantages: inUse,
    },
  ];
}

function agentViews(
  record: GroupRecord,
  scores: StepScores,
  columns: readonly AdvantageColumn[],
  inUse: { readonly advantages: Float64Array; readonly conventions: Conventions },
): AgentView[] {
  const { ddof, minStd } = inUse.conventions;
  const ofAgents = groupIndices(scores.agentIds);
  const moments = momentsAt(scores.rewards, ofAgents, ddof, scores.weights ?? null);
  const predictions = agentRewardDiagnostics(scores, record.agents.length, minStd);
  return record.agents.map((agent, index) => {
    const first = scores.agentIds.indexOf(index);
    return {
      agent,
      ...moments(first < 0 ? -1 : ofAgents.indices[first]!),
      predicted: predictions[index]!.predicted,
      secondMoments: columns.map(({ advantages }) => secondMoment(advantages, scores, index)),
      secondMomentInUse: secondMoment(inUse.advantages, scores, index),
    };
  });
}

function rolloutViews(record: GroupRecord, steps: readonly number[]): RolloutView[] {
  const rollouts = new Map<number, number[][]>();
  for (const step of steps) {
    const rollout = record.rollouts[step]!;
    const scores = rollouts.get(rollout) ?? record.agents.map((): number[] => []);
    scores[record.agentIds[step]!]!.push(record.scores[step]!);
    rollouts.set(rollout, scores);
  }
  return [...rollouts].map(([rollout, scores]) => ({ rollout, scores }));
}

/** Numbers of the tasks that the record has steps of, increasing. */
export function tasksOf({ tasks }: GroupRecord): number[] {
  return [...new Set(tasks)].toSorted((a, b) => a - b);
}

/** Null where the record has no step of the task. */
export function groupView(
  record: GroupRecord,
  task: number,
  training: Pick<TrainingSpec, 'estimator' | 'failureTags'>,
): GroupView | null {
  const steps = [...record.tasks.keys()].filter((step) => record.tasks[step] === task);
  if (steps.length === 0) return null;
  const conventions = conventionsOf(training.estimator);
  const scores = scoresOf(record, steps);
  const weights = scores.weights ?? null;
  const inUse = Float64Array.from(steps, (step) => record.advantages[step]!);
  const columns = columnsOf(scores, inUse, training);
  const samples = trajectoryScores(scores, taskGroups(scores), false);
  const ofTrajectories = momentsAt(
    samples.values,
    samples.groups,
    conventions.ddof,
    samples.weights,
  );
  return {
    task,
    steps: steps.map((step) => ({
      rollout: record.rollouts[step]!,
      turnIndex: record.turnIndices[step]!,
      agent: record.agents[record.agentIds[step]!]!,
      score: record.scores[step]!,
      weight: record.weights?.[step] ?? 1,
      isLearned: record.isLearned[step] === 1,
    })),
    rollouts: rolloutViews(record, steps),
    trajectory: ofTrajectories(0),
    step: momentsAt(scores.rewards, taskGroups(scores), conventions.ddof, weights)(0),
    agents: agentViews(record, scores, columns, { advantages: inUse, conventions }),
    columns,
    conventions,
  };
}
