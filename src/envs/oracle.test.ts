import { describe, expect, test } from 'vitest';
import { foldIn, keyFromSeed, uniform, uniformInt, type Key } from '../rl/rng';
import { createWorkflow } from './registry';
import { erratic, forAnyEpisode, play, rewardsOf, worlds } from './testing/randomPlay';
import type { Call, Workflow } from './workflow';

/** The expert's action half of the time, else the first of some random ones that the world can read, else one that it cannot. */
function scripted(world: Workflow, state: unknown, call: Call, key: Key): Int32Array {
  if (uniform(key, 0) < 0.5) return world.demonstrate(state, call);
  const { length: numIds } = world.spec.vocabulary;
  const tries = Array.from({ length: 12 }, (_try, i) =>
    Int32Array.from({ length: call.actionLength }, (_token, j) =>
      uniformInt(foldIn(key, i), j, numIds),
    ),
  );
  const last = tries.at(-1) ?? new Int32Array(call.actionLength);
  return tries.find((tokens) => world.apply(state, call, tokens).isValid) ?? last;
}

/** All that becomes of a state when `call` is served first: what is asked, how it is judged, what it costs and what it earns. */
function futureOf(
  world: Workflow,
  { state, call }: { readonly state: unknown; readonly call: Call },
  key: Key,
): string {
  const seen: unknown[] = [];
  let current = state;
  let next: Call | undefined = call;
  for (let step = 0; next; step++) {
    const actionTokens = scripted(world, current, next, foldIn(key, step));
    const { state: after, isValid, penalty } = world.apply(current, next, actionTokens);
    const judgement = world.judge(current, next, actionTokens);
    seen.push([[...next.promptTokens], judgement, isValid, penalty]);
    current = after;
    [next] = world.pending(current);
  }
  return JSON.stringify([seen, world.teamReward(current), rewardsOf(world, current)]);
}

/** What every world's scripted oracle and shared state promise. */
describe.each(worlds)('%s', (_, environment) => {
  const world = createWorkflow(environment);
  const { spec } = world;

  test('the oracle calls exactly the unreadable actions so, and gives 1 to what passes alone', () => {
    forAnyEpisode((taskKey, actionKey) => {
      for (const turn of play(world, taskKey, erratic(world, actionKey)).turns) {
        const { tag, localReward } = world.judge(turn.state, turn.call, turn.actionTokens);
        expect(tag === 'unreadable').toBe(!turn.isValid);
        expect(localReward === 1).toBe(tag === 'pass');
        expect(localReward).toBeGreaterThanOrEqual(0);
        expect(localReward).toBeLessThanOrEqual(1);
        expect(tag === 'unreadable' ? localReward : 0).toBe(0);
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

  test('equal shared states have equal futures: the same actions are read, judged and paid alike', () => {
    const scripts = [0, 1, 2, 3].map((script) => foldIn(keyFromSeed(9), script));
    const futures = new Map<string, string>();
    let numCompared = 0;
    forAnyEpisode((taskKey, actionKey) => {
      for (const { state } of play(world, taskKey, erratic(world, actionKey)).turns)
        for (const call of world.pending(state))
          for (const [script, key] of scripts.entries()) {
            const place = `${script}: ${world.stateTokens(state, call).join()}`;
            const future = futureOf(world, { state, call }, key);
            if (futures.has(place)) numCompared += 1;
            expect(futures.get(place) ?? future).toBe(future);
            futures.set(place, future);
          }
    });
    expect(numCompared).toBeGreaterThan(0);
  });

  test('the expert is never at fault but where it guesses or trusts what others wrote', () => {
    forAnyEpisode((taskKey, actionKey) => {
      for (const { state, call } of play(world, taskKey, erratic(world, actionKey)).turns) {
        const { tag } = world.judge(state, call, world.demonstrate(state, call));
        expect(['pass', 'wrongContent']).toContain(tag);
      }
    });
  });
});
