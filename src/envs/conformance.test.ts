import { describe, expect, test } from 'vitest';
import { agentIdsOf, worldsWithInvocations, type EnvironmentSpec } from '../config/experimentSpec';
import { foldIn, keyFromSeed, uniform } from '../rl/rng';
import { createWorkflow, type WorldOptions } from './registry';
import {
  erratic,
  forAnyEpisode,
  planned,
  play,
  retried,
  rewardsOf,
  routed,
  worlds,
  type Act,
} from './testing/randomPlay';
import type { Call, Workflow } from './workflow';

/** What every world promises, whatever its options. */

/** Applies calls that wait together in the given order; what happened is keyed by turn, so that orders can be compared. */
function applyAll(
  world: Workflow,
  start: unknown,
  calls: readonly Call[],
  act: Act,
): { state: unknown; outcomes: Map<number, string> } {
  let state = start;
  const outcomes = new Map<number, string>();
  for (const [applied, call] of calls.entries()) {
    // The others wait unchanged, in the order of their turns.
    const rest = calls.slice(applied).toSorted((a, b) => a.turnIndex - b.turnIndex);
    expect(world.pending(state)).toEqual(rest);
    const { state: next, isValid, penalty } = world.apply(state, call, act(start, call));
    outcomes.set(call.turnIndex, `${isValid} ${penalty}`);
    state = next;
  }
  return { state, outcomes };
}

/** Typed arrays cannot be frozen; the test compares them with a copy instead. */
function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
}

/** Typed as the specification's worlds: both must fit each other. */
const specified: readonly EnvironmentSpec[] = [routed, retried, planned];

test.each(specified)('$kind has the agents of the specification', (environment) => {
  const world = createWorkflow(environment);
  expect(world.spec.agents).toEqual(agentIdsOf[environment.kind]);
  expect(world.rewards !== undefined).toBe(worldsWithInvocations.has(environment.kind));
});

describe.each(worlds)('%s', (_, environment) => {
  const world = createWorkflow(environment);
  const { spec } = world;

  test('the vocabulary starts with padding and names no token twice', () => {
    expect(spec.vocabulary[0]).toBe('PAD');
    expect(new Set(spec.vocabulary).size).toBe(spec.vocabulary.length);
  });

  test('any play ends within the turn limit, turns numbered from 0, with reward 0 or 1', () => {
    forAnyEpisode((taskKey, actionKey) => {
      const { turns, last } = play(world, taskKey, erratic(world, actionKey));
      expect(turns.length).toBeGreaterThan(0);
      expect(turns.length).toBeLessThanOrEqual(spec.maxTurns);
      expect(turns.map(({ call }) => call.turnIndex)).toEqual(turns.map((_turn, i) => i));
      expect([0, 1]).toContain(world.teamReward(last));
    });
  });

  test('prompts hold real tokens and reach the greatest width, and actions fit', () => {
    const widths = new Set<number>();
    forAnyEpisode((taskKey, actionKey) => {
      for (const { call } of play(world, taskKey, erratic(world, actionKey)).turns) {
        widths.add(call.promptTokens.length);
        expect(Math.min(...call.promptTokens)).toBeGreaterThan(0);
        expect(Math.max(...call.promptTokens)).toBeLessThan(spec.vocabulary.length);
        expect(call.actionLength).toBeGreaterThan(0);
        expect(call.actionLength).toBeLessThanOrEqual(spec.maxActionTokens);
        expect(spec.agents[call.agent]).toBeDefined();
      }
    });
    expect(Math.max(...widths)).toBe(spec.maxPromptTokens);
  });

  test('calls that wait together have turns of their own and can be applied in any order', () => {
    forAnyEpisode((taskKey, actionKey) => {
      const act = erratic(world, actionKey);
      let state = world.reset(taskKey);
      for (let calls = world.pending(state); calls.length > 0; calls = world.pending(state)) {
        expect(new Set(calls.map(({ turnIndex }) => turnIndex)).size).toBe(calls.length);
        const inOrder = applyAll(world, state, calls, act);
        const shuffled = calls.toSorted(
          (a, b) => uniform(actionKey, a.turnIndex) - uniform(actionKey, b.turnIndex),
        );
        expect(applyAll(world, state, shuffled, act)).toEqual(inOrder);
        ({ state } = inOrder);
      }
    });
  });

  test('rewards name each invocation that took place, once and in order, between 0 and 1', () => {
    forAnyEpisode((taskKey, actionKey) => {
      const { turns, last } = play(world, taskKey, erratic(world, actionKey));
      const invoked = turns.flatMap(({ call: { agent, invocation } }) =>
        invocation === undefined ? [] : [`${invocation} of ${agent}`],
      );
      const { main, invocations } = rewardsOf(world, last);
      const paid = invocations.map(({ agent, invocation }) => `${invocation} of ${agent}`);
      expect(paid).toEqual([...new Set(invoked)].toSorted());
      for (const reward of [main, ...invocations.map((entry) => entry.reward)]) {
        expect(reward).toBeGreaterThanOrEqual(0);
        expect(reward).toBeLessThanOrEqual(1);
      }
      expect(() => rewardsOf(world, turns[0]?.state)).toThrow(RangeError);
    });
  });

  test('only invalid actions cost, and they cost the penalty', () => {
    forAnyEpisode((taskKey, actionKey) => {
      for (const { isValid, penalty } of play(world, taskKey, erratic(world, actionKey)).turns)
        expect(penalty).toBe(isValid ? 0 : environment.invalidPenalty);
    });
  });

  test('padding and ids outside the vocabulary are invalid everywhere', () => {
    forAnyEpisode((taskKey, actionKey) => {
      for (const { state, call } of play(world, taskKey, erratic(world, actionKey)).turns) {
        for (const token of [0, -1, spec.vocabulary.length]) {
          const action = new Int32Array(call.actionLength).fill(token);
          expect(world.apply(state, call, action).isValid).toBe(false);
        }
      }
    });
  });

  test('the expert writes valid actions in every state, also after mistakes', () => {
    forAnyEpisode((taskKey, actionKey) => {
      for (const { state, call } of play(world, taskKey, erratic(world, actionKey)).turns)
        expect(world.apply(state, call, world.demonstrate(state, call)).isValid).toBe(true);
    });
  });

  test('states and actions are read, never written', () => {
    forAnyEpisode((taskKey, actionKey) => {
      const act = erratic(world, actionKey);
      play(world, taskKey, (state, call) => {
        deepFreeze(state);
        const before = structuredClone(state);
        world.demonstrate(state, call).fill(-1);
        const actionTokens = act(state, call);
        const given = actionTokens.slice();
        const next = world.apply(state, call, actionTokens).state;
        const nextBefore = structuredClone(next);
        expect(actionTokens).toEqual(given);
        actionTokens.fill(-1);
        expect(next).toEqual(nextBefore);
        expect(state).toEqual(before);
        return given;
      });
    });
  });

  test('the same key and the same actions give the same episode', () => {
    forAnyEpisode((taskKey, actionKey) => {
      const first = play(world, taskKey, erratic(world, actionKey));
      const again = play(createWorkflow(environment), taskKey, erratic(world, actionKey));
      expect(again).toEqual(first);
    });
  });

  test('different keys give different tasks', () => {
    // Every world has at least two equally likely first prompts, so 64 tasks agree with probability 2⁻⁶³ at most.
    const prompts = Array.from({ length: 64 }, (_task, i) =>
      world.pending(world.reset(foldIn(keyFromSeed(0), i))).map((call) => call.anchor),
    );
    expect(new Set(prompts.flat()).size).toBeGreaterThan(1);
  });

  test('equal prompts of an agent have equal anchors, and different ones differ', () => {
    const anchors = new Map<string, number>();
    forAnyEpisode((taskKey, actionKey) => {
      for (const { call } of play(world, taskKey, erratic(world, actionKey)).turns) {
        const read = `${call.agent}: ${call.promptTokens.join()}`;
        expect(anchors.get(read) ?? call.anchor).toBe(call.anchor);
        anchors.set(read, call.anchor);
      }
    });
    // A few hundred prompts: two of them share a 32-bit hash with probability below 10⁻⁴.
    expect(new Set(anchors.values()).size).toBe(anchors.size);
  });

  test('a call that is not pending and an action of another length are refused', () => {
    forAnyEpisode((taskKey, actionKey) => {
      const { turns, last } = play(world, taskKey, erratic(world, actionKey));
      for (const { state, call, actionTokens } of turns) {
        const later = { ...call, turnIndex: call.turnIndex + 1 };
        const longer = new Int32Array(call.actionLength + 1);
        expect(() => world.apply(state, later, actionTokens)).toThrow(RangeError);
        expect(() => world.demonstrate(state, later)).toThrow(RangeError);
        expect(() => world.apply(state, call, longer)).toThrow(RangeError);
        expect(() => world.apply(state, call, new Int32Array(0))).toThrow(RangeError);
        expect(() => world.apply(last, call, actionTokens)).toThrow(RangeError);
        expect(() => world.teamReward(state)).toThrow(RangeError);
      }
    });
  });

  test('what is no state of this world is refused with the name of the world', () => {
    const foreign: WorldOptions = environment.kind === 'solveVerify' ? routed : retried;
    const state = createWorkflow(foreign).reset(keyFromSeed(0));
    for (const value of [state, null, undefined, 3, {}]) {
      expect(() => world.pending(value)).toThrow(TypeError);
      expect(() => world.teamReward(value)).toThrow(environment.kind);
      expect(() => rewardsOf(world, value)).toThrow(TypeError);
    }
  });
});

test.each(worlds)(
  '%s: the expert earns the reward whenever the turns suffice',
  (_, environment) => {
    const world = createWorkflow(environment);
    forAnyEpisode((taskKey) => {
      const { turns, last } = play(world, taskKey, (state, call) => world.demonstrate(state, call));
      // A hard question takes four turns: route, search, route, answer.
      const isHard = turns[0]?.call.promptTokens.includes(world.spec.vocabulary.indexOf('HARD'));
      const isOutOfReach = isHard === true && world.spec.maxTurns < 4;
      const { main, invocations } = rewardsOf(world, last);
      for (const reward of [world.teamReward(last), main, ...invocations.map((i) => i.reward)])
        expect(reward).toBe(isOutOfReach ? 0 : 1);
      // What the expert can know it does right in the eyes of the oracle.
      if (isOutOfReach) return;
      for (const { state, call, actionTokens } of turns)
        expect(world.judge(state, call, actionTokens)).toEqual({ tag: 'pass', localReward: 1 });
    });
  },
);
