import type { Key } from '../rl/rng';

/** A request to an agent: read these tokens, write that many. */
export interface Call {
  /** Index into `WorkflowSpec.agents`. */
  readonly agent: number;
  /** 0-based position of the turn in its episode. */
  readonly turnIndex: number;
  /** [T] ids into the workflow's vocabulary. */
  readonly promptTokens: Int32Array;
  /** Tokens the agent has to write. */
  readonly actionLength: number;
  /** Hash of the state acted on: equal states of one task have equal anchors. */
  readonly anchor: number;
}

export interface WorkflowSpec {
  readonly agents: readonly string[];
  /** Printable tokens; ids are indices. Token 0 is padding and never part of a prompt or a valid action. */
  readonly vocabulary: readonly string[];
  readonly maxTurns: number;
  readonly maxPromptTokens: number;
  readonly maxActionTokens: number;
}

/** What an action did. */
export interface Outcome<State> {
  readonly state: State;
  /** The world could read the action. */
  readonly isValid: boolean;
  /** ≥ 0, subtracted from the score of this step only. */
  readonly penalty: number;
}

/**
 * The orchestration of a team on a task: pure, state in, state out.
 * `pending` may name several calls that can run in parallel; empty = the episode has ended.
 */
export interface Workflow<State = unknown> {
  readonly spec: WorkflowSpec;
  /** Same key, same task. `key` is not consumed elsewhere. */
  reset(key: Key): State;
  pending(state: State): readonly Call[];
  /** Throws RangeError when `call` is not pending or `actionTokens` has not `call.actionLength` entries. */
  apply(state: State, call: Call, actionTokens: Int32Array): Outcome<State>;
  /** Outcome reward shared by the team, without penalties. Only of an ended episode. */
  teamReward(state: State): number;
  /** What a scripted expert writes here; used for warm starts. Always valid. */
  demonstrate(state: State, call: Call): Int32Array;
}
