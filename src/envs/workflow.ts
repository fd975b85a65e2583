import type { Key } from '../rl/rng';
import type { Judgement } from './judgement';

/** A request to an agent: read these tokens, write that many. */
export interface Call {
  /** Index into `WorkflowSpec.agents`. */
  readonly agent: number;
  /** 0-based position of the turn in its episode. */
  readonly turnIndex: number;
  /** [T] ids into the workflow's vocabulary. */
  readonly promptTokens: Int32Array;
  /**
   * [T] where each token of the prompt comes from: the `turnIndex` of the earlier turn that wrote it, or by what it asked for caused it
   * (what a lookup returned, who is asked where an agent chose that); −1 for the task and the world. The last such turn, where
   * several had a hand in it. An absent message (NONE) is the world's.
   */
  readonly origins: Int32Array;
  /** Tokens the agent has to write. */
  readonly actionLength: number;
  /** Hash of the state acted on: equal states of one task have equal anchors. */
  readonly anchor: number;
  /**
   * Which of the agent's invocations in this episode the turn belongs to, from 0. Turns of an agent with the same number
   * are one sub-trajectory. Absent: the turn belongs to the main trajectory, as every turn of a world without `rewards`.
   */
  readonly invocation?: number;
}

/** One way in which a turn of one agent leads to a turn of an agent: what the page draws as an arrow. */
export interface Handover {
  /** Index into `WorkflowSpec.agents`: who took the turn. */
  readonly from: number;
  /** Index into `WorkflowSpec.agents`: who is asked because of it; the agent itself where it goes on alone. */
  readonly to: number;
  /** What is handed over, in one or two words. */
  readonly message: string;
}

export interface WorkflowSpec {
  readonly agents: readonly string[];
  /** Index of the agent that takes the first turn of every episode; it is asked alone. */
  readonly firstAgent: number;
  /** Every way in which a turn can lead to another with these options, each pair of agents once. */
  readonly handovers: readonly Handover[];
  /** Printable tokens; ids are indices. Token 0 is padding and never part of a prompt or a valid action. */
  readonly vocabulary: readonly string[];
  readonly maxTurns: number;
  readonly maxPromptTokens: number;
  readonly maxActionTokens: number;
  /** Longest `stateTokens`. */
  readonly maxStateTokens: number;
}

/** What an action did. */
export interface Outcome<State> {
  readonly state: State;
  /** The world could read the action. */
  readonly isValid: boolean;
  /** ≥ 0, subtracted from the score of this step only. */
  readonly penalty: number;
}

/** What one invocation of an agent earned; paid to each of its turns. */
interface InvocationReward {
  /** Index into `WorkflowSpec.agents`. */
  readonly agent: number;
  /** `Call.invocation` of its turns. */
  readonly invocation: number;
  /** Without penalties. */
  readonly reward: number;
}

/**
 * Rewards of an ended episode per trajectory: one main trajectory and d ≥ 0 invocations of sub-agents (M-GRPO, Hong et al.
 * 2025, arXiv 2511.13288, §3).
 */
export interface TrajectoryRewards {
  /** Paid to each turn without an invocation. Without penalties. */
  readonly main: number;
  /** [d] one entry for each invocation that took place, in the order of their numbers. */
  readonly invocations: readonly InvocationReward[];
}

/**
 * The orchestration of a team on a task: pure, state in, state out.
 * `pending` may name several calls that can run in parallel; empty = the episode has ended. Parallel calls have different
 * turn indices, stay pending as they are until each is applied, and may be applied in any order with the same result.
 */
export interface Workflow<State = unknown> {
  readonly spec: WorkflowSpec;
  /** Same key, same task. `key` is not consumed elsewhere. */
  reset(key: Key): State;
  pending(state: State): readonly Call[];
  /** Throws RangeError when `call` is not pending or `actionTokens` has not `call.actionLength` entries. */
  apply(state: State, call: Call, actionTokens: Int32Array): Outcome<State>;
  /** Outcome reward shared by the team, without penalties; 1 = solved. Only of an ended episode. */
  teamReward(state: State): number;
  /**
   * What each trajectory earned, for worlds in which they earn different rewards; the outcome stays `teamReward`. Absent:
   * every turn earns the team reward. Only of an ended episode.
   */
  rewards?(state: State): TrajectoryRewards;
  /**
   * A scripted oracle's view of an action in the state before it. Pure; changes neither rewards nor states. Throws as `apply` does.
   */
  judge(state: State, call: Call, actionTokens: Int32Array): Judgement;
  /**
   * [T] what a critic of the shared state reads before `call`: everything that decides how the episode can still end, first what is
   * hidden from the agents, last the prompt. Ids into the workflow's vocabulary, none of them padding. Throws as `demonstrate` does.
   */
  stateTokens(state: State, call: Call): Int32Array;
  /** What a scripted expert writes here; used for warm starts. Always valid. */
  demonstrate(state: State, call: Call): Int32Array;
}
