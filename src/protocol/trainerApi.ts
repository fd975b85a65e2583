import type { ExperimentSpec } from '../config/experimentSpec';
import type { SteeringCommand } from '../config/interventionSchema';
import type { LoggedIntervention } from '../config/loggedIntervention';
import type { MetricRow } from '../metrics/catalog';
import type { PolicyInfo, PolicyUsage } from './policyApi';

/** The door between the page and the trainer worker: few coarse calls in, a stream of events out. */

export type TrainerPhase = 'preparing' | 'selfTest' | 'warmStart' | 'training';

export interface PolicyStatus extends PolicyInfo {
  readonly policyId: string;
  readonly numReplicas: number;
}

/** Host and wait time of one iteration's stages. Unit: ms of wall time. */
export interface StageTimes {
  readonly rolloutMs: number;
  readonly advantagesMs: number;
  /** Passes that measure gradients and teach nothing: the setting `diagnostics`. */
  readonly diagnosticsMs: number;
  readonly updateMs: number;
}

/** One agent's turn: in words, and with the numbers that the update saw. */
export interface TranscriptTurn {
  readonly agent: string;
  /** 0-based position in the episode. Leaves of a tree begin where another leaf left off. */
  readonly turnIndex: number;
  /** Which call of a sub-agent the turn belongs to, from 0; null for the main trajectory. */
  readonly invocation: number | null;
  /** [prompt length] without padding. */
  readonly promptTokens: readonly string[];
  /** [action length] padding included, as the agent may have written some. */
  readonly actionTokens: readonly string[];
  /** [action length] of the sampler, at the moment of writing. Unit: nats. */
  readonly rolloutLogprobs: readonly number[];
  /** The world could read the action. */
  readonly isValid: boolean;
  /** ≥ 0. Unit: reward. */
  readonly penalty: number;
  /** The step's score that its advantage compares: what its sample earned − its own cost. Unit: reward. */
  readonly reward: number;
  /** As the update multiplied it with the step's loss, failure tags applied. Unit: as the estimator scales it. */
  readonly advantage: number;
  /** False where the update left the step out: its agent is frozen, its group was dropped, or an alignment dropped it. */
  readonly isLearned: boolean;
}

/** What one turn has to do with the failure of its episode. */
interface TurnBlame {
  /** 0..1: what stays with the turn; sums to 1 over the episode. */
  readonly share: number;
  /** [prompt length] place among the episode's turns of the one that the token comes from; −1 for the task and the world. */
  readonly origins: readonly number[];
  /** [prompt length] 0..1: influence of the token on what the turn wrote, of that of the whole prompt. All 0 where it had none. */
  readonly influence: readonly number[];
  /** [prompt length] 0..1 of the failure: what the turn hands on through the token; 0 for the task's. */
  readonly handedOn: readonly number[];
}

/** Which turns the failure of an episode can be traced to; see `blame` in rl for the formula. */
export interface EpisodeBlame {
  readonly method: 'gradNorm' | 'occlusion';
  /** One a turn, in their order. */
  readonly turns: readonly TurnBlame[];
}

/** One episode of an iteration, as people read it. */
export interface Transcript {
  readonly arm: string;
  readonly seed: number;
  readonly iteration: number;
  /** Number of the task among those of the iteration, from 0. Every iteration draws its tasks anew. */
  readonly task: number;
  /**
   * The start of the task in words: all that decides how the episode can end, what is hidden from the agents first. Equal
   * for equal tasks, whenever and by whomever they are played.
   */
  readonly taskStart: string;
  /** Number of the rollout among those of its task, from 0. */
  readonly rollout: number;
  readonly turns: readonly TranscriptTurn[];
  /** Outcome shared by the team, without penalties. Unit: reward. */
  readonly teamReward: number;
  /** The outcome is 1. */
  readonly isSolved: boolean;
  /**
   * Agents whose gradient norm spiked in this iteration and that this episode was told for: it is of the group with the largest share
   * of the agent's Σ w·A², a proxy for the share of its gradient (`squareShares` in rl). Empty for episodes of the plain sample.
   */
  readonly spikingAgents: readonly string[];
  /**
   * Null where it was not measured: the setting is off or skips the iteration, the episode was solved, is a branch of a tree or was told
   * for a spike alone, or a gradient was not finite.
   */
  readonly blame: EpisodeBlame | null;
}

/**
 * All steps that one replica learned from in one iteration, in columns: what every group-relative estimator compares, and what came
 * of it. Axis S: agent steps, trajectory by trajectory, in the order of their turns.
 */
export interface GroupRecord {
  readonly arm: string;
  readonly seed: number;
  readonly iteration: number;
  /** Of the replica's world, in the order of `agentIds`. */
  readonly agents: readonly string[];
  /** [S] index into `agents`. */
  readonly agentIds: Uint8Array;
  /** [S] number of the task among those of the iteration, from 0. Steps of one task form a group. */
  readonly tasks: Uint16Array;
  /** [S] number of the rollout among those of its task, from 0. */
  readonly rollouts: Uint16Array;
  /** [S] 0-based position in the episode. */
  readonly turnIndices: Uint16Array;
  /** [S] which call of a sub-agent the turn belongs to, from 0; −1 for the main trajectory. */
  readonly invocations: Int16Array;
  /** [S] what the estimator compares: what the step's sample earned − the step's own cost. Unit: reward. */
  readonly scores: Float64Array;
  /** [S] as the update multiplied it with the step's loss, failure tags applied. Finite. Unit: as the estimator scales it. */
  readonly advantages: Float64Array;
  /** [S] how often the step counts after the alignment of sub-trajectories; null = every step once. */
  readonly weights: Float64Array | null;
  /** [S] 1 = the update learned from the step. */
  readonly isLearned: Uint8Array;
  /** Agents whose gradient norm spiked in this iteration. */
  readonly spikingAgents: readonly string[];
}

/** Whether two gradients lie further apart than chance would put them. */
export interface GradientConflict {
  /** When it was measured. */
  readonly iteration: number;
  /** Of the gradients of all the agents' turns, in one minibatch. */
  readonly cosine: number;
  /** 5 % quantile and median of the cosines between random halves of either agent's own turns. */
  readonly nullLow: number;
  readonly nullMedian: number;
  /** cosine < nullLow */
  readonly isConflict: boolean;
}

/** Two agents that share a policy, in the order of the world's agents. */
export interface GradientPair {
  readonly arm: string;
  readonly seed: number;
  readonly a: string;
  readonly b: string;
  /** Between their parts of the update's gradient, mean over its optimizer steps; null where one has no direction. */
  readonly updateCosine: number | null;
  /** Null in an iteration that is not measured, and where chance could not be (too few turns). */
  readonly conflict: GradientConflict | null;
}

/** Whether a command took effect, and when; or why not, in a sentence for people. */
export type Acknowledgement =
  | { readonly ok: true; readonly intervention: LoggedIntervention }
  | { readonly ok: false; readonly reason: string };

export type TrainerEvent =
  | {
      readonly kind: 'phase';
      readonly phase: TrainerPhase;
      readonly detail: string;
      readonly share: number | null;
    }
  | { readonly kind: 'policies'; readonly policies: readonly PolicyStatus[] }
  | {
      readonly kind: 'iteration';
      /** 0 = the state after the warm start, before any update. */
      readonly iteration: number;
      readonly rows: readonly MetricRow[];
      /** A sample of the episodes learned from, see `maxTranscripts` of the engine; and those behind spikes, see `maxSpikeEpisodes`. */
      readonly transcripts: readonly Transcript[];
      /**
       * One record a replica, in the order of the plan; of some replicas only where all would exceed `maxRecordBytes` of the engine. A
       * replica without a record was left out of this iteration. Empty in iteration 0.
       */
      readonly groups: readonly GroupRecord[];
      /** Of all replicas in which agents share a policy. */
      readonly gradientPairs: readonly GradientPair[];
      /** Sampled and trained tokens of this iteration, all replicas. */
      readonly tokens: number;
      readonly times: StageTimes;
    }
  /** After every iteration: what each policy has done since the start of the run. */
  | {
      readonly kind: 'throughput';
      readonly iteration: number;
      readonly policies: readonly (PolicyUsage & { readonly policyId: string })[];
    }
  /** Before the rollouts of its iteration: a setting has changed. */
  | { readonly kind: 'intervened'; readonly intervention: LoggedIntervention }
  /** Something the user should know that does not stop the run. */
  | { readonly kind: 'notice'; readonly message: string }
  | { readonly kind: 'paused'; readonly iteration: number }
  | {
      readonly kind: 'finished';
      readonly iteration: number;
      readonly reason: 'completed' | 'stopped';
    }
  | { readonly kind: 'failed'; readonly iteration: number; readonly message: string };

export type TrainerListener = (event: TrainerEvent) => void;

/** `pause`, `step`, `resume`, `stop` and `intervene` take effect before the next iteration begins. */
export interface TrainerApi {
  /** Resolves when the run has ended, however it ended; how is told by the last event. */
  start(spec: ExperimentSpec, listener: TrainerListener): Promise<void>;
  pause(): Promise<void>;
  /** Runs one iteration and pauses again. */
  step(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when the command has taken effect or was refused: at the start of the next iteration, or at the end of the run. */
  intervene(command: SteeringCommand): Promise<Acknowledgement>;
}
