import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentIdsOf, worldsWithInvocations, type EnvironmentSpec } from '../config/experimentSpec';
import { foldIn, keyFromSeed, uniform, uniformInt, type Key } from '../rl/rng';
import { createWorkflow, type WorldOptions } from './registry';
import type { Call, TrajectoryRewards, Workflow } from './workflow';

/** What every world promises, whatever its options. */
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
const planned = {
  kind: 'planExecute',
  numSlots: 3,
  maxSubtasks: 2,
  toolTurns: 3,
  numKeys: 4,
  numValues: 4,
  singleAgent: false,
  invalidPenalty: 0.01,
} as const;

/** Typed as the specification's worlds: both must fit each other. */
const specified: readonly EnvironmentSpec[] = [routed, retried, planned];

test.each(specified)('$kind has the agents of the specification', (environment) => {
  const world = createWorkflow(environment);
  expect(world.spec.agents).toEqual(agentIdsOf[environment.kind]);
  expect(world.rewards !== undefined).toBe(worldsWithInvocations.has(environment.kind));
});

const worlds: readonly (readonly [string, WorldOptions])[] = [
  ['routed, the miniature', routed],
  ['routed, long answers', { ...routed, answerLength: 3, numValues: 5, maxTurns: 8 }],
  ['routed, too few turns to search', { ...routed, maxTurns: 3, searchShare: 0.5 }],
  ['routed, smallest', { ...routed, numKeys: 2, numValues: 2, maxTurns: 2, searchShare: 0 }],
  ['routed, largest, free', { ...routed, numKeys: 64, numValues: 64, invalidPenalty: 0 }],
  ['retried, one digit', retried],
  ['retried, few numbers', { ...retried, modulus: 3, maxRounds: 4 }],
  ['retried, two digits', { ...retried, modulus: 97, maxRounds: 3 }],
  ['retried, a single round', { ...retried, maxRounds: 1 }],
  ['each acts once', { ...retried, actOnce: true, maxRounds: 4 }],
  ['planned, the miniature', planned],
  ['planned, every slot may be hidden', { ...planned, numSlots: 8, maxSubtasks: 8, numKeys: 2 }],
  ['planned, smallest', { ...planned, numSlots: 1, maxSubtasks: 1, toolTurns: 2, numKeys: 1 }],
  ['planned, one of many slots', { ...planned, numSlots: 6, maxSubtasks: 1, invalidPenalty: 0 }],
  ['planned, a single agent', { ...planned, singleAgent: true }],
];

interface Played {
  readonly state: unknown;
  readonly call: Call;
  readonly actionTokens: Int32Array;
  readonly isValid: boolean;
  readonly penalty: number;
}

type Act = (state: unknown, call: Call) => Int32Array;

function play(world: Workflow, key: Key, act: Act): { turns: Played[]; last: unknown } {
  const turns: Played[] = [];
  let state = world.reset(key);
  for (let [call] = world.pending(state); call; [call] = world.pending(state)) {
    const actionTokens = act(state, call);
    const { state: next, isValid, penalty } = world.apply(state, call, actionTokens);
    turns.push({ state, call, actionTokens, isValid, penalty });
    state = next;
    if (turns.length > 100) throw new Error('The episode does not end.');
  }
  return { turns, last: state };
}

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

/** Where a world does not tell trajectories apart, the main one earns the team reward. */
function rewardsOf(world: Workflow, state: unknown): TrajectoryRewards {
  return world.rewards?.(state) ?? { main: world.teamReward(state), invocations: [] };
}

/** Half of the turns as the expert, so that late states are reached; half anything, invalid ids on either side included. */
function erratic(world: Workflow, key: Key): Act {
  const numIds = world.spec.vocabulary.length + 2;
  return (state, call) => {
    const turnKey = foldIn(key, call.turnIndex);
    if (uniform(turnKey, 0) < 0.5) return world.demonstrate(state, call);
    return Int32Array.from(
      { length: call.actionLength },
      (_, i) => uniformInt(turnKey, i, numIds) - 1,
    );
  };
}

/** Typed arrays cannot be frozen; the test compares them with a copy instead. */
function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
}

function forAnyEpisode(check: (taskKey: Key, actionKey: Key) => void): void {
  const seed = fc.nat(0xffffffff);
  fc.assert(
    fc.property(seed, seed, (task, action) => check(keyFromSeed(task), keyFromSeed(action))),
    { seed: 1, numRuns: 200 },
  );
}

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

  test('the oracle calls exactly the unreadable actions so, and gives 1 to what passes alone', () => {
    forAnyEpisode((taskKey, actionKey) => {
      for (const turn of play(world, taskKey, erratic(world, actionKey)).turns) {
        const { tag, localReward } = world.judge(turn.state, turn.call, turn.actionTokens);
        expect(tag === 'unreadable').toBe(!turn.isValid);
        expect(localReward === 1).toBe(tag === 'pass');
        expect(localReward).toBeGreaterThanOrEqual(0);
        expect(localReward).toBeLessThanOrEqual(1);
        if (tag === 'unreadable') expect(localReward).toBe(0);
        expect(() => world.judge(turn.state, turn.call, new Int32Array(0))).toThrow(RangeError);
      }
    });
  });

  test('shared states hold real tokens, reach the greatest width, and end with the prompt', () => {
    const widths = new Set<number>();
    forAnyEpisode((taskKey, actionKey) => {
      for (const { state, call } of play(world, taskKey, erratic(world, actionKey)).turns) {
        const tokens = world.stateTokens(state, call);
        widths.add(tokens.length);
        expect(Math.min(...tokens)).toBeGreaterThan(0);
        expect(Math.max(...tokens)).toBeLessThan(spec.vocabulary.length);
        expect(tokens.slice(-call.promptTokens.length)).toEqual(call.promptTokens);
        const later = { ...call, turnIndex: call.turnIndex + 1 };
        expect(() => world.stateTokens(state, later)).toThrow(RangeError);
      }
    });
    expect(Math.max(...widths)).toBe(spec.maxStateTokens);
  });

  test('equal shared states have equal futures: the same actions earn the same', () => {
    const futures = new Map<string, string>();
    let numCompared = 0;
    forAnyEpisode((taskKey, actionKey) => {
      // One script of actions for all states, so that equal states meet equal futures.
      const act = erratic(world, keyFromSeed(9));
      for (const { state, call } of play(world, taskKey, erratic(world, actionKey)).turns) {
        if (world.pending(state).length > 1) continue;
        const earned: unknown[] = [];
        let current = state;
        for (let [next] = world.pending(current); next; [next] = world.pending(current)) {
          const actionTokens = act(current, next);
          earned.push(world.judge(current, next, actionTokens));
          const applied = world.apply(current, next, actionTokens);
          earned.push([applied.isValid, applied.penalty]);
          current = applied.state;
        }
        const future = JSON.stringify([earned, rewardsOf(world, current)]);
        const place = `${call.turnIndex}: ${world.stateTokens(state, call).join()}`;
        if (futures.has(place)) numCompared += 1;
        expect(futures.get(place) ?? future).toBe(future);
        futures.set(place, future);
      }
    });
    expect(numCompared).toBeGreaterThan(0);
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
