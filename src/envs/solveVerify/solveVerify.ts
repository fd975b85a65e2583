import { uniformInt, type Key } from '../../rl/rng';
import { passed, unreadable, wrongCall, wrongContent, type Judgement } from '../judgement';
import { assertOption } from '../optionRange';
import { assertAction, assertEnded, assertPending, createCall } from '../pendingCall';
import type { Call, Handover, Outcome, Workflow } from '../workflow';
import { readDigits, solveVerifyTokens, tokenIds, writeDigits } from './vocabulary';

export interface SolveVerifyOptions {
  /** The solver adds modulo this number, 2..100. */
  readonly modulus: number;
  /** How often the solver may answer. Ignored with `actOnce`. */
  readonly maxRounds: number;
  /** One turn for each agent instead of a retry loop. */
  readonly actOnce: boolean;
  /** ≥ 0, subtracted from the score of a step whose action the world could not read. */
  readonly invalidPenalty: number;
}

/** a + b ≡ result (mod modulus), each in 0..modulus − 1. */
interface Task {
  readonly a: number;
  readonly b: number;
  readonly result: number;
}

/** The last number that the solver wrote; `bad` could not be read. */
type Attempt = number | 'none' | 'bad';

interface Progress {
  readonly task: Task;
  readonly attempt: Attempt;
  /** Turns of the last attempt and of the last rejection; −1 before the first. */
  readonly attemptTurn: number;
  readonly rejectTurn: number;
  /** Rejections so far. */
  readonly round: number;
  /** Turns taken so far. */
  readonly turnIndex: number;
}

interface SolveVerifyState extends Progress {
  readonly kind: 'solveVerify';
  /** The one call that the world waits for; none when the episode has ended. */
  readonly calls: readonly Call[];
  /** 0 until the team delivers the right result. */
  readonly teamReward: 0 | 1;
}

type State = SolveVerifyState;

interface Rules {
  readonly options: SolveVerifyOptions;
  /** Digits of a number. */
  readonly numDigits: number;
}

const agents = ['solver', 'verifier'] as const;
type AgentName = (typeof agents)[number];
const agentIndex: Readonly<Record<AgentName, number>> = { solver: 0, verifier: 1 };

/**
 * Solve, verify: a solver adds two numbers modulo `modulus`, a verifier accepts the attempt or sends it back.
 * A miniature of the math loop of Dr. MAS (Feng et al. 2026, arXiv 2602.08847, appendix B): the last verifier call is skipped.
 *
 * | | |
 * |---|---|
 * | task | a, b independent and uniform on 0..modulus − 1; the right result is (a + b) mod modulus |
 * | numbers | D decimal digits, D = 1 up to modulus 10, else 2 with a leading zero |
 * | prompt | int32 [4 + 3·D]: role, a, +, b, =, attempt, ROUND_r (r = rejections so far) |
 * | origins | attempt: the solver's last turn; ROUND_r, and the role of a solver asked again: the last rejection; all else: the task and the world |
 * | attempt | NONE × D before the first, the digits of the last one, or BAD × D if it could not be read |
 * | solver | writes D tokens. A non-digit or a number ≥ modulus is invalid: the attempt is BAD and wrong |
 * | verifier | writes 1 token. ACCEPT ends the episode; REJECT starts the next round. Else invalid: counts as ACCEPT |
 * | end | at ACCEPT, or at the attempt of the last of maxRounds rounds: it stands without a verifier call |
 * | team reward | 1 if the final attempt is right, else 0 |
 * | penalty | invalidPenalty for an invalid action, charged to its step |
 * | oracle | solver: the right result passes; verifier: ACCEPT for a right attempt, REJECT for any other |
 * | shared state | int32 [4 + 4·D]: the right result, then the prompt |
 *
 * With `actOnce` the solver acts once, then the verifier acts once, and the episode ends: the null control, in which global
 * and agent-wise normalization coincide. Team reward: 1 if the attempt is right *and* not rejected, else 0. So each agent
 * can lose the reward and only the solver's arithmetic can earn it. Paying for a truthful verdict (wrong and rejected too)
 * would pay a team that always writes nonsense and always rejects it.
 *
 * The expert's solver writes the right result, its verifier judges the attempt that it sees, so demonstrations after a wrong
 * attempt teach REJECT.
 * Throws RangeError for options outside their range.
 */
export function createSolveVerify(options: SolveVerifyOptions): Workflow<State> {
  assertOptions(options);
  const { modulus, maxRounds, actOnce } = options;
  const numDigits = modulus <= 10 ? 1 : 2;
  const rules: Rules = { options, numDigits };
  return {
    spec: {
      agents,
      firstAgent: agentIndex.solver,
      handovers: handoversOf(options),
      vocabulary: solveVerifyTokens(actOnce ? 1 : maxRounds),
      maxTurns: actOnce ? 2 : 2 * maxRounds - 1,
      maxPromptTokens: 4 + 3 * numDigits,
      maxActionTokens: numDigits,
      maxStateTokens: 4 + 4 * numDigits,
    },
    reset: (key) =>
      ask(
        rules,
        {
          task: drawTask(key, modulus),
          attempt: 'none',
          attemptTurn: -1,
          rejectTurn: -1,
          round: 0,
          turnIndex: 0,
        },
        'solver',
      ),
    pending: (state) => state.calls,
    apply: (state, call, actionTokens) => {
      assertAction(state.calls, call, actionTokens);
      return call.agent === agentIndex.solver
        ? applyAttempt(rules, state, actionTokens)
        : applyVerdict(rules, state, actionTokens);
    },
    teamReward: (state) => {
      assertEnded(state.calls);
      return state.teamReward;
    },
    judge: (state, call, actionTokens) => {
      assertAction(state.calls, call, actionTokens);
      return judgeTurn(rules, state, call, actionTokens);
    },
    stateTokens: (state, call) => {
      assertPending(state.calls, call);
      return Int32Array.of(...resultTokens(rules, state.task), ...call.promptTokens);
    },
    demonstrate: (state, call) => {
      assertPending(state.calls, call);
      return demonstrate(rules, state, call);
    },
  };
}

/** Whether a value is a state of this world (of any options). */
export function isSolveVerifyState(value: unknown): value is SolveVerifyState {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'solveVerify'
  );
}

function assertOptions(options: SolveVerifyOptions): void {
  assertOption('modulus', options.modulus, { min: 2, max: 100, isInteger: true });
  assertOption('maxRounds', options.maxRounds, { min: 1, max: 100, isInteger: true });
  assertOption('invalidPenalty', options.invalidPenalty, {
    min: 0,
    max: Number.MAX_VALUE,
    isInteger: false,
  });
}

/** The last round ends without a verdict, and a verdict of a team that acts once starts no round. */
function handoversOf({ actOnce, maxRounds }: SolveVerifyOptions): readonly Handover[] {
  const attempt = { from: agentIndex.solver, to: agentIndex.verifier, message: 'attempt' };
  if (actOnce) return [attempt];
  const retry = { from: agentIndex.verifier, to: agentIndex.solver, message: 'try again' };
  return maxRounds > 1 ? [attempt, retry] : [];
}

function drawTask(key: Key, modulus: number): Task {
  const a = uniformInt(key, 0, modulus);
  const b = uniformInt(key, 1, modulus);
  return { a, b, result: (a + b) % modulus };
}

function ask(rules: Rules, progress: Progress, agent: AgentName): State {
  const call = createCall({
    agent: agentIndex[agent],
    turnIndex: progress.turnIndex,
    promptTokens: promptOf(rules, progress, tokenIds[agent]),
    origins: originsOf(rules, progress, agent),
    actionLength: agent === 'solver' ? rules.numDigits : 1,
  });
  return { ...progress, kind: 'solveVerify', calls: [call], teamReward: 0 };
}

/** Ends with the attempt as it stands. */
function delivered(progress: Progress): State {
  const teamReward = progress.attempt === progress.task.result ? 1 : 0;
  return { ...progress, kind: 'solveVerify', calls: [], teamReward };
}

/** Ends without a result: a rejection that no round follows. */
function withdrawn(progress: Progress): State {
  return { ...progress, kind: 'solveVerify', calls: [], teamReward: 0 };
}

/** What stands after one more turn that changed nothing. */
function advanced(state: State): Progress {
  const { task, attempt, attemptTurn, rejectTurn, round, turnIndex } = state;
  return { task, attempt, attemptTurn, rejectTurn, round, turnIndex: turnIndex + 1 };
}

/** The solver is asked again, and the round counted, because the verifier rejected; the verifier because there is an attempt. */
function originsOf({ numDigits }: Rules, progress: Progress, agent: AgentName): Int32Array {
  const origins = new Int32Array(4 + 3 * numDigits).fill(-1);
  if (agent === 'solver') origins[0] = progress.rejectTurn;
  const start = 3 + 2 * numDigits;
  origins.fill(progress.attemptTurn, start, start + numDigits);
  origins[start + numDigits] = progress.rejectTurn;
  return origins;
}

function promptOf({ numDigits }: Rules, progress: Progress, role: number): Int32Array {
  const { task, attempt, round } = progress;
  const prompt = new Int32Array(4 + 3 * numDigits);
  prompt[0] = role;
  writeDigits(prompt, task.a, 1, numDigits);
  prompt[1 + numDigits] = tokenIds.plus;
  writeDigits(prompt, task.b, 2 + numDigits, numDigits);
  prompt[2 + 2 * numDigits] = tokenIds.equals;
  const start = 3 + 2 * numDigits;
  if (typeof attempt === 'number') writeDigits(prompt, attempt, start, numDigits);
  else prompt.fill(tokenIds[attempt], start, start + numDigits);
  prompt[start + numDigits] = tokenIds.firstRound + round;
  return prompt;
}

function outcome({ options }: Rules, state: State, isValid: boolean): Outcome<State> {
  return { state, isValid, penalty: isValid ? 0 : options.invalidPenalty };
}

function applyAttempt(rules: Rules, state: State, actionTokens: Int32Array): Outcome<State> {
  const { modulus, maxRounds, actOnce } = rules.options;
  const value = readDigits(actionTokens);
  const isValid = value !== null && value < modulus;
  const progress: Progress = {
    ...advanced(state),
    attempt: isValid ? value : 'bad',
    attemptTurn: state.turnIndex,
  };
  const isLastWord = !actOnce && state.round + 1 === maxRounds;
  return outcome(
    rules,
    isLastWord ? delivered(progress) : ask(rules, progress, 'verifier'),
    isValid,
  );
}

function applyVerdict(rules: Rules, state: State, [token]: Int32Array): Outcome<State> {
  const progress = advanced(state);
  if (token !== tokenIds.reject)
    return outcome(rules, delivered(progress), token === tokenIds.accept);
  if (rules.options.actOnce) return outcome(rules, withdrawn(progress), true);
  const rejected = { ...progress, rejectTurn: state.turnIndex, round: state.round + 1 };
  return outcome(rules, ask(rules, rejected, 'solver'), true);
}

function demonstrate(rules: Rules, { task, attempt }: State, call: Call): Int32Array {
  if (call.agent === agentIndex.verifier)
    return Int32Array.of(attempt === task.result ? tokenIds.accept : tokenIds.reject);
  return resultTokens(rules, task);
}

function resultTokens({ numDigits }: Rules, { result }: Task): Int32Array {
  const digits = new Int32Array(numDigits);
  writeDigits(digits, result, 0, numDigits);
  return digits;
}

/** The oracle: see the table of the world. */
function judgeTurn(
  rules: Rules,
  { task, attempt }: State,
  call: Call,
  tokens: Int32Array,
): Judgement {
  if (call.agent === agentIndex.solver) {
    const value = readDigits(tokens);
    if (value === null || value >= rules.options.modulus) return unreadable;
    return value === task.result ? passed : wrongContent;
  }
  const [token] = tokens;
  if (token !== tokenIds.accept && token !== tokenIds.reject) return unreadable;
  return (token === tokenIds.accept) === (attempt === task.result) ? passed : wrongCall;
}
