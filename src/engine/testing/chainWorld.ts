import { assertAction, assertEnded, assertPending, createCall } from '../../envs/pendingCall';
import type { Call, Workflow } from '../../envs/workflow';
import { uniformInt } from '../../rl/rng';

/** Numbers of the chain, 0..chainModulus − 1. */
export const chainModulus = 6;
/** Agents, each with one turn. */
export const chainLength = 4;

/** Token ids; 0 is padding. */
const [firstValue, firstOperand] = [1, 1 + chainModulus];

interface ChainState {
  /** [chainLength] what each agent has to add. */
  readonly operands: readonly number[];
  /** What the first agent begins with. */
  readonly start: number;
  /** [turns taken] tokens written. */
  readonly written: readonly number[];
  readonly calls: readonly Call[];
}

/** The state that waits for the next agent, or the end. */
function ask(state: Omit<ChainState, 'calls'>): ChainState {
  const { operands, start, written } = state;
  const turnIndex = written.length;
  if (turnIndex === chainLength) return { ...state, calls: [] };
  const call = createCall({
    agent: turnIndex,
    turnIndex,
    promptTokens: Int32Array.of(
      firstOperand + operands[turnIndex]!,
      written.at(-1) ?? firstValue + start,
    ),
    origins: Int32Array.of(-1, turnIndex - 1),
    actionLength: 1,
  });
  return { ...state, calls: [call] };
}

/** What an agent that read this should write. */
function sumOf([operand = 0, message = 0]: Int32Array): number {
  return firstValue + ((operand - firstOperand + (message - firstValue)) % chainModulus);
}

/**
 * A chain of agents for the miniature of blame: agent i reads its operand and what agent i − 1 wrote (the first a number of the task), and
 * writes their sum modulo `chainModulus`. The team is paid 1 for the right last sum, else 0. Every agent's arithmetic can lose the
 * reward, and nobody but the last is seen by it.
 *
 * | | |
 * |---|---|
 * | prompt | int32 [2]: OPERAND_a, VALUE_m; origins: the task, the turn before |
 * | action | 1 token; anything but a value is not readable, and so wrong for all that follow |
 */
export function createChain(): Workflow<ChainState> {
  return {
    spec: {
      agents: Array.from({ length: chainLength }, (_, agent) => `adder${agent}`),
      firstAgent: 0,
      handovers: [],
      vocabulary: ['PAD', ...tokenNames('VALUE'), ...tokenNames('OPERAND')],
      maxTurns: chainLength,
      maxPromptTokens: 2,
      maxActionTokens: 1,
      maxStateTokens: 2,
    },
    reset: (key) =>
      ask({
        operands: Array.from({ length: chainLength }, (_, i) => uniformInt(key, i, chainModulus)),
        start: uniformInt(key, chainLength, chainModulus),
        written: [],
      }),
    pending: ({ calls }) => calls,
    apply: ({ operands, start, written, calls }, call, actionTokens) => {
      assertAction(calls, call, actionTokens);
      const token = actionTokens[0]!;
      const isValid = token >= firstValue && token < firstOperand;
      const value = isValid ? token : firstValue;
      return { state: ask({ operands, start, written: [...written, value] }), isValid, penalty: 0 };
    },
    teamReward: ({ operands, start, written, calls }) => {
      assertEnded(calls);
      const right = operands.reduce((sum, operand) => sum + operand, start) % chainModulus;
      return written.at(-1) === firstValue + right ? 1 : 0;
    },
    judge: (_state, call, actionTokens) =>
      actionTokens[0] === sumOf(call.promptTokens)
        ? { tag: 'pass', localReward: 1 }
        : { tag: 'wrongContent', localReward: 0 },
    stateTokens: ({ calls }, call) => {
      assertPending(calls, call);
      return call.promptTokens.slice();
    },
    demonstrate: ({ calls }, call) => {
      assertPending(calls, call);
      return Int32Array.of(sumOf(call.promptTokens));
    },
  };
}

function tokenNames(kind: string): string[] {
  return Array.from({ length: chainModulus }, (_, value) => `${kind}_${value}`);
}
