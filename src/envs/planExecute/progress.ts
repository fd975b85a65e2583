import type { PlanExecuteTask } from './task';

/** A sub-task at work: one sub-call of the plan. */
export interface Invocation {
  /** Place in the plan, 0..numSlots − 1. */
  readonly slot: number;
  /** The KEY token that the planner asks about. */
  readonly keyToken: number;
  /** The KEY token of the last lookup; NONE before the first. */
  readonly queryToken: number;
  /** The VALUE token that the last lookup returned; NONE before the first. */
  readonly foundToken: number;
  /** Turns taken so far. */
  readonly numTurns: number;
  /** Place in the episode of the last of them; −1 before the first. */
  readonly lastTurn: number;
  /** The reported VALUE token; `failed` = unreadable, or out of turns without a report. */
  readonly report: number | 'awaited' | 'failed';
}

export interface Progress {
  readonly task: PlanExecuteTask;
  /** [d] in the order of their slots; none before the plan is read. */
  readonly invocations: readonly Invocation[];
  /** Turns taken so far. */
  readonly turnIndex: number;
}
