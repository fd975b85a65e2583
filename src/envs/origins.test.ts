import { describe, expect, test } from 'vitest';
import { foldIn, uniformInt, type Key } from '../rl/rng';
import { createWorkflow } from './registry';
import {
  erratic,
  forAnyEpisode,
  planned,
  play,
  retried,
  routed,
  worlds,
  type Act,
  type Played,
} from './testing/randomPlay';
import type { Call, Workflow } from './workflow';

/** Where the tokens of a prompt come from, in every world. */

/** By turn: itself, and all turns that what it read comes from, directly or through others. */
function ancestors(turns: readonly Played[]): Set<number>[] {
  const all: Set<number>[] = [];
  for (const { call } of turns) {
    const own = new Set([call.turnIndex]);
    for (const origin of call.origins)
      if (origin >= 0) for (const turn of all[origin]!) own.add(turn);
    all.push(own);
  }
  return all;
}

/**
 * Turns of two episodes that are asked the same: the n-th of the same agent in the same invocation, or of one that does all its
 * sub-tasks itself, in the same sub-task (which begins at TURN_0).
 */
function questionNames({ spec }: Workflow): (call: Call) => string {
  const firstTurn = spec.vocabulary.indexOf('TURN_0');
  const counts = new Map<string, number>();
  const count = (name: string): number => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts.get(name)!;
  };
  const started = new Map<number, number>();
  return ({ agent, invocation, promptTokens }) => {
    if (invocation === undefined && promptTokens.includes(firstTurn))
      started.set(agent, (started.get(agent) ?? 0) + 1);
    const name = `${agent}, ${promptTokens.length}, ${invocation ?? -1}, ${started.get(agent) ?? 0}`;
    return `${name}, ${count(name)}`;
  };
}

function byQuestion(world: Workflow, turns: readonly Played[]): Map<string, Played> {
  const nameOf = questionNames(world);
  return new Map(turns.map((turn) => [nameOf(turn.call), turn]));
}

/** Writes by what it reads alone, so that a changed message changes what is written on it, and so on. */
function readers(world: Workflow, key: Key): Act {
  const { vocabulary } = world.spec;
  return (state, call) => {
    const read = foldIn(key, call.anchor);
    if (uniformInt(read, 0, 3) > 0) return world.demonstrate(state, call);
    return Int32Array.from({ length: call.actionLength }, (_, i) =>
      uniformInt(foldIn(read, 1), i, vocabulary.length),
    );
  };
}

describe.each(worlds)('%s', (_, environment) => {
  const world = createWorkflow(environment);

  test('every token of a prompt has an origin: the world, or an earlier turn of the episode', () => {
    forAnyEpisode((taskKey, actionKey) => {
      const { turns } = play(world, taskKey, erratic(world, actionKey));
      for (const { call } of turns) {
        expect(call.origins).toHaveLength(call.promptTokens.length);
        for (const origin of call.origins) {
          expect(origin).toBeGreaterThanOrEqual(-1);
          expect(origin).toBeLessThan(call.turnIndex);
        }
      }
    });
  });

  test('calls that wait together do not read one another', () => {
    forAnyEpisode((taskKey, actionKey) => {
      for (const { state } of play(world, taskKey, erratic(world, actionKey)).turns) {
        const calls = world.pending(state);
        const waiting = new Set(calls.map(({ turnIndex }) => turnIndex));
        for (const { origins } of calls)
          expect([...origins].filter((origin) => waiting.has(origin))).toEqual([]);
      }
    });
  });

  test('another action changes in later prompts only what comes from it, directly or through others', () => {
    let numChanged = 0;
    const isCount = (token: number): boolean => world.spec.vocabulary[token]!.startsWith('TURN_');
    forAnyEpisode((taskKey, actionKey) => {
      const act = readers(world, actionKey);
      const { turns } = play(world, taskKey, act);
      const changed = uniformInt(actionKey, 99, turns.length);
      const { state, call } = turns[changed]!;
      const other = erratic(world, foldIn(actionKey, 1))(state, call);
      const sequel = play(world, taskKey, (at, asked) =>
        asked.turnIndex === changed ? other : act(at, asked),
      );
      // The turns that were taken before and beside it are the same in both.
      const [before, after] = [ancestors(turns), ancestors(sequel.turns)];
      const asked = byQuestion(world, sequel.turns);
      for (const [name, { call: first }] of byQuestion(world, turns)) {
        const second = asked.get(name)?.call;
        if (second === undefined) continue;
        for (const [place, token] of first.promptTokens.entries()) {
          const seen = second.promptTokens[place]!;
          // How many turns were taken is the world's count, whoever took them.
          if (token === seen || (isCount(token) && isCount(seen))) continue;
          numChanged++;
          const origins = [before[first.origins[place]!], after[second.origins[place]!]];
          expect(origins.some((from) => from?.has(changed))).toBe(true);
        }
      }
    });
    // A team that can only answer at once hands nothing on: neither a single solver, nor a router without a turn to read a search.
    const mustHandOn = world.spec.maxTurns > (environment.kind === 'routeSearchAnswer' ? 2 : 1);
    expect(numChanged > 0).toBe(mustHandOn);
  });
});

/** [turns] [prompt length] of an episode in which `act` says what each turn writes; the expert where it says nothing. */
function originsOf(
  world: Workflow,
  taskKey: Key,
  written: Record<number, string[]> = {},
): number[][] {
  const act: Act = (state, call) => {
    const tokens = written[call.turnIndex]?.map((token) => world.spec.vocabulary.indexOf(token));
    return tokens === undefined ? world.demonstrate(state, call) : Int32Array.from(tokens);
  };
  return play(world, taskKey, act).turns.map(({ call }) => Array.from(call.origins));
}

test('a router is the origin of whom it asks, a search of what it returned', () => {
  const world = createWorkflow({ ...routed, searchShare: 1 });
  expect(originsOf(world, [1, 2])).toEqual([
    [-1, -1, -1, -1, -1],
    [0, -1, -1, -1, -1],
    [-1, -1, -1, 1, -1],
    [2, -1, -1, 1, -1],
  ]);
});

test('an attempt comes from the solver, the next round from who rejected', () => {
  const world = createWorkflow({ ...retried, maxRounds: 3 });
  expect(originsOf(world, [1, 2], { 1: ['REJECT'], 3: ['REJECT'] })).toEqual([
    [-1, -1, -1, -1, -1, -1, -1],
    [-1, -1, -1, -1, -1, 0, -1],
    [1, -1, -1, -1, -1, 0, 1],
    [-1, -1, -1, -1, -1, 2, 1],
    [3, -1, -1, -1, -1, 2, 3],
  ]);
});

test('sub-calls come from the plan, their reports from the last turn of each', () => {
  const world = createWorkflow({ ...planned, numValues: 1, numKeys: 2 });
  // Sub-call 0 reports at once, sub-call 1 looks up first: turns 1 and 2 are parallel, turn 3 is sub-call 1 alone.
  const written = {
    0: ['KEY_0', 'SKIP', 'KEY_1'],
    1: ['VALUE_0'],
    2: ['KEY_1'],
    3: ['VALUE_0'],
  };
  expect(originsOf(world, [1, 2], written)).toEqual([
    [-1, -1, -1, -1, -1],
    [0, 0, 0, -1, -1, -1],
    [0, 0, 0, -1, -1, -1],
    [0, 0, 0, 2, 2, -1],
    [-1, -1, 1, -1, 3],
  ]);
});
