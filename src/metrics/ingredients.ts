import type { MetricRow } from './catalog';
import type { SeriesPoints } from './runSeries';

/** What a worked example of a metric is made of. */

/**
 * What an arm and one of its agents were set to, as far as formulas of metrics need it. Null where there is no such setting,
 * or where the formula that needs it does not hold under the others.
 */
export interface RunFacts {
  /** P */
  readonly tasksPerIteration: number;
  /** G: rollouts of a task, or branches of a turn. */
  readonly groupSize: number;
  /** P·G trajectories an iteration; null where a tree decides how many. */
  readonly numTrajectories: number | null;
  /** Turn limits and turn counts add up over trajectories: false where branches of one trunk do. */
  readonly hasWholeEpisodes: boolean;
  readonly evaluationTasks: number;
  readonly warmStartLimit: number;
  readonly staleIterations: number;
  /** Optimizer steps an iteration, all epochs together. */
  readonly numOptimizerSteps: number;
  /** The clip looks at this agent's gradient alone and steps once an iteration; null where it does not, or is off. */
  readonly maxGradNorm: number | null;
  /** [1 − clipLow, 1 + clipHigh]; null for a loss without such a band. */
  readonly ratioBand: { readonly low: number; readonly high: number } | null;
  /** Weight of the k3 in the loss of every token; null where the penalty is another. */
  readonly refKlCoef: number | null;
  /** Plain GRPO: trajectories of a task, mean and std, every step once. Its convention of the variance; null for all else. */
  readonly grpoDdof: 0 | 1 | null;
  /** All steps of a trajectory earn the same but for penalties: Samuelson's bound holds. */
  readonly hasSharedReward: boolean;
  /** Every turn counts once, so that counts of turns are counts of advantages. */
  readonly isEachTurnOnce: boolean;
  readonly learningRate: number;
  /** 0..1: what the schedule leaves of it. */
  readonly learningRateShareAt: (iteration: number) => number;
  readonly tagScaleBounds: { readonly min: number; readonly max: number } | null;
  readonly sftSteps: number | null;
  readonly valueEpochs: number | null;
  readonly hasValueClip: boolean;
}

type Values = MetricRow['values'];

/** The numbers of one moment. */
export interface Ingredients {
  readonly value: number;
  readonly iteration: number;
  /** Of the same row. */
  readonly own: Values;
  /** The team's row of the same iteration; empty if there is none. */
  readonly team: Values;
  /** [agents] of the same iteration, the own one among them; empty if they are not logged. */
  readonly agents: readonly Values[];
  /** The metric's own line up to this moment, which is its last point. */
  readonly history: SeriesPoints;
  readonly facts: RunFacts;
}
