import type { TrainingSpec } from '../config/experimentSpec';
import type { GroupAdvantages } from '../rl/groupAdvantages';
import type { Key } from '../rl/rng';
import type { StepScores } from '../rl/stepScores';
import type { Baselines } from './baselines';
import { estimate, type CriticEstimates } from './estimate';
import type { Steps } from './steps';

/** One replica's steps with what they earned. Axis S. */
export interface ScoredSteps extends Steps {
  /** [S] how often the step counts after the alignment of sub-trajectories; 1 where there is none. */
  readonly weights: Float64Array;
  /** Score of each step: what its sample earned − its own cost. `trajectoryIds` number samples. */
  readonly scores: StepScores;
  /** [S] Always finite. */
  readonly advantages: Float64Array;
  /** Steps whose score is not finite: outside all statistics, advantage 0. */
  readonly numNonFinite: number;
  /** The groups behind the advantages; null where an estimator compares with no group. */
  readonly groups: GroupAdvantages | null;
  /** For the next iteration. */
  readonly baselines: Baselines;
}

/** What an estimator may need beside the steps. */
export interface ScoringInputs {
  /** Decides which invocations an alignment duplicates or drops; not used elsewhere. */
  readonly key: Key;
  /** As the last iteration left them. */
  readonly baselines: Baselines;
  /** Null for estimators without a critic. */
  readonly critic: CriticEstimates | null;
}

/** Advantages of one replica's rollouts under its own estimator, in float64. */
export function scoreSteps(
  steps: Steps,
  training: Pick<TrainingSpec, 'estimator' | 'groups'>,
  inputs: ScoringInputs,
): ScoredSteps {
  const { turns, trajectories, trajectoryOf, sampleOf, sampleRewards, stepCosts } = steps;
  const scores: StepScores = {
    rewards: sampleRewards.map((reward, step) => reward - stepCosts[step]!),
    taskIds: Int32Array.from(trajectoryOf, (trajectory) => trajectories[trajectory]!.task),
    trajectoryIds: sampleOf,
    agentIds: Int32Array.from(turns, ({ agent }) => agent),
    // Where all branches of a tree continue, only those from one state stand at the same place.
    turnIndices: Int32Array.from(turns, ({ siblings, turnIndex }) => siblings ?? turnIndex),
  };
  return { ...steps, scores, ...estimate({ steps, scores, training, inputs }) };
}
