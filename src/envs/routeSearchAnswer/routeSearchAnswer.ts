import { uniform, uniformInt, type Key } from '../../rl/rng';
import {
  judgeTokens,
  passed,
  unreadable,
  wrongCall,
  wrongContent,
  type Judgement,
} from '../judgement';
import { assertOption, maxTableSize } from '../optionRange';
import { assertAction, assertEnded, assertPending, createCall } from '../pendingCall';
import type { Call, Handover, Outcome, Workflow } from '../workflow';
import { createRouteVocabulary, type RouteVocabulary } from './vocabulary';

export interface RouteSearchAnswerOptions {
  /** Number of keys that a question can ask about. */
  readonly numKeys: number;
  /** Number of different answer tokens. */
  readonly numValues: number;
  /** Tokens of an answer and of what a search returns. */
  readonly answerLength: number;
  /** Probability of a hard question, 0..1. */
  readonly searchShare: number;
  /** Calls of agents in an episode, at most. */
  readonly maxTurns: number;
  /** ≥ 0, subtracted from the score of a step whose action the world could not read. */
  readonly invalidPenalty: number;
}

interface Task {
  readonly isHard: boolean;
  /** 0..numKeys − 1 */
  readonly questionKey: number;
  /** [answerLength] value tokens. */
  readonly answerTokens: Int32Array;
}

/** What the team knows: nothing was searched yet, the last search missed, the last search hit. */
type Info = 'none' | 'null' | 'found';

interface Progress {
  readonly task: Task;
  readonly info: Info;
  /** Turn of the last search; −1 before the first. */
  readonly searchTurn: number;
  /** Turns taken so far. */
  readonly turnIndex: number;
}

interface RouteSearchAnswerState extends Progress {
  readonly kind: 'routeSearchAnswer';
  /** The one call that the world waits for; none when the episode has ended. */
  readonly calls: readonly Call[];
  /** 0 until the right answer is given. */
  readonly teamReward: 0 | 1;
}

type State = RouteSearchAnswerState;

interface Rules {
  readonly options: RouteSearchAnswerOptions;
  readonly ids: RouteVocabulary;
}

const agents = ['router', 'search', 'answer'] as const;
type AgentName = (typeof agents)[number];
const agentIndex: Readonly<Record<AgentName, number>> = { router: 0, search: 1, answer: 2 };

const handovers: readonly Handover[] = [
  { from: agentIndex.router, to: agentIndex.search, message: 'look up' },
  { from: agentIndex.search, to: agentIndex.router, message: 'result' },
  { from: agentIndex.router, to: agentIndex.answer, message: 'reply' },
];

/**
 * Route, search, answer: a router decides whether a question needs a search, a search agent queries a table, an answer
 * agent answers. A miniature of the search benchmark of Dr. MAS (Feng et al. 2026, arXiv 2602.08847, appendix B).
 *
 * | | |
 * |---|---|
 * | task | key k uniform on 0..numKeys − 1; hard with probability searchShare, else easy |
 * | right answer | easy: token j is VALUE (k + 1 + j) mod numValues. Hard: answerLength independent uniform values, hidden |
 * | prompt | int32 [4 + answerLength]: role, EASY or HARD, KEY_k, info × answerLength, TURN_t (t = turns taken so far) |
 * | info | NONE before a search, then the result of the *last* search: the right answer, or NULL |
 * | origins | role of search and answer agent: the routing turn before; info: the last search; all else: the task and the world |
 * | router | writes 1 token. SEARCH: the search agent is next. ANSWER: the answer agent is next. Else invalid: ends |
 * | search | writes 1 token. KEY_k: finds the right answer. Another key: NULL. No key: NULL and invalid. Router is next |
 * | answer | writes answerLength tokens and ends the episode. Not all values: invalid, and not right |
 * | end | after the answer, an invalid routing, or maxTurns turns. Every call of an agent is a turn |
 * | team reward | 1 if all answer tokens are right, else 0 (also when the episode ends without an answer) |
 * | penalty | invalidPenalty for an invalid action, charged to its step; running out of turns costs nothing extra |
 * | oracle | router: SEARCH passes for a hard question that nothing was found for, ANSWER for any other; search: the KEY of the question; answer: the right tokens, else their share |
 * | shared state | int32 [4 + 2 · answerLength]: the right answer, then the prompt |
 *
 * The turn limit looks at turns only: with one turn left the router is asked even though no answer can follow. A hard
 * question needs 4 turns, an easy one 2; with fewer than 4 turns hard questions can only be guessed.
 * The expert sees no more than the prompts: without the result of a search it guesses a hard answer by the easy rule.
 *
 * ```ts
 * const world = createRouteSearchAnswer(options);
 * let state = world.reset(key);
 * for (let [call] = world.pending(state); call; [call] = world.pending(state))
 *   state = world.apply(state, call, act(call)).state;
 * const reward = world.teamReward(state);
 * ```
 * Throws RangeError for options outside their range.
 */
export function createRouteSearchAnswer(options: RouteSearchAnswerOptions): Workflow<State> {
  assertOptions(options);
  const ids = createRouteVocabulary(options);
  const rules: Rules = { options, ids };
  return {
    spec: {
      agents,
      firstAgent: agentIndex.router,
      handovers,
      vocabulary: ids.tokens,
      maxTurns: options.maxTurns,
      maxPromptTokens: 4 + options.answerLength,
      maxActionTokens: options.answerLength,
      maxStateTokens: 4 + 2 * options.answerLength,
    },
    reset: (key) =>
      ask(
        rules,
        { task: drawTask(rules, key), info: 'none', searchTurn: -1, turnIndex: 0 },
        'router',
      ),
    pending: (state) => state.calls,
    apply: (state, call, actionTokens) => {
      assertAction(state.calls, call, actionTokens);
      if (call.agent === agentIndex.router) return applyRoute(rules, state, actionTokens);
      if (call.agent === agentIndex.search) return applySearch(rules, state, actionTokens);
      return applyAnswer(rules, state, actionTokens);
    },
    teamReward: (state) => {
      assertEnded(state.calls);
      return state.teamReward;
    },
    judge: (state, call, actionTokens) => {
      assertAction(state.calls, call, actionTokens);
      return judgeTurn(rules, state, call.agent, actionTokens);
    },
    stateTokens: (state, call) => {
      assertPending(state.calls, call);
      return Int32Array.of(...state.task.answerTokens, ...call.promptTokens);
    },
    demonstrate: (state, call) => {
      assertPending(state.calls, call);
      return demonstrate(rules, state, call);
    },
  };
}

/** Whether a value is a state of this world (of any options). */
export function isRouteSearchAnswerState(value: unknown): value is RouteSearchAnswerState {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value.kind === 'routeSearchAnswer'
  );
}

function assertOptions(options: RouteSearchAnswerOptions): void {
  const size = { min: 1, max: maxTableSize, isInteger: true };
  assertOption('numKeys', options.numKeys, size);
  assertOption('numValues', options.numValues, size);
  assertOption('answerLength', options.answerLength, size);
  assertOption('searchShare', options.searchShare, { min: 0, max: 1, isInteger: false });
  assertOption('maxTurns', options.maxTurns, { ...size, min: 2 });
  assertOption('invalidPenalty', options.invalidPenalty, {
    min: 0,
    max: Number.MAX_VALUE,
    isInteger: false,
  });
}

/** Counters do not depend on the options, so the same key asks for the same KEY_k whatever the share of hard questions. */
function drawTask({ options, ids }: Rules, key: Key): Task {
  const { numKeys, numValues, answerLength, searchShare } = options;
  const isHard = uniform(key, 0) < searchShare;
  const questionKey = uniformInt(key, 0, numKeys);
  const answerTokens = new Int32Array(answerLength);
  for (let j = 0; j < answerLength; j++) {
    const value = isHard ? uniformInt(key, 1 + j, numValues) : easyValue(questionKey, j, numValues);
    answerTokens[j] = ids.firstValue + value;
  }
  return { isHard, questionKey, answerTokens };
}

/** The rule of easy questions: the answer counts on from the key. */
function easyValue(questionKey: number, position: number, numValues: number): number {
  return (questionKey + 1 + position) % numValues;
}

/** The state that waits for `agent`, or the end of the episode if no turn is left. */
function ask(rules: Rules, progress: Progress, agent: AgentName): State {
  const { turnIndex } = progress;
  if (turnIndex >= rules.options.maxTurns) return ended(progress, 0);
  const index = agentIndex[agent];
  const call = createCall({
    agent: index,
    turnIndex,
    promptTokens: promptOf(rules, progress, index),
    origins: originsOf(rules, progress, agent),
    actionLength: agent === 'answer' ? rules.options.answerLength : 1,
  });
  return { ...progress, kind: 'routeSearchAnswer', calls: [call], teamReward: 0 };
}

function ended(progress: Progress, teamReward: 0 | 1): State {
  return { ...progress, kind: 'routeSearchAnswer', calls: [], teamReward };
}

/** What stands after one more turn that found out nothing new. */
function advanced({ task, info, searchTurn, turnIndex }: State): Progress {
  return { task, info, searchTurn, turnIndex: turnIndex + 1 };
}

/** Search and answer agent are asked because the router, one turn before, said so; the router because it is its turn again. */
function originsOf({ options }: Rules, progress: Progress, agent: AgentName): Int32Array {
  const { answerLength } = options;
  const origins = new Int32Array(4 + answerLength).fill(-1);
  if (agent !== 'router') origins[0] = progress.turnIndex - 1;
  origins.fill(progress.searchTurn, 3, 3 + answerLength);
  return origins;
}

function promptOf({ options, ids }: Rules, progress: Progress, agent: number): Int32Array {
  const { task, info, turnIndex } = progress;
  const { answerLength } = options;
  const prompt = new Int32Array(4 + answerLength);
  prompt[0] = ids.firstRole + agent;
  prompt[1] = task.isHard ? ids.hard : ids.easy;
  prompt[2] = ids.firstKey + task.questionKey;
  if (info === 'found') prompt.set(task.answerTokens, 3);
  else prompt.fill(info === 'none' ? ids.none : ids.null, 3, 3 + answerLength);
  prompt[3 + answerLength] = ids.firstTurn + turnIndex;
  return prompt;
}

function outcome({ options }: Rules, state: State, isValid: boolean): Outcome<State> {
  return { state, isValid, penalty: isValid ? 0 : options.invalidPenalty };
}

/** Whether all tokens are values. */
function isAnswer({ ids, options }: Rules, tokens: Int32Array): boolean {
  const end = ids.firstValue + options.numValues;
  return tokens.every((token) => token >= ids.firstValue && token < end);
}

/** The oracle of the router: see the table of the world. */
function judgeRoute({ ids }: Rules, { task, info }: State, [token]: Int32Array): Judgement {
  if (token !== ids.search && token !== ids.answer) return unreadable;
  const wanted = task.isHard && info !== 'found' ? ids.search : ids.answer;
  return token === wanted ? passed : wrongCall;
}

/** The oracle of a query. */
function judgeQuery({ ids, options }: Rules, { task }: State, [token = 0]: Int32Array): Judgement {
  const query = token - ids.firstKey;
  if (query < 0 || query >= options.numKeys) return unreadable;
  return query === task.questionKey ? passed : wrongContent;
}

function judgeTurn(rules: Rules, state: State, agent: number, tokens: Int32Array): Judgement {
  if (agent === agentIndex.router) return judgeRoute(rules, state, tokens);
  if (agent === agentIndex.search) return judgeQuery(rules, state, tokens);
  return isAnswer(rules, tokens)
    ? judgeTokens(tokens, state.task.answerTokens, 'wrongContent')
    : unreadable;
}

function applyRoute(rules: Rules, state: State, [token]: Int32Array): Outcome<State> {
  const progress = advanced(state);
  if (token === rules.ids.search) return outcome(rules, ask(rules, progress, 'search'), true);
  if (token === rules.ids.answer) return outcome(rules, ask(rules, progress, 'answer'), true);
  return outcome(rules, ended(progress, 0), false);
}

function applySearch(rules: Rules, state: State, [token = 0]: Int32Array): Outcome<State> {
  const { ids, options } = rules;
  const query = token - ids.firstKey;
  const isValid = query >= 0 && query < options.numKeys;
  const info = query === state.task.questionKey ? 'found' : 'null';
  const progress: Progress = { ...advanced(state), info, searchTurn: state.turnIndex };
  return outcome(rules, ask(rules, progress, 'router'), isValid);
}

function applyAnswer(rules: Rules, state: State, actionTokens: Int32Array): Outcome<State> {
  const { answerTokens } = state.task;
  const isValid = isAnswer(rules, actionTokens);
  const isRight = actionTokens.every((token, j) => token === answerTokens[j]);
  const progress = advanced(state);
  return outcome(rules, ended(progress, isRight ? 1 : 0), isValid);
}

function demonstrate({ options, ids }: Rules, state: State, call: Call): Int32Array {
  const { task, info } = state;
  if (call.agent === agentIndex.router)
    return Int32Array.of(task.isHard && info !== 'found' ? ids.search : ids.answer);
  if (call.agent === agentIndex.search) return Int32Array.of(ids.firstKey + task.questionKey);
  if (info === 'found') return task.answerTokens.slice();
  return Int32Array.from(
    { length: options.answerLength },
    (_, j) => ids.firstValue + easyValue(task.questionKey, j, options.numValues),
  );
}
