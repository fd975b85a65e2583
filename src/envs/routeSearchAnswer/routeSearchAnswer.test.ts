import { expect, test } from 'vitest';
import { foldIn, keyFromSeed, uniformInt, type Key } from '../../rl/rng';
import type { Call } from '../workflow';
import { createRouteSearchAnswer, type RouteSearchAnswerOptions } from './routeSearchAnswer';

const options: RouteSearchAnswerOptions = {
  numKeys: 8,
  numValues: 8,
  answerLength: 1,
  searchShare: 0.8,
  maxTurns: 4,
  invalidPenalty: 0.01,
};

/** Draws an action from what a call shows. */
type Policy = (call: Call, key: Key) => Int32Array;

function successShare(world: ReturnType<typeof createRouteSearchAnswer>, policy: Policy): number {
  let successes = 0;
  for (let task = 0; task < numEpisodes; task++) {
    let state = world.reset(foldIn(keyFromSeed(7), task));
    for (let [call] = world.pending(state); call; [call] = world.pending(state)) {
      const key = foldIn(keyFromSeed(8), task, call.turnIndex);
      ({ state } = world.apply(state, call, policy(call, key)));
    }
    successes += world.teamReward(state);
  }
  return successes / numEpisodes;
}

const numEpisodes = 40_000;

/** Four standard errors of a share of `numTrials`: exceeded by chance once in about 16,000 seeds. The seed is fixed. */
function fourStandardErrors(share: number, numTrials: number): number {
  return 4 * Math.sqrt((share * (1 - share)) / numTrials);
}

test.each([0, 0.3, 0.8, 1])('a share of %d of the questions is hard', (searchShare) => {
  const world = createRouteSearchAnswer({ ...options, searchShare });
  const hard = world.spec.vocabulary.indexOf('HARD');
  const numTasks = 4000;
  let numHard = 0;
  for (let task = 0; task < numTasks; task++) {
    const [call] = world.pending(world.reset(foldIn(keyFromSeed(3), task)));
    if (call?.promptTokens[1] === hard) numHard++;
  }
  const deviation = Math.abs(numHard / numTasks - searchShare);
  expect(deviation).toBeLessThanOrEqual(fourStandardErrors(searchShare, numTasks));
});

test('a policy uniform over the vocabulary succeeds as often as its closed form says', () => {
  // V tokens. ANSWER now (1/V) or after one search that may write anything (1/V²), then L right tokens (V⁻ᴸ):
  // (1/V + 1/V²)·V⁻ᴸ; a second search does not fit into 4 turns.
  const world = createRouteSearchAnswer({ ...options, numKeys: 2, numValues: 2 });
  const size = world.spec.vocabulary.length;
  const expected = (1 / size + 1 / size ** 2) / size;
  const share = successShare(world, (_, key) => Int32Array.of(uniformInt(key, 0, size)));
  expect(Math.abs(share - expected)).toBeLessThanOrEqual(fourStandardErrors(expected, numEpisodes));
});

test('random routing and queries with faithful copying succeed as often as their closed form says', () => {
  // The router tosses a coin between SEARCH and ANSWER, the query is a uniform key (right: 1/3), the answer copies a
  // result and otherwise guesses (right: 1/4). Answer at once: ½·¼. After one search: ½·½·(⅓ + ⅔·¼) = ¼·½. Sum ¼.
  const world = createRouteSearchAnswer({ ...options, numKeys: 3, numValues: 4 });
  const idOf = (token: string): number => world.spec.vocabulary.indexOf(token);
  const policy: Policy = ({ agent, promptTokens }, key) => {
    if (agent === 0) return Int32Array.of(idOf(uniformInt(key, 0, 2) === 0 ? 'SEARCH' : 'ANSWER'));
    if (agent === 1) return Int32Array.of(idOf('KEY_0') + uniformInt(key, 0, 3));
    const info = promptTokens[3] ?? 0;
    if (info >= idOf('VALUE_0')) return Int32Array.of(info);
    return Int32Array.of(idOf('VALUE_0') + uniformInt(key, 0, 4));
  };
  const share = successShare(world, policy);
  expect(Math.abs(share - 0.25)).toBeLessThanOrEqual(fourStandardErrors(0.25, numEpisodes));
});

test('the same key asks about the same KEY token whatever the share of hard questions', () => {
  const allEasy = createRouteSearchAnswer({ ...options, searchShare: 0 });
  const allHard = createRouteSearchAnswer({ ...options, searchShare: 1 });
  for (let task = 0; task < 50; task++) {
    const key = foldIn(keyFromSeed(5), task);
    const [easy] = allEasy.pending(allEasy.reset(key));
    const [hard] = allHard.pending(allHard.reset(key));
    expect(easy?.promptTokens[2]).toBe(hard?.promptTokens[2]);
    expect(easy?.promptTokens[1]).not.toBe(hard?.promptTokens[1]);
  }
});

test('hidden answers do not follow from the key', () => {
  // 400 tasks over 8 keys: at least two values per key unless about 50 uniform draws agree (8·8⁻⁴⁹).
  const world = createRouteSearchAnswer({ ...options, searchShare: 1 });
  const valuesOf = new Map<number, Set<number>>();
  for (let task = 0; task < 400; task++) {
    let state = world.reset(foldIn(keyFromSeed(9), task));
    const [route] = world.pending(state);
    for (let [call] = world.pending(state); call; [call] = world.pending(state)) {
      const action = world.demonstrate(state, call);
      ({ state } = world.apply(state, call, action));
      const questionKey = route?.promptTokens[2] ?? -1;
      if (call.agent === 2)
        valuesOf.set(questionKey, new Set([...(valuesOf.get(questionKey) ?? []), ...action]));
    }
  }
  expect(valuesOf.size).toBe(8);
  expect(Math.min(...Array.from(valuesOf.values(), (values) => values.size))).toBeGreaterThan(1);
});

test.each<[string, number, RegExp]>([
  ['router', 0, /^(SEARCH|ANSWER)$/],
  ['search', 1, /^KEY_\d$/],
  ['answer', 2, /^VALUE_\d$/],
])('of the whole vocabulary the %s may write exactly what its role can mean', (_, agent, legal) => {
  const world = createRouteSearchAnswer({ ...options, searchShare: 1 });
  let state = world.reset(keyFromSeed(0));
  let [call] = world.pending(state);
  while (call && call.agent !== agent) {
    ({ state } = world.apply(state, call, world.demonstrate(state, call)));
    [call] = world.pending(state);
  }
  if (!call) throw new Error(`The expert never calls agent ${agent}.`);
  for (const [token, name] of world.spec.vocabulary.entries())
    expect([name, world.apply(state, call, Int32Array.of(token)).isValid]).toEqual([
      name,
      legal.test(name),
    ]);
});

test.each<[Partial<RouteSearchAnswerOptions>, string]>([
  [{ numKeys: 0 }, 'numKeys is 0: expected an integer from 1'],
  [{ answerLength: 1.5 }, 'answerLength is 1.5: expected an integer'],
  [{ maxTurns: 1 }, 'maxTurns is 1: expected an integer from 2'],
  [{ searchShare: 1.1 }, 'searchShare is 1.1: expected a number from 0 to 1.'],
  [{ invalidPenalty: Number.NaN }, 'invalidPenalty is NaN'],
])('options outside their range are refused: %o', (wrong, message) => {
  expect(() => createRouteSearchAnswer({ ...options, ...wrong })).toThrow(message);
});
