import { describe, expect, test } from 'vitest';
import { createWorkflow } from './registry';
import {
  erratic,
  forAnyEpisode,
  planned,
  play,
  retried,
  routed,
  worlds,
} from './testing/randomPlay';
import type { Call, Workflow } from './workflow';

/** What a world declares about who is followed by whom is what happens in it. */

function numbersOf(calls: readonly Call[]): ReadonlySet<number> {
  return new Set(calls.map(({ turnIndex }) => turnIndex));
}

/** `from>to` of every call that a turn led to, over many episodes of erratic play. */
function seenHandovers(world: Workflow): ReadonlySet<string> {
  const seen = new Set<string>();
  forAnyEpisode((taskKey, actionKey) => {
    const { turns, last } = play(world, taskKey, erratic(world, actionKey));
    for (const [position, { state, call }] of turns.entries()) {
      const before = numbersOf(world.pending(state));
      const after = world.pending(turns[position + 1]?.state ?? last);
      // Calls that waited beside this one are not due to it.
      for (const asked of after.filter(({ turnIndex }) => !before.has(turnIndex)))
        seen.add(`${call.agent}>${asked.agent}`);
    }
  });
  return seen;
}

function declaredHandovers({ spec }: Workflow): readonly string[] {
  return spec.handovers.map(({ from, to }) => `${from}>${to}`);
}

describe.each(worlds)('%s', (_, environment) => {
  const world = createWorkflow(environment);
  const declared = declaredHandovers(world);

  test('random play hands over only as declared', () => {
    expect([...seenHandovers(world)].filter((handover) => !declared.includes(handover))).toEqual(
      [],
    );
  });

  test('each pair of agents is declared once, and both agents exist', () => {
    const { agents, handovers } = world.spec;
    expect(new Set(declared).size).toBe(declared.length);
    for (const { from, to, message } of handovers) {
      expect(agents[from]).toBeDefined();
      expect(agents[to]).toBeDefined();
      expect(message).not.toBe('');
    }
  });

  test('every episode starts with one call of the first agent', () => {
    forAnyEpisode((taskKey) => {
      const calls = world.pending(world.reset(taskKey));
      expect(calls.map(({ agent }) => agent)).toEqual([world.spec.firstAgent]);
    });
  });
});

test.each([routed, retried, planned])('$kind: everything declared happens', (environment) => {
  const world = createWorkflow(environment);
  expect([...seenHandovers(world)].toSorted()).toEqual(declaredHandovers(world).toSorted());
});
