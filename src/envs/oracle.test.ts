import { describe, expect, test } from 'vitest';
import { keyFromSeed } from '../rl/rng';
import { createWorkflow } from './registry';
import { erratic, forAnyEpisode, play, rewardsOf, worlds } from './testing/randomPlay';

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
});
