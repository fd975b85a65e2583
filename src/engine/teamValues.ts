import type { MetricKey } from '../metrics/catalog';
import type { CriticUpdateStats } from '../protocol/criticApi';
import type { ScoredSteps } from './advantages';
import type { ReplicaPlan } from './cohorts';
import { isSolved, type Trajectory } from './experience';
import { keptTrajectories } from './itemsToLearn';

/** What is logged once per iteration of a team. */

type Values = Partial<Record<MetricKey, number>>;

/** What a critic did in an iteration. */
export interface CriticObservation {
  /** NaN where all targets are equal. */
  readonly explainedVariance: number;
  readonly update: CriticUpdateStats;
}

export interface TeamObservation {
  readonly plan: ReplicaPlan;
  readonly iteration: number;
  readonly scored: ScoredSteps;
  /** Null without a critic. */
  readonly critic: CriticObservation | null;
  /** Supervised steps after the update. */
  readonly pulseSteps: number;
  /** Cumulative, this iteration included. */
  readonly tokenCount: number;
}

function criticValues(critic: CriticObservation | null): Values {
  if (critic === null) return {};
  const { explainedVariance, update } = critic;
  const { valueLoss, gradNorm, updateSkipped } = update;
  const values = { valueLoss, valueGradNorm: gradNorm, valueUpdateSkipped: updateSkipped };
  return Number.isNaN(explainedVariance) ? values : { ...values, explainedVariance };
}

/** What is logged only where the setting that it speaks of is in use. */
function optionalValues({ plan, iteration, scored, pulseSteps }: TeamObservation): Values {
  const { loss, groups, pulses } = plan.training;
  const values: Values = {};
  if (pulses.kind !== 'none') values.pulseSteps = pulseSteps;
  // The first batches of a pipeline all come from the policy that the run starts with.
  if (groups.staleIterations > 0)
    values.policyAge = Math.min(groups.staleIterations, iteration - 1);
  if (loss.dynamicSampling) {
    const kept = keptTrajectories(plan, scored);
    const tasks = new Set(scored.trajectories.map(({ task }) => task));
    const learned = scored.trajectories.filter((_, index) => kept[index] === 1);
    values.keptTaskFraction = new Set(learned.map(({ task }) => task)).size / tasks.size;
  }
  return values;
}

/** Turns of the whole episode: a trajectory of a tree may hold the last ones only. */
function lengthOf({ turns }: Trajectory): number {
  return turns.reduce((length, { turnIndex }) => Math.max(length, turnIndex + 1), 0);
}

export function teamValues(observation: TeamObservation): Values {
  const { scored, critic, tokenCount } = observation;
  const { trajectories } = scored;
  const count = trajectories.length;
  const sum = (of: (trajectory: Trajectory) => number): number =>
    trajectories.reduce((total, trajectory) => total + of(trajectory), 0);
  const penalties = sum(({ turns }) => turns.reduce((total, turn) => total + turn.penalty, 0));
  return {
    success: sum((episode) => (isSolved(episode) ? 1 : 0)) / count,
    teamReward: (sum(({ teamReward }) => teamReward) - penalties) / count,
    episodeTurns: sum(lengthOf) / count,
    nonFiniteRewards: scored.numNonFinite,
    tokenCount,
    ...criticValues(critic),
    ...optionalValues(observation),
  };
}
