import { assertAgentIds } from './groupFractions';
import { groupMoments, type GroupMoments } from './groupMoments';
import {
  assertStepScores,
  taskAgentGroups,
  taskGroups,
  trajectoryScores,
  type StepScores,
} from './stepScores';

/**
 * Second moment of one agent's advantages under global normalization: (σₖ² + (μₖ − μ)²)/σ².
 * Dr. MAS (arXiv 2602.08847) Lemma 4.2. Agent-wise normalization gives 1. Unit of all four: reward.
 * `taskStd` 0 gives Infinity, or NaN where the agent has no spread either.
 */
export function predictedInflation(
  agentMean: number,
  agentStd: number,
  taskMean: number,
  taskStd: number,
): number {
  const gap = agentMean - taskMean;
  return (agentStd * agentStd + gap * gap) / (taskStd * taskStd);
}

/**
 * Largest value the factor can take with one shared reward per trajectory: N − 1 for N trajectories.
 * Samuelson 1968: |x − mean| ≤ σ√(N − 1) with the population σ. Attained by one success among N.
 */
export function inflationBound(groupSize: number): number {
  return groupSize - 1;
}

/**
 * The factor for rewards 0 and 1, from success rates alone: μₖ(1 − μ)/μ + (1 − μₖ)μ/(1 − μ).
 * `predictedInflation` with σ² = μ(1 − μ) and σₖ² = μₖ(1 − μₖ). Rates in 0..1; NaN or Infinity at μ = 0 and μ = 1.
 */
export function binaryInflation(agentMean: number, taskMean: number): number {
  return (agentMean * (1 - taskMean)) / taskMean + ((1 - agentMean) * taskMean) / (1 - taskMean);
}

/** One agent's rewards over a batch, beside what global normalization would make of them. */
export interface AgentRewardDiagnostics {
  /** nₖ: all steps of the agent, also those whose score is not finite. */
  readonly numSteps: number;
  /** μₖ: mean score over the agent's steps. Unit: reward. NaN without a finite score. */
  readonly rewardMean: number;
  /** σₖ: population std of the score within a task, step-weighted mean over tasks. Unit: reward. NaN without a finite score. */
  readonly rewardStd: number;
  /** Step-weighted mean over tasks of the factor of Lemma 4.2. NaN if no task has spread. */
  readonly predicted: number;
  /**
   * Mean of A² over all the agent's steps that vanilla GRPO would give: the factor in tasks with spread, 0 in the others, whose
   * advantages are 0. NaN without a finite score.
   */
  readonly predictedSecondMoment: number;
  /** Step-weighted mean over tasks with spread of μₖ − μ. Unit: reward. NaN if no task has spread. */
  readonly meanGap: number;
  /** Step-weighted mean over tasks with spread of σₖ²/σ². NaN if no task has spread. */
  readonly varianceRatio: number;
  /** Largest factor over tasks. NaN if no task has spread. */
  readonly predictedMax: number;
}

/**
 * Reward statistics of every agent and the inflation they predict (Dr. MAS, Lemma 4.2). [numAgents]
 * The factor takes what vanilla GRPO normalizes: a step stands for the mean score of its trajectory, the task's μ and σ count each
 * trajectory once, σ is the population std. So it equals the mean of A² under that estimator with ε = 0 also where steps pay penalties,
 * and `inflationBound` holds. Tasks with σ = 0 or σ < minStd are left out; so are scores that are not finite.
 * Throws a RangeError on arrays of unequal length, an agent id outside 0 … numAgents − 1, or a trajectory in two tasks.
 */
export function agentRewardDiagnostics(
  scores: StepScores,
  numAgents: number,
  minStd: number,
): AgentRewardDiagnostics[] {
  assertStepScores(scores);
  assertAgentIds(scores.agentIds, numAgents);
  const tasks = taskGroups(scores);
  const pairs = taskAgentGroups(scores);
  const trajectories = trajectoryScores(scores, tasks, false);
  const statistics: DiagnosticMoments = {
    task: groupMoments(trajectories.values, trajectories.groups, 0),
    pairTrajectory: groupMoments(trajectories.stepValues, pairs, 0),
    pairStep: groupMoments(scores.rewards, pairs, 0),
  };
  const sums = Array.from({ length: numAgents }, emptySums);
  let numSeen = 0;
  for (let step = 0; step < scores.rewards.length; step++) {
    const agent = sums[scores.agentIds[step]!]!;
    agent.numSteps++;
    // Pairs are numbered by first appearance: a new one has the next number.
    if (pairs.indices[step] !== numSeen) continue;
    addPair(agent, statistics, { task: tasks.indices[step]!, pair: numSeen, minStd });
    numSeen++;
  }
  return sums.map(toDiagnostics);
}

interface DiagnosticMoments {
  /** [tasks] over trajectories */
  readonly task: GroupMoments;
  /** [task × agent] over the agent's steps, each standing for its trajectory's mean */
  readonly pairTrajectory: GroupMoments;
  /** [task × agent] over the agent's own scores */
  readonly pairStep: GroupMoments;
}

interface Sums {
  numSteps: number;
  numFinite: number;
  reward: number;
  std: number;
  numPredicted: number;
  predicted: number;
  gap: number;
  ratio: number;
  predictedMax: number;
}

function emptySums(): Sums {
  return {
    numSteps: 0,
    numFinite: 0,
    reward: 0,
    std: 0,
    numPredicted: 0,
    predicted: 0,
    gap: 0,
    ratio: 0,
    predictedMax: NaN,
  };
}

/** Adds one task's statistics of an agent to its `sums`, in place. */
function addPair(
  sums: Sums,
  { task, pairTrajectory, pairStep }: DiagnosticMoments,
  at: { readonly task: number; readonly pair: number; readonly minStd: number },
): void {
  const count = pairStep.numSamples[at.pair]!;
  if (count === 0) return;
  sums.numFinite += count;
  sums.reward += count * pairStep.means[at.pair]!;
  sums.std += count * pairStep.stds[at.pair]!;
  const taskStd = task.stds[at.task]!;
  if (taskStd === 0 || taskStd < at.minStd) return;
  const factor = predictedInflation(
    pairTrajectory.means[at.pair]!,
    pairTrajectory.stds[at.pair]!,
    task.means[at.task]!,
    taskStd,
  );
  sums.numPredicted += count;
  sums.predicted += count * factor;
  sums.gap += count * (pairTrajectory.means[at.pair]! - task.means[at.task]!);
  sums.ratio += count * (pairTrajectory.stds[at.pair]! / taskStd) ** 2;
  sums.predictedMax = Number.isNaN(sums.predictedMax)
    ? factor
    : Math.max(sums.predictedMax, factor);
}

/** A mean over no steps is 0/0 = NaN, which is what the fields promise. */
function toDiagnostics(sums: Sums): AgentRewardDiagnostics {
  return {
    numSteps: sums.numSteps,
    rewardMean: sums.reward / sums.numFinite,
    rewardStd: sums.std / sums.numFinite,
    predicted: sums.predicted / sums.numPredicted,
    predictedSecondMoment: sums.predicted / sums.numFinite,
    meanGap: sums.gap / sums.numPredicted,
    varianceRatio: sums.ratio / sums.numPredicted,
    predictedMax: sums.predictedMax,
  };
}
