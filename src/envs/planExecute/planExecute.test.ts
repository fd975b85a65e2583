import { expect, test } from 'vitest';
import { foldIn, keyFromSeed, uniformInt, type Key } from '../../rl/rng';
import type { Call } from '../workflow';
import { createPlanExecute, type PlanExecuteOptions } from './planExecute';

const options: PlanExecuteOptions = {
  numSlots: 3,
  maxSubtasks: 2,
  toolTurns: 3,
  numKeys: 4,
  numValues: 4,
  singleAgent: false,
  invalidPenalty: 0.01,
};

type World = ReturnType<typeof createPlanExecute>;
type State = ReturnType<World['reset']>;

function names({ spec }: World, tokens: Iterable<number>): string {
  return Array.from(tokens, (token) => spec.vocabulary[token] ?? '?').join(' ');
}

function tokensOf({ spec }: World, text: string): Int32Array {
  return Int32Array.from(text.split(' '), (name) => spec.vocabulary.indexOf(name));
}

/** The first task whose slots read like this. */
function taskWith(world: World, slots: RegExp): State {
  for (let task = 0; task < 10_000; task++) {
    const state = world.reset(foldIn(keyFromSeed(4), task));
    const [call] = world.pending(state);
    if (call && slots.test(names(world, call.promptTokens))) return state;
  }
  throw new Error(`No task reads ${slots.source}.`);
}

/** Applies the texts to the calls that wait now, in the order of their turns; `expert` is demonstrated. */
function wave(world: World, start: State, ...texts: readonly string[]): State {
  const calls = world.pending(start);
  expect(calls).toHaveLength(texts.length);
  let state = start;
  for (const [i, call] of calls.entries()) {
    const text = texts[i] ?? '';
    const action = text === 'expert' ? world.demonstrate(state, call) : tokensOf(world, text);
    ({ state } = world.apply(state, call, action));
  }
  return state;
}

const oneHidden = /^<planner> PLAN KEY_1 VALUE_\d VALUE_\d$/;
const twoHidden = /^<planner> PLAN KEY_1 VALUE_\d KEY_2$/;
const noneHidden = /^<planner> PLAN VALUE_\d VALUE_\d VALUE_\d$/;

test('a task with nothing hidden needs no call: plan, answer, full main reward', () => {
  const world = createPlanExecute(options);
  const planned = wave(world, taskWith(world, noneHidden), 'SKIP SKIP SKIP');
  const [answer] = world.pending(planned);
  expect(answer).toMatchObject({ agent: 0, turnIndex: 1, actionLength: 3 });
  const last = wave(world, planned, 'expert');
  expect(world.teamReward(last)).toBe(1);
  expect(world.rewards?.(last)).toEqual({ main: 1, invocations: [] });
});

test('the sub-calls of a plan wait together, numbered, and so do their next turns', () => {
  const world = createPlanExecute(options);
  let state = wave(world, taskWith(world, twoHidden), 'KEY_1 SKIP KEY_2');
  const seen = (): unknown[] =>
    world
      .pending(state)
      .map(({ agent, turnIndex, invocation, promptTokens }) => [
        [agent, turnIndex, invocation].join(),
        names(world, promptTokens).replaceAll(/VALUE_\d/g, 'VALUE'),
      ]);
  expect(seen()).toEqual([
    ['1,1,0', '<executor> TOOL KEY_1 NONE NONE TURN_0'],
    ['1,2,1', '<executor> TOOL KEY_2 NONE NONE TURN_0'],
  ]);
  state = wave(world, state, 'KEY_1', 'KEY_3');
  expect(seen()).toEqual([
    ['1,3,0', '<executor> TOOL KEY_1 KEY_1 VALUE TURN_1'],
    ['1,4,1', '<executor> TOOL KEY_2 KEY_3 VALUE TURN_1'],
  ]);
  // The first reports; the second notices its slip and looks up again, alone.
  state = wave(world, state, 'expert', 'expert');
  expect(seen()).toEqual([['1,5,1', '<executor> TOOL KEY_2 KEY_2 VALUE TURN_2']]);
  state = wave(world, wave(world, state, 'expert'), 'expert');
  expect(world.rewards?.(state)).toEqual({
    main: 1,
    invocations: [
      { agent: 1, invocation: 0, reward: 1 },
      { agent: 1, invocation: 1, reward: 1 },
    ],
  });
});

test.each([
  ['more sub-calls than allowed', 'KEY_1 KEY_1 KEY_1'],
  ['a token that is neither key nor SKIP', 'KEY_1 VALUE_0 SKIP'],
])('a plan with %s is a format error: the episode ends without reward', (_, plan) => {
  const world = createPlanExecute(options);
  const start = taskWith(world, oneHidden);
  const [call] = world.pending(start);
  if (!call) throw new Error('An episode starts with the planner.');
  const { state, isValid, penalty } = world.apply(start, call, tokensOf(world, plan));
  expect([isValid, penalty, world.pending(state)]).toEqual([false, 0.01, []]);
  expect(world.rewards?.(state)).toEqual({ main: 0, invocations: [] });
});

/** One hidden slot, one sub-call; then the answer. Rewards: 0.1 format, 0.9 or 0.4 right answer, 0.5 right report. */
test.each<[string, readonly string[], string, readonly [number, number]]>([
  ['looked up, reported, copied', ['KEY_1', 'expert'], 'expert', [1, 1]],
  ['right report, wrong answer', ['KEY_1', 'expert'], 'wrong', [0.1, 0.6]],
  ['right report, unreadable answer', ['KEY_1', 'expert'], 'SKIP SKIP SKIP', [0, 0.6]],
  ['unreadable tool turn, lucky answer', ['PLAN'], 'right', [1, 0]],
  ['no report in time, lucky answer', ['KEY_1', 'KEY_1', 'KEY_1'], 'right', [1, 0]],
  ['wrong report, lucky answer', ['wrong'], 'right', [1, 0.5]],
  ['wrong report, copied', ['wrong'], 'expert', [0.1, 0.1]],
])('%s: main and sub-call are paid apart', (_, turns, answer, [main, reward]) => {
  const world = createPlanExecute(options);
  const start = taskWith(world, oneHidden);
  const right = rightAnswer(world, start);
  const wrong = right.map((name) => `VALUE_${(Number(name.slice(-1)) + 1) % 4}`);
  let state = wave(world, start, 'KEY_1 SKIP SKIP');
  for (const turn of turns) state = wave(world, state, turn === 'wrong' ? wrong[0]! : turn);
  const answers = new Map([
    ['right', right.join(' ')],
    ['wrong', wrong.join(' ')],
  ]);
  state = wave(world, state, answers.get(answer) ?? answer);
  expect(world.rewards?.(state)).toEqual({
    main,
    invocations: [{ agent: 1, invocation: 0, reward }],
  });
});

/** What the expert answers after its own lookups. */
function rightAnswer(world: World, start: State): string[] {
  let state = start;
  let written: string[] = [];
  for (let [call] = world.pending(state); call; [call] = world.pending(state)) {
    const action = world.demonstrate(state, call);
    written = names(world, action).split(' ');
    ({ state } = world.apply(state, call, action));
  }
  return written;
}

test('a report on a useless question satisfies the oracle and spoils the slot', () => {
  const world = createPlanExecute(options);
  let state = wave(world, taskWith(world, noneHidden), 'KEY_0 SKIP SKIP');
  state = wave(world, wave(world, state, 'expert'), 'expert');
  const [answer] = world.pending(state);
  const reported = names(world, answer?.promptTokens ?? []).split(' ')[2];
  const before = names(world, world.pending(taskWith(world, noneHidden))[0]?.promptTokens ?? []);
  // The table of this task differs from the known value, so copying the report is wrong: 0.1 + 0 + 0.5.
  expect(reported).not.toBe(before.split(' ')[2]);
  expect(world.rewards?.(wave(world, state, 'expert'))).toEqual({
    main: 0.1,
    invocations: [{ agent: 1, invocation: 0, reward: 0.6 }],
  });
});

test('a single agent takes the tool turns itself, one sub-task after the other, all in one trajectory', () => {
  const world = createPlanExecute({ ...options, singleAgent: true });
  let state = taskWith(world, twoHidden);
  const reads: string[] = [];
  for (let calls = world.pending(state); calls.length > 0; calls = world.pending(state)) {
    expect(calls).toHaveLength(1);
    const [call] = calls;
    expect(call).toMatchObject({ agent: 0, turnIndex: reads.length });
    expect(call).not.toHaveProperty('invocation');
    reads.push(names(world, call?.promptTokens.slice(0, 3) ?? []));
    state = wave(world, state, 'expert');
  }
  expect(reads.slice(1, 5)).toEqual([
    '<planner> TOOL KEY_1',
    '<planner> TOOL KEY_1',
    '<planner> TOOL KEY_2',
    '<planner> TOOL KEY_2',
  ]);
  expect(world.rewards?.(state)).toEqual({ main: 1, invocations: [] });
  // Both cases have policies of one shape: only who is followed by whom is another.
  const { handovers } = world.spec;
  expect(world.spec).toEqual({ ...createPlanExecute(options).spec, handovers });
});

test('an unreadable tool turn of a single agent is a format error of its whole trajectory', () => {
  const world = createPlanExecute({ ...options, singleAgent: true });
  const planned = wave(world, taskWith(world, oneHidden), 'KEY_1 SKIP SKIP');
  const state = wave(world, planned, 'NULL');
  expect(world.pending(state)).toEqual([]);
  expect(world.rewards?.(state)).toEqual({ main: 0, invocations: [] });
});

/** Draws an action from what a call shows. */
type Policy = (call: Call, key: Key) => Int32Array;

const numEpisodes = 40_000;

function meansOf(world: World, policy: Policy): { success: number; invocation: number } {
  let [successes, sum, numInvocations] = [0, 0, 0];
  for (let task = 0; task < numEpisodes; task++) {
    let state = world.reset(foldIn(keyFromSeed(7), task));
    for (let [call] = world.pending(state); call; [call] = world.pending(state)) {
      const key = foldIn(keyFromSeed(8), task, call.turnIndex);
      ({ state } = world.apply(state, call, policy(call, key)));
    }
    successes += world.teamReward(state);
    for (const { reward } of world.rewards?.(state).invocations ?? []) {
      sum += reward;
      numInvocations++;
    }
  }
  return { success: successes / numEpisodes, invocation: sum / numInvocations };
}

/** Four standard errors of a share: exceeded by chance once in about 16,000 seeds. The seed is fixed. */
function fourStandardErrors(share: number): number {
  return 4 * Math.sqrt((share * (1 - share)) / numEpisodes);
}

test('a policy uniform over the vocabulary succeeds as often as its closed form says', () => {
  // V tokens, one of them a key, one SKIP, one slot: the plan can be read with probability 2/V. Whatever the tool turns
  // bring, the answer token is drawn alike and right with probability 1/V.
  const world = createPlanExecute({
    ...options,
    numSlots: 1,
    maxSubtasks: 1,
    toolTurns: 2,
    numKeys: 1,
    numValues: 1,
  });
  const size = world.spec.vocabulary.length;
  const expected = 2 / size ** 2;
  const { success } = meansOf(world, ({ actionLength }, key) =>
    Int32Array.from({ length: actionLength }, (_, i) => uniformInt(key, i, size)),
  );
  expect(Math.abs(success - expected)).toBeLessThanOrEqual(fourStandardErrors(expected));
});

test('random plans and lookups with faithful copying earn what their closed form says', () => {
  // k is 0 or 1. k = 0: nothing to do, always right. k = 1: a coin decides whether to call. Called: the lookup is a uniform
  // key, so the report is right with probability ⅓ + ⅔·¼ = ½. Not called: a guess, ¼. Sum ½ + ½·(½·½ + ½·¼) = 11/16.
  // A sub-call always reports; it and the answer are right together: 0.1 + ½·(0.4 + 0.5) = 0.55.
  const world = createPlanExecute({
    ...options,
    numSlots: 2,
    maxSubtasks: 1,
    toolTurns: 2,
    numKeys: 3,
  });
  const idOf = (name: string): number => world.spec.vocabulary.indexOf(name);
  const isKey = (token: number): boolean => token >= idOf('KEY_0') && token < idOf('VALUE_0');
  const guess = (key: Key): number => idOf('VALUE_0') + uniformInt(key, 1, 4);
  const { success, invocation } = meansOf(world, ({ agent, turnIndex, promptTokens }, key) => {
    const shown = promptTokens.slice(2);
    if (turnIndex === 0)
      return shown.map((token) =>
        isKey(token) && uniformInt(key, 0, 2) === 0 ? token : idOf('SKIP'),
      );
    if (agent === 0) return shown.map((token) => (isKey(token) ? guess(key) : token));
    const [, query = 0, found = 0] = shown;
    return Int32Array.of(isKey(query) ? found : idOf('KEY_0') + uniformInt(key, 0, 3));
  });
  expect(Math.abs(success - 11 / 16)).toBeLessThanOrEqual(fourStandardErrors(11 / 16));
  // A quarter of the episodes has a sub-call; its reward is 0.1 or 1 with equal chance: standard deviation 0.45.
  expect(Math.abs(invocation - 0.55)).toBeLessThanOrEqual(4 * 0.45 * Math.sqrt(4 / numEpisodes));
});

test('each option changes only its own draws: the same key hides the same slots in any alphabet', () => {
  const [small, large] = [4, 16].map((numValues) => createPlanExecute({ ...options, numValues }));
  for (let task = 0; task < 50; task++) {
    const hidden = [small, large].map((world) => {
      if (!world) throw new Error('Two worlds are compared.');
      const [call] = world.pending(world.reset(foldIn(keyFromSeed(5), task)));
      return names(world, call?.promptTokens ?? []).replaceAll(/VALUE_\d+/g, 'VALUE');
    });
    expect(hidden[1]).toBe(hidden[0]);
  }
});

test.each<[Partial<PlanExecuteOptions>, string]>([
  [{ numSlots: 0 }, 'numSlots is 0: expected an integer from 1'],
  [{ maxSubtasks: 0 }, 'maxSubtasks is 0: expected an integer from 1 to 3.'],
  [{ maxSubtasks: 4 }, 'maxSubtasks is 4: expected an integer from 1 to 3.'],
  [{ toolTurns: 1 }, 'toolTurns is 1: expected an integer from 2'],
  [{ numKeys: 2.5 }, 'numKeys is 2.5: expected an integer'],
  [{ numValues: 0 }, 'numValues is 0'],
  [{ invalidPenalty: -1 }, 'invalidPenalty is -1: expected a number from 0'],
])('options outside their range are refused: %o', (wrong, message) => {
  expect(() => createPlanExecute({ ...options, ...wrong })).toThrow(message);
});
