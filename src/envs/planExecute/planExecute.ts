import { assertOption, maxTableSize } from '../optionRange';
import { assertAction, assertEnded, assertPending, createCall } from '../pendingCall';
import type { Call, Handover, Outcome, TrajectoryRewards, Workflow } from '../workflow';
import { judgeAnswer, judgePlan, judgeToolTurn } from './oracle';
import type { Invocation, Progress } from './progress';
import { invocationReward, mainReward } from './rewards';
import { drawTask, isRightAnswer, valueOf, type PlanExecuteTask } from './task';
import { hiddenTokens, numHiddenTokens } from './sharedState';
import { createPlanVocabulary, type PlanVocabulary } from './vocabulary';

export interface PlanExecuteOptions {
  /** Slots of a task, tokens of a plan and of an answer. */
  readonly numSlots: number;
  /** Hidden slots of a task and sub-calls of a plan, at most; 1..numSlots. M-GRPO's d_max. */
  readonly maxSubtasks: number;
  /** Turns of one sub-task, at least 2: look up, report. */
  readonly toolTurns: number;
  /** Number of keys of the hidden table. */
  readonly numKeys: number;
  /** Number of different values. */
  readonly numValues: number;
  /** The planner does the tool turns itself; the executor is never called. */
  readonly singleAgent: boolean;
  /** ≥ 0, subtracted from the score of a step whose action the world could not read. */
  readonly invalidPenalty: number;
}

interface PlanExecuteState extends Progress {
  readonly kind: 'planExecute';
  readonly phase: 'plan' | 'tool' | 'answer' | 'ended';
  /** What is left of the calls that were asked for together; none when the episode has ended. */
  readonly calls: readonly Call[];
  /** Whether plan and answer could be read. False until the episode has ended. */
  readonly isWellFormed: boolean;
  /** Whether the answer is right. False until the episode has ended. */
  readonly isCorrect: boolean;
}

type State = PlanExecuteState;

interface Rules {
  readonly options: PlanExecuteOptions;
  readonly ids: PlanVocabulary;
}

const agents = ['planner', 'executor'] as const;
const agentIndex: Readonly<Record<(typeof agents)[number], number>> = { planner: 0, executor: 1 };

/**
 * Plan, execute: a planner hands the hidden parts of a task to an executor, as many calls as it likes, and puts the reports
 * together. A miniature of the main agent with variably many sub-agent trajectories of M-GRPO (Hong et al. 2025, arXiv
 * 2511.13288).
 *
 * | | |
 * |---|---|
 * | task | numSlots slots; k of them hidden, k uniform on 0..maxSubtasks, places uniform. A hidden slot names a uniform key |
 * | table | one hidden uniform value for each key, drawn anew for each task |
 * | right answer | the value of every slot: as shown if known, else from the table. With k = 0 it can be copied at once |
 * | planner reads | int32 [2 + numSlots]: role, PLAN or ANSWER, then for each slot its VALUE or KEY |
 * | plan | numSlots tokens: KEY_i = a sub-call about key i for this slot, SKIP = none. d = number of sub-calls. Another token, or d > maxSubtasks: invalid, ends |
 * | sub-calls | the d executors work in parallel, a turn each; the next turns are asked for when all of them are taken |
 * | executor reads | int32 [6]: role, TOOL, KEY asked about, KEY last looked up or NONE, VALUE returned or NONE, TURN_t (t = turns of this call) |
 * | origins | reports and NULL: the last turn of their sub-call; tool turns: role, TOOL and the KEY asked about: the plan, KEY looked up and VALUE returned: the lookup; all else: the task and the world |
 * | tool turn | 1 token. KEY_i: looks up key i. VALUE_v: reports v, done. Another token: invalid, the call has failed. No report in toolTurns turns: failed |
 * | return | when all calls are done, their reports take the places of their slots, also of known ones; NULL where a call failed |
 * | answer | numSlots tokens and ends the episode. Not all values: invalid, and not right |
 * | team reward | 1 if the answer is right, else 0 |
 * | main reward | R_M of `mainReward`; format = plan and answer could be read |
 * | reward of a sub-call | R_S of `invocationReward`; format = it ended with a report |
 * | oracle | in place of the paper's judge, a script: 1 if the reported value is the one of the key asked about, else 0. It judges the sub-task as the planner put it, so a right report on a useless question counts |
 * | penalty | invalidPenalty for an invalid action, charged to its step |
 * | oracle of turns | see `oracle.ts` |
 * | shared state | see `sharedState.ts` |
 *
 * Plans can have too many sub-calls only if maxSubtasks < numSlots.
 *
 * With `singleAgent` the planner takes the tool turns, one sub-task after the other, on the same prompts with its own role.
 * All turns are then its main trajectory: there are no invocations, and an invalid tool turn ends the episode as any
 * invalid action of the planner does. The executor stays in the team without a turn, so that both cases are settings of
 * one experiment.
 *
 * The expert sees no more than the prompts: it plans a sub-call for each hidden slot, looks the key up, reports what came
 * back, and copies; what it cannot know it guesses as VALUE_0.
 * Throws RangeError for options outside their range.
 */
export function createPlanExecute(options: PlanExecuteOptions): Workflow<State> {
  assertOptions(options);
  const ids = createPlanVocabulary(options);
  const rules: Rules = { options, ids };
  return {
    spec: {
      agents,
      firstAgent: agentIndex.planner,
      handovers: handoversOf(options),
      vocabulary: ids.tokens,
      maxTurns: 2 + options.maxSubtasks * options.toolTurns,
      maxPromptTokens: Math.max(toolPromptTokens, 2 + options.numSlots),
      maxActionTokens: options.numSlots,
      maxStateTokens: numHiddenTokens(options) + Math.max(toolPromptTokens, 2 + options.numSlots),
    },
    reset: (key) =>
      askPlanner(rules, 'plan', {
        task: drawTask(options, ids, key),
        invocations: [],
        turnIndex: 0,
      }),
    pending: (state) => state.calls,
    apply: (state, call, actionTokens) => {
      assertAction(state.calls, call, actionTokens);
      if (state.phase === 'plan') return applyPlan(rules, state, actionTokens);
      if (state.phase === 'tool') return applyTool(rules, state, call, actionTokens);
      return applyAnswer(rules, state, actionTokens);
    },
    teamReward: (state) => {
      assertEnded(state.calls);
      return state.isCorrect ? 1 : 0;
    },
    rewards: (state) => {
      assertEnded(state.calls);
      return rewardsOf(rules, state);
    },
    judge: (state, call, actionTokens) => {
      assertAction(state.calls, call, actionTokens);
      if (state.phase === 'plan')
        return judgePlan(ids, state.task, options.maxSubtasks, actionTokens);
      if (state.phase === 'answer') return judgeAnswer(ids, state.task, actionTokens);
      const invocation = state.invocations[invocationOf(state, call)]!;
      return judgeToolTurn(
        ids,
        state.task,
        { invocation, toolTurns: options.toolTurns },
        actionTokens,
      );
    },
    stateTokens: (state, call) => {
      assertPending(state.calls, call);
      // Plan and answer work on no sub-call: there is none yet, or none is open.
      const atWork = state.invocations[invocationOf(state, call)];
      return Int32Array.of(...hiddenTokens(ids, state, atWork), ...call.promptTokens);
    },
    demonstrate: (state, call) => {
      assertPending(state.calls, call);
      return demonstrate(rules, state, call);
    },
  };
}

/** Whether a value is a state of this world (of any options). */
export function isPlanExecuteState(value: unknown): value is PlanExecuteState {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'planExecute'
  );
}

function assertOptions(options: PlanExecuteOptions): void {
  const { numSlots, maxSubtasks, toolTurns, numKeys, numValues, invalidPenalty } = options;
  const size = { min: 1, max: maxTableSize, isInteger: true };
  assertOption('numSlots', numSlots, size);
  assertOption('maxSubtasks', maxSubtasks, { ...size, max: numSlots });
  assertOption('toolTurns', toolTurns, { ...size, min: 2 });
  assertOption('numKeys', numKeys, size);
  assertOption('numValues', numValues, size);
  const anyCost = { min: 0, max: Number.MAX_VALUE, isInteger: false };
  assertOption('invalidPenalty', invalidPenalty, anyCost);
}

function handoversOf({ singleAgent }: PlanExecuteOptions): readonly Handover[] {
  const { planner, executor } = agentIndex;
  const alone = { from: planner, to: planner, message: 'goes on alone' };
  if (singleAgent) return [alone];
  return [
    { from: planner, to: executor, message: 'sub-calls' },
    { from: executor, to: executor, message: 'looks up' },
    { from: executor, to: planner, message: 'reports' },
    alone,
  ];
}

/** The planner plans first. */
const planTurn = 0;

/** Tokens that a tool turn reads. */
const toolPromptTokens = 6;

function askPlanner({ options, ids }: Rules, phase: 'plan' | 'answer', progress: Progress): State {
  const { task, invocations, turnIndex } = progress;
  const promptTokens = new Int32Array(2 + options.numSlots);
  promptTokens[0] = ids.firstRole + agentIndex.planner;
  promptTokens[1] = phase === 'plan' ? ids.plan : ids.answer;
  promptTokens.set(task.slotTokens, 2);
  const origins = new Int32Array(promptTokens.length).fill(-1);
  for (const { slot, report, lastTurn } of invocations) {
    promptTokens[2 + slot] = typeof report === 'number' ? report : ids.null;
    origins[2 + slot] = lastTurn;
  }
  const agent = agentIndex.planner;
  const actionLength = options.numSlots;
  const call = createCall({ agent, turnIndex, promptTokens, origins, actionLength });
  return waiting(phase, progress, [call]);
}

/** The state that waits for the next turn of every unfinished sub-task, or for the answer if there is none. */
function askTools(rules: Rules, progress: Progress): State {
  const { singleAgent } = rules.options;
  const open = [...progress.invocations.entries()].filter(([, { report }]) => report === 'awaited');
  if (open.length === 0) return askPlanner(rules, 'answer', progress);
  const agent = singleAgent ? agentIndex.planner : agentIndex.executor;
  const asked = singleAgent ? open.slice(0, 1) : open;
  const calls = asked.map(([index, invocation], position) =>
    createCall({
      agent,
      turnIndex: progress.turnIndex + position,
      promptTokens: toolPromptOf(rules, invocation, agent),
      origins: toolOriginsOf(invocation),
      actionLength: 1,
      ...(singleAgent ? {} : { invocation: index }),
    }),
  );
  return waiting('tool', progress, calls);
}

function toolPromptOf({ ids }: Rules, invocation: Invocation, agent: number): Int32Array {
  const { keyToken, queryToken, foundToken, numTurns } = invocation;
  const role = ids.firstRole + agent;
  return Int32Array.of(role, ids.tool, keyToken, queryToken, foundToken, ids.firstTurn + numTurns);
}

/** There is a tool turn because of the plan, which also says about what; the last lookup is the last turn of the sub-call. */
function toolOriginsOf({ lastTurn }: Invocation): Int32Array {
  return Int32Array.of(planTurn, planTurn, planTurn, lastTurn, lastTurn, -1);
}

function waiting(phase: State['phase'], progress: Progress, calls: readonly Call[]): State {
  const { task, invocations, turnIndex } = progress;
  return {
    kind: 'planExecute',
    phase,
    task,
    invocations,
    turnIndex,
    calls,
    isWellFormed: false,
    isCorrect: false,
  };
}

function ended(progress: Progress, isWellFormed: boolean, isCorrect: boolean): State {
  return { ...waiting('ended', progress, []), isWellFormed, isCorrect };
}

function outcome({ options }: Rules, state: State, isValid: boolean): Outcome<State> {
  return { state, isValid, penalty: isValid ? 0 : options.invalidPenalty };
}

function applyPlan(rules: Rules, state: State, planTokens: Int32Array): Outcome<State> {
  const { ids, options } = rules;
  const { task } = state;
  const invocations: Invocation[] = [];
  for (const [slot, keyToken] of planTokens.entries())
    if (ids.isKey(keyToken))
      invocations.push({
        slot,
        keyToken,
        queryToken: ids.none,
        foundToken: ids.none,
        numTurns: 0,
        lastTurn: -1,
        report: 'awaited',
      });
  const turnIndex = state.turnIndex + 1;
  const isReadable = planTokens.every((token) => ids.isKey(token) || token === ids.skip);
  if (!isReadable || invocations.length > options.maxSubtasks)
    return outcome(rules, ended({ task, invocations: [], turnIndex }, false, false), false);
  return outcome(rules, askTools(rules, { task, invocations, turnIndex }), true);
}

function applyTool(
  rules: Rules,
  state: State,
  call: Call,
  [token = 0]: Int32Array,
): Outcome<State> {
  const { ids, options } = rules;
  const { task, invocations } = state;
  const index = invocationOf(state, call);
  const isValid = ids.isKey(token) || ids.isValue(token);
  const progress: Progress = {
    task,
    invocations: invocations.map((invocation, i) =>
      i === index
        ? afterTurn(rules, task, invocation, { token, lastTurn: call.turnIndex })
        : invocation,
    ),
    turnIndex: state.turnIndex + 1,
  };
  if (options.singleAgent && !isValid) return outcome(rules, ended(progress, false, false), false);
  const others = state.calls.filter(({ turnIndex }) => turnIndex !== call.turnIndex);
  const next = others.length > 0 ? waiting('tool', progress, others) : askTools(rules, progress);
  return outcome(rules, next, isValid);
}

/** Place among the invocations of the sub-task that a tool turn works on; a single agent takes the first that is open. */
function invocationOf({ invocations }: State, call: Call): number {
  return call.invocation ?? invocations.findIndex(({ report }) => report === 'awaited');
}

/** The sub-task after one more turn: a lookup, a report, or a failure. */
function afterTurn(
  { ids, options }: Rules,
  task: PlanExecuteTask,
  invocation: Invocation,
  { token, lastTurn }: { readonly token: number; readonly lastTurn: number },
): Invocation {
  const numTurns = invocation.numTurns + 1;
  const taken = { ...invocation, numTurns, lastTurn };
  if (ids.isValue(token)) return { ...taken, report: token };
  if (!ids.isKey(token)) return { ...taken, report: 'failed' };
  return {
    ...taken,
    queryToken: token,
    foundToken: valueOf(task, ids, token),
    report: numTurns < options.toolTurns ? 'awaited' : 'failed',
  };
}

function applyAnswer(rules: Rules, state: State, answerTokens: Int32Array): Outcome<State> {
  const { ids } = rules;
  const { task, invocations } = state;
  const isValid = answerTokens.every((token) => ids.isValue(token));
  const isRight = isRightAnswer(task, ids, answerTokens);
  const progress: Progress = { task, invocations, turnIndex: state.turnIndex + 1 };
  return outcome(rules, ended(progress, isValid, isRight), isValid);
}

function rewardsOf({ ids, options }: Rules, state: State): TrajectoryRewards {
  const { task, invocations, isWellFormed, isCorrect } = state;
  const main = mainReward(isWellFormed, isCorrect);
  if (options.singleAgent) return { main, invocations: [] };
  return {
    main,
    invocations: invocations.map(({ keyToken, report }, invocation) => {
      const oracle = report === valueOf(task, ids, keyToken) ? 1 : 0;
      const reward = invocationReward(typeof report === 'number', isCorrect, oracle);
      return { agent: agentIndex.executor, invocation, reward };
    }),
  };
}

function demonstrate({ options, ids }: Rules, state: State, call: Call): Int32Array {
  const { promptTokens } = call;
  const shown = promptTokens.subarray(2);
  if (state.phase === 'plan') return shown.map((token) => (ids.isKey(token) ? token : ids.skip));
  if (state.phase === 'answer')
    return shown.map((token) => (ids.isValue(token) ? token : ids.firstValue));
  const [keyToken = 0, queryToken = 0, foundToken = 0, turnToken = 0] = shown;
  if (queryToken === keyToken) return Int32Array.of(foundToken);
  const isLastTurn = turnToken === ids.firstTurn + options.toolTurns - 1;
  return Int32Array.of(isLastTurn ? ids.firstValue : keyToken);
}
