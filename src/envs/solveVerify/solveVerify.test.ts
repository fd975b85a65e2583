import { expect, test } from 'vitest';
import { foldIn, keyFromSeed } from '../../rl/rng';
import { createSolveVerify, type SolveVerifyOptions } from './solveVerify';
import { readDigits, tokenIds, writeDigits } from './vocabulary';

const options: SolveVerifyOptions = {
  modulus: 10,
  maxRounds: 2,
  actOnce: false,
  invalidPenalty: 0.1,
};

const accept = Int32Array.of(tokenIds.accept);
const reject = Int32Array.of(tokenIds.reject);
const unreadable = Int32Array.of(tokenIds.plus);

type World = ReturnType<typeof createSolveVerify>;

/** A valid one-digit attempt that is wrong: one more than right. */
function wrongAttempt(right: Int32Array): Int32Array {
  return Int32Array.of(tokenIds.firstDigit + (((right[0] ?? 0) - tokenIds.firstDigit + 1) % 10));
}

/** Plays one right or wrong attempt and the verdicts and attempts after it; returns the agents that acted and the reward. */
function playOut(
  world: World,
  moves: readonly ('right' | 'wrong' | Int32Array)[],
): { agents: number[]; reward: number } {
  let state = world.reset(keyFromSeed(4));
  const agents: number[] = [];
  for (const move of moves) {
    const [call] = world.pending(state);
    if (!call)
      throw new Error(`The episode ended after ${agents.length} of ${moves.length} moves.`);
    const expert = world.demonstrate(state, call);
    const named = move === 'right' ? expert : move === 'wrong' ? wrongAttempt(expert) : move;
    ({ state } = world.apply(state, call, named));
    agents.push(call.agent);
  }
  return { agents, reward: world.teamReward(state) };
}

test('the right result is the sum modulo the modulus, in two digits above ten', () => {
  const world = createSolveVerify({ ...options, modulus: 97 });
  for (let task = 0; task < 50; task++) {
    const state = world.reset(foldIn(keyFromSeed(2), task));
    const [call] = world.pending(state);
    if (!call) throw new Error('An episode starts with the solver.');
    // <solver> a a + b b = NONE NONE ROUND_0
    const a = readDigits(call.promptTokens.slice(1, 3)) ?? Number.NaN;
    const b = readDigits(call.promptTokens.slice(4, 6)) ?? Number.NaN;
    expect(Math.max(a, b)).toBeLessThan(97);
    expect(readDigits(world.demonstrate(state, call))).toBe((a + b) % 97);
  }
});

test.each<[string, readonly ('right' | 'wrong' | Int32Array)[], number[], number]>([
  ['accepted when right', ['right', accept], [0, 1], 1],
  ['accepted when wrong', ['wrong', accept], [0, 1], 0],
  [
    'rejected when wrong, then right: the last verifier call is skipped',
    ['wrong', reject, 'right'],
    [0, 1, 0],
    1,
  ],
  [
    'rejected when right, then wrong: the last attempt stands',
    ['right', reject, 'wrong'],
    [0, 1, 0],
    0,
  ],
  ['an unreadable attempt accepted', [unreadable, accept], [0, 1], 0],
  ['an unreadable verdict counts as ACCEPT', ['right', unreadable], [0, 1], 1],
])('retry loop: %s', (_, moves, agents, reward) => {
  expect(playOut(createSolveVerify(options), moves)).toEqual({ agents, reward });
});

test.each<[string, readonly ('right' | 'wrong' | Int32Array)[], number]>([
  ['right and accepted', ['right', accept], 1],
  ['right and rejected', ['right', reject], 0],
  ['wrong and accepted', ['wrong', accept], 0],
  ['wrong and rejected', ['wrong', reject], 0],
  ['right and an unreadable verdict', ['right', unreadable], 1],
  ['unreadable and rejected', [unreadable, reject], 0],
])('null control, both act exactly once: %s', (_, moves, reward) => {
  const world = createSolveVerify({ ...options, actOnce: true });
  expect(playOut(world, moves)).toEqual({ agents: [0, 1], reward });
});

test('the expert verifier rejects exactly the wrong attempts', () => {
  const world = createSolveVerify(options);
  for (let task = 0; task < 20; task++) {
    const start = world.reset(foldIn(keyFromSeed(6), task));
    const [solve] = world.pending(start);
    if (!solve) throw new Error('An episode starts with the solver.');
    const right = world.demonstrate(start, solve);
    for (const [attempt, verdict] of [
      [right, accept],
      [wrongAttempt(right), reject],
      [unreadable, reject],
    ] as const) {
      const { state } = world.apply(start, solve, attempt);
      const [verify] = world.pending(state);
      if (!verify) throw new Error('The verifier follows the solver.');
      expect(world.demonstrate(state, verify)).toEqual(verdict);
    }
  }
});

test('digits are written with leading zeros and read back', () => {
  for (const [value, digits] of [
    [7, [0, 7]],
    [42, [4, 2]],
    [99, [9, 9]],
  ] as const) {
    const tokens = new Int32Array(4);
    writeDigits(tokens, value, 1, 2);
    expect([...tokens]).toEqual([0, ...digits.map((digit) => tokenIds.firstDigit + digit), 0]);
    expect(readDigits(tokens.slice(1, 3))).toBe(value);
  }
  expect(readDigits(Int32Array.of(tokenIds.firstDigit, tokenIds.bad))).toBeNull();
});

test('with one round the solver acts alone', () => {
  const world = createSolveVerify({ ...options, maxRounds: 1 });
  expect(world.spec.maxTurns).toBe(1);
  expect(playOut(world, ['right'])).toEqual({ agents: [0], reward: 1 });
});

test.each<[Partial<SolveVerifyOptions>, string]>([
  [{ modulus: 1 }, 'modulus is 1: expected an integer from 2 to 100.'],
  [{ modulus: 101 }, 'modulus is 101: expected an integer from 2 to 100.'],
  [{ maxRounds: 0 }, 'maxRounds is 0: expected an integer from 1'],
  [{ invalidPenalty: -1 }, 'invalidPenalty is -1: expected a number from 0'],
])('options outside their range are refused: %o', (wrong, message) => {
  expect(() => createSolveVerify({ ...options, ...wrong })).toThrow(message);
});
