import type { EstimatorSpec, GroupEstimatorSpec, TrainingSpec } from '../config/experimentSpec';
import { gigpoAdvantages } from '../rl/gigpo';
import { groupAdvantages, type GroupAdvantages } from '../rl/groupAdvantages';
import { hierarchicalAdvantages } from '../rl/hierarchicalAdvantages';
import { rolloutAdvantages } from '../rl/rolloutStatistics';
import type { StepScores } from '../rl/stepScores';
import { turnReturnAdvantages } from '../rl/turnReturns';
import type { ScoredSteps, ScoringInputs } from './advantages';
import { alignSteps } from './alignment';
import { movingBaseline } from './movingBaselines';
import { ownRewards, type Steps } from './steps';

/** From scores to advantages, by the kind of the estimator. */

/** What a critic makes of the steps. */
export interface CriticEstimates {
  /** [S] */
  readonly advantages: Float64Array;
  readonly numNonFinite: number;
}

export interface Scoring {
  readonly steps: Steps;
  readonly scores: StepScores;
  readonly training: Pick<TrainingSpec, 'estimator' | 'groups'>;
  readonly inputs: ScoringInputs;
}

type Estimate = Pick<
  ScoredSteps,
  'weights' | 'advantages' | 'numNonFinite' | 'groups' | 'baselines'
>;

type Spec<K extends EstimatorSpec['kind']> = Extract<EstimatorSpec, { kind: K }>;

/** What most estimators leave as it is: every step counts once, and no baseline moves. */
function plain(
  { scores, inputs }: Scoring,
  { advantages, numNonFinite }: { advantages: Float64Array; numNonFinite: number },
  groups: GroupAdvantages | null,
): Estimate {
  const weights = new Float64Array(scores.rewards.length).fill(1);
  return { weights, advantages, numNonFinite, groups, baselines: inputs.baselines };
}

function byGroups(scoring: Scoring, spec: GroupEstimatorSpec): Estimate {
  const { steps, scores, training, inputs } = scoring;
  const { turns, trajectoryOf } = steps;
  const toAlign = { turns, trajectoryOf, scores };
  const { weights, taskIds } = alignSteps(toAlign, spec, training.groups.groupSize, inputs.key);
  // What counts once is left without weights: the same numbers, faster.
  const isPlain = weights.every((weight) => weight === 1);
  const aligned = isPlain ? { ...scores, taskIds } : { ...scores, taskIds, weights };
  const groups = groupAdvantages(aligned, spec);
  return { ...plain(scoring, groups, groups), weights };
}

/** A rollout's return is the outcome minus all its penalties; one without a step still counts in its task. */
function byRollouts(scoring: Scoring, spec: Spec<'rollout'>): Estimate {
  const { trajectories, teamRewards, trajectoryOf, stepCosts } = scoring.steps;
  const rewards = teamRewards.slice();
  for (const [step, trajectory] of trajectoryOf.entries()) rewards[trajectory]! -= stepCosts[step]!;
  const taskIds = Int32Array.from(trajectories, ({ task }) => task);
  const { advantages, rollouts } = rolloutAdvantages({ rewards, taskIds }, trajectoryOf, spec);
  const { groups, numNonFinite } = onSteps(rollouts, trajectoryOf, advantages);
  return plain(scoring, { advantages, numNonFinite }, groups);
}

/** Group statistics over rollouts, seen from the steps. */
function onSteps(
  rollouts: GroupAdvantages,
  trajectoryOf: Int32Array,
  advantages: Float64Array,
): { groups: GroupAdvantages; numNonFinite: number } {
  const ofSteps = <T extends GroupAdvantages['center']>(statistics: T): T => ({
    ...statistics,
    groupIndices: trajectoryOf.map((trajectory) => statistics.groupIndices[trajectory]!),
  });
  const { numNonFinite } = rollouts;
  const [center, scale] = [ofSteps(rollouts.center), ofSteps(rollouts.scale)];
  return { groups: { advantages, numNonFinite, center, scale }, numNonFinite };
}

/** The joint return: the team shares what each of its steps brought, and the outcome. */
function byTurns(scoring: Scoring, spec: Spec<'turnReturn'>): Estimate {
  const { steps, scores } = scoring;
  const { teamRewards, trajectoryOf } = steps;
  const sampleRewards = Float64Array.from(trajectoryOf, (trajectory) => teamRewards[trajectory]!);
  const joint = { ...steps, sampleOf: trajectoryOf, sampleRewards };
  const groups = turnReturnAdvantages(
    { ...scores, trajectoryIds: trajectoryOf, rewards: ownRewards(joint) },
    spec,
  );
  return plain(scoring, groups, groups);
}

function byAnchors(scoring: Scoring, spec: Spec<'gigpo'>): Estimate {
  const { steps, scores } = scoring;
  const anchors = Int32Array.from(steps.turns, ({ anchor }) => anchor);
  const result = gigpoAdvantages(
    { ...scores, rewards: ownRewards(steps), anchors },
    { ...spec, scope: spec.isPerAgent ? 'taskAgent' : 'task' },
  );
  return plain(scoring, result, result.episode);
}

function byHierarchy(scoring: Scoring): Estimate {
  const { turns, trajectoryOf } = scoring.steps;
  const isSub = Uint8Array.from(turns, ({ invocation }) => (invocation === null ? 0 : 1));
  const groups = hierarchicalAdvantages({ ...scoring.scores, isSub, episodeIds: trajectoryOf });
  return plain(scoring, groups, groups);
}

/** Throws an Error when an estimator with a critic got no estimates of it. */
export function estimate(scoring: Scoring): Estimate {
  const { estimator } = scoring.training;
  switch (estimator.kind) {
    case 'group':
      return byGroups(scoring, estimator);
    case 'rollout':
      return byRollouts(scoring, estimator);
    case 'turnReturn':
      return byTurns(scoring, estimator);
    case 'gigpo':
      return byAnchors(scoring, estimator);
    case 'hierarchical':
      return byHierarchy(scoring);
    case 'movingBaseline': {
      const moved = movingBaseline(scoring.scores, scoring.inputs.baselines, estimator);
      return { ...plain(scoring, moved, null), baselines: moved.baselines };
    }
    case 'gae':
    case 'vtrace': {
      const { critic } = scoring.inputs;
      if (critic === null) throw new Error(`The estimator ${estimator.kind} needs its critic.`);
      return plain(scoring, critic, null);
    }
  }
}
