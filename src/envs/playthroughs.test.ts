import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foldIn, keyFromSeed } from '../rl/rng';
import { createWorkflow, type WorldOptions } from './registry';
import { describeTokens } from './transcript';
import type { Workflow } from './workflow';

/**
 * Scripted episodes as readable files, so that a change of a rule is a readable diff. After an intended change:
 * `npx vitest run src/envs -u`, then read the diff.
 */
interface Scenario {
  /** File name without `.txt`. */
  readonly name: string;
  readonly title: string;
  readonly options: WorldOptions;
  /** The first task whose opening prompt contains this text. */
  readonly opening: string;
  /** One entry a turn: token names, or `expert`. */
  readonly script: readonly string[];
}

const routed = {
  kind: 'routeSearchAnswer',
  numKeys: 8,
  numValues: 8,
  answerLength: 1,
  searchShare: 0.8,
  maxTurns: 4,
  invalidPenalty: 0.01,
} as const;
const retried = {
  kind: 'solveVerify',
  modulus: 10,
  maxRounds: 2,
  actOnce: false,
  invalidPenalty: 0.1,
} as const;

const expert = (numTurns: number): string[] => Array<string>(numTurns).fill('expert');

const scenarios: readonly Scenario[] = [
  {
    name: 'hardExpert',
    title: 'A hard question, played by the expert',
    options: routed,
    opening: 'HARD KEY_3',
    script: expert(4),
  },
  {
    name: 'easyExpert',
    title: 'An easy question, played by the expert; the last key wraps around',
    options: routed,
    opening: 'EASY KEY_7',
    script: expert(2),
  },
  {
    name: 'easySearched',
    title: 'A search also finds the answer of an easy question',
    options: routed,
    opening: 'EASY KEY_2',
    script: ['SEARCH', 'KEY_2', 'ANSWER', 'VALUE_3'],
  },
  {
    name: 'nullSearch',
    title: 'A wrong query finds nothing and the answer is a guess',
    options: routed,
    opening: 'HARD KEY_5',
    script: ['SEARCH', 'KEY_4', 'ANSWER', 'expert'],
  },
  {
    name: 'lastSearchCounts',
    title: 'Each search replaces the result of the one before',
    options: { ...routed, maxTurns: 8 },
    opening: 'HARD KEY_1',
    script: ['SEARCH', 'KEY_1', 'SEARCH', 'KEY_0', 'SEARCH', 'KEY_1', 'ANSWER', 'expert'],
  },
  {
    name: 'timeOut',
    title: 'Two searches use up the turns',
    options: routed,
    opening: 'HARD KEY_5',
    script: ['SEARCH', 'KEY_4', 'SEARCH', 'KEY_5'],
  },
  {
    name: 'lastTurnIsRouting',
    title: 'With an odd limit the router is asked although no answer can follow',
    options: { ...routed, maxTurns: 3 },
    opening: 'HARD KEY_5',
    script: ['SEARCH', 'KEY_5', 'ANSWER'],
  },
  {
    name: 'invalidRouter',
    title: 'A routing that the world cannot read ends the episode',
    options: routed,
    opening: 'HARD',
    script: ['VALUE_0'],
  },
  {
    name: 'invalidSearch',
    title: 'A query that is no key finds nothing and costs the penalty',
    options: routed,
    opening: 'HARD KEY_3',
    script: ['SEARCH', 'VALUE_3', 'ANSWER', 'expert'],
  },
  {
    name: 'invalidAnswer',
    title: 'An answer with a token that is no value is not right and costs the penalty',
    options: { ...routed, answerLength: 2 },
    opening: 'EASY KEY_2',
    script: ['ANSWER', 'VALUE_3 KEY_4'],
  },
  {
    name: 'longAnswer',
    title: 'Three answer tokens; the search returns as many',
    options: { ...routed, answerLength: 3, searchShare: 1 },
    opening: 'HARD KEY_6',
    script: expert(4),
  },
  {
    name: 'expert',
    title: 'One digit, played by the expert',
    options: retried,
    opening: '7 +',
    script: expert(2),
  },
  {
    name: 'rejectedThenRight',
    title: 'A wrong attempt is sent back; the second one stands without a verifier call',
    options: retried,
    opening: '3 + 4 =',
    script: ['6', 'expert', 'expert'],
  },
  {
    name: 'rightThenSpoiled',
    title: 'A wrong rejection: the last attempt stands, also when the one before was right',
    options: retried,
    opening: '3 + 4 =',
    script: ['7', 'REJECT', '8'],
  },
  {
    name: 'unreadableAttempt',
    title: 'An attempt that is no number is shown as BAD and costs the penalty',
    options: retried,
    opening: '3 + 4 =',
    script: ['ACCEPT', 'expert', 'expert'],
  },
  {
    name: 'unreadableVerdict',
    title: 'A verdict that the world cannot read counts as ACCEPT and costs the penalty',
    options: retried,
    opening: '3 + 4 =',
    script: ['expert', '7'],
  },
  {
    name: 'twoDigits',
    title: 'Modulus 97: two digits with leading zeros, played by the expert',
    options: { ...retried, modulus: 97 },
    opening: '> 0',
    script: expert(2),
  },
  {
    name: 'numberTooLarge',
    title: 'Modulus 97: the numbers 97 to 99 are no results',
    options: { ...retried, modulus: 97, maxRounds: 3 },
    opening: '9',
    script: ['9 7', 'REJECT', '9 6', 'REJECT', '9 9'],
  },
  {
    name: 'onceAccepted',
    title: 'Every agent acts exactly once: right and accepted',
    options: { ...retried, actOnce: true },
    opening: '3 + 4 =',
    script: expert(2),
  },
  {
    name: 'onceRejected',
    title: 'Every agent acts exactly once: a rejected attempt earns nothing',
    options: { ...retried, actOnce: true },
    opening: '3 + 4 =',
    script: ['7', 'REJECT'],
  },
];

function firstTask(world: Workflow, opening: string): { task: number; state: unknown } {
  for (let task = 0; task < 10_000; task++) {
    const state = world.reset(foldIn(keyFromSeed(1), task));
    const [call] = world.pending(state);
    if (call && describeTokens(world.spec, call.promptTokens).includes(opening))
      return { task, state };
  }
  throw new Error(`No task opens with ${opening}.`);
}

function idOf(world: Workflow, name: string): number {
  const id = world.spec.vocabulary.indexOf(name);
  if (id < 0) throw new Error(`${name} is no token of this world.`);
  return id;
}

function playthrough({ title, options, opening, script }: Scenario): string {
  const world = createWorkflow(options);
  const { spec } = world;
  const first = firstTask(world, opening);
  let { state } = first;
  const lines = [title, JSON.stringify(options), `task ${first.task} of seed 1`, ''];
  for (const entry of script) {
    const [call] = world.pending(state);
    if (!call) throw new Error(`The episode ended before ${entry}.`);
    const actionTokens =
      entry === 'expert'
        ? world.demonstrate(state, call)
        : Int32Array.from(entry.split(' '), (name) => idOf(world, name));
    const step = world.apply(state, call, actionTokens);
    lines.push(
      `turn ${call.turnIndex}, ${spec.agents[call.agent]}`,
      `  reads   ${describeTokens(spec, call.promptTokens)}`,
      `  writes  ${describeTokens(spec, actionTokens)}${step.isValid ? '' : `   invalid, penalty ${step.penalty}`}`,
    );
    state = step.state;
  }
  return [...lines, '', `team reward ${world.teamReward(state)}`, ''].join('\n');
}

test.each(scenarios.map((scenario) => [scenario.options.kind, scenario.name, scenario] as const))(
  '%s/%s plays out as its transcript says',
  async (kind, name, scenario) => {
    await expect(playthrough(scenario)).toMatchFileSnapshot(`./${kind}/transcripts/${name}.txt`);
  },
);

test.each(['routeSearchAnswer', 'solveVerify'])(
  '%s: no transcript has lost its scenario',
  (kind) => {
    const named = scenarios.filter(({ options }) => options.kind === kind);
    const files = new Set(named.map(({ name }) => `${name}.txt`));
    const stored = readdirSync(join(import.meta.dirname, kind, 'transcripts'));
    expect(stored.filter((file) => !files.has(file))).toEqual([]);
  },
);
