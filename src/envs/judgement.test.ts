import { expect, test } from 'vitest';
import { keyFromSeed, foldIn } from '../rl/rng';
import { createWorkflow, type WorldOptions } from './registry';
import { planned, retried, routed } from './testing/randomPlay';
import type { Workflow } from './workflow';

/** The state after a script of token names, on the first task whose opening prompt contains `opening`. */
function stateAfter(world: Workflow, opening: string, script: readonly string[]): unknown {
  const { vocabulary } = world.spec;
  for (let task = 0; task < 5000; task++) {
    let state = world.reset(foldIn(keyFromSeed(0), task));
    const [first] = world.pending(state);
    const text = [...first!.promptTokens].map((token) => vocabulary[token]).join(' ');
    if (!text.includes(opening)) continue;
    for (const tokens of script) {
      const [call] = world.pending(state);
      state = world.apply(state, call!, named(world, tokens)).state;
    }
    return state;
  }
  throw new Error(`No task opens with ${opening}.`);
}

const named = ({ spec }: Workflow, tokens: string): Int32Array =>
  Int32Array.from(tokens.split(' '), (token) => spec.vocabulary.indexOf(token));

function judged(options: WorldOptions, opening: string, script: readonly string[]): string {
  const world = createWorkflow(options);
  const state = stateAfter(world, opening, script.slice(0, -1));
  const [call] = world.pending(state);
  const { tag, localReward } = world.judge(state, call!, named(world, script.at(-1)!));
  return `${tag} ${Number(localReward.toFixed(3))}`;
}

test.each([
  ['HARD KEY_3', ['SEARCH'], 'pass 1'],
  ['HARD KEY_3', ['ANSWER'], 'wrongCall 0'],
  ['EASY KEY_2', ['SEARCH'], 'wrongCall 0'],
  ['EASY KEY_2', ['ANSWER'], 'pass 1'],
  ['EASY KEY_2', ['KEY_1'], 'unreadable 0'],
  ['HARD KEY_3', ['SEARCH', 'KEY_3'], 'pass 1'],
  ['HARD KEY_3', ['SEARCH', 'KEY_4'], 'wrongContent 0'],
  ['HARD KEY_3', ['SEARCH', 'ANSWER'], 'unreadable 0'],
  // Found: searching again is needless; not found: it is not.
  ['HARD KEY_3', ['SEARCH', 'KEY_3', 'SEARCH'], 'wrongCall 0'],
  ['HARD KEY_3', ['SEARCH', 'KEY_4', 'SEARCH'], 'pass 1'],
  ['EASY KEY_2', ['ANSWER', 'VALUE_3'], 'pass 1'],
  ['EASY KEY_2', ['ANSWER', 'VALUE_4'], 'wrongContent 0'],
  ['EASY KEY_2', ['ANSWER', 'NULL'], 'unreadable 0'],
])('a routed team, %s, %j: %s', (opening, script, expected) => {
  expect(judged(routed, opening, script)).toBe(expected);
});

test('an answer of several tokens is worth the share of right ones', () => {
  const long = { ...routed, answerLength: 4, searchShare: 0 };
  // Easy: VALUE_3 to VALUE_6.
  const script = ['ANSWER', 'VALUE_3 VALUE_4 VALUE_0 VALUE_6'];
  expect(judged(long, 'EASY KEY_2', script)).toBe('wrongContent 0.75');
});

test.each([
  ['3 + 4', ['7'], 'pass 1'],
  ['3 + 4', ['8'], 'wrongContent 0'],
  ['3 + 4', ['BAD'], 'unreadable 0'],
  ['3 + 4', ['7', 'ACCEPT'], 'pass 1'],
  ['3 + 4', ['7', 'REJECT'], 'wrongCall 0'],
  ['3 + 4', ['8', 'REJECT'], 'pass 1'],
  ['3 + 4', ['8', 'ACCEPT'], 'wrongCall 0'],
  ['3 + 4', ['8', 'NONE'], 'unreadable 0'],
])('a solver and its verifier, %s, %j: %s', (opening, script, expected) => {
  expect(judged(retried, opening, script)).toBe(expected);
});

test.each([
  ['PLAN KEY_1 VALUE_2 VALUE_0', ['KEY_1 SKIP SKIP'], 'pass 1'],
  ['PLAN KEY_1 VALUE_2 VALUE_0', ['KEY_0 SKIP SKIP'], 'wrongCall 0.667'],
  ['PLAN KEY_1 VALUE_2 VALUE_0', ['KEY_1 KEY_1 KEY_1'], 'unreadable 0'],
  ['PLAN KEY_1 VALUE_2 VALUE_0', ['KEY_1 SKIP SKIP', 'KEY_1'], 'pass 1'],
  ['PLAN KEY_1 VALUE_2 VALUE_0', ['KEY_1 SKIP SKIP', 'KEY_2'], 'wrongContent 0'],
  ['PLAN KEY_1 VALUE_2 VALUE_0', ['KEY_1 SKIP SKIP', 'SKIP'], 'unreadable 0'],
  // Known already; and in the last turn a lookup comes too late.
  ['PLAN KEY_1 VALUE_2 VALUE_0', ['KEY_1 SKIP SKIP', 'KEY_1', 'KEY_1'], 'wrongCall 0'],
  ['PLAN KEY_1 VALUE_2 VALUE_0', ['KEY_1 SKIP SKIP', 'KEY_0', 'KEY_2', 'KEY_1'], 'wrongCall 0'],
])('a planner and its executor, %s, %j: %s', (opening, script, expected) => {
  expect(judged(planned, opening, script)).toBe(expected);
});
