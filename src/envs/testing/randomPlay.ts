import fc from 'fast-check';
import { foldIn, keyFromSeed, uniform, uniformInt, type Key } from '../../rl/rng';
import type { WorldOptions } from '../registry';
import type { Call, TrajectoryRewards, Workflow } from '../workflow';

/** Worlds of all sizes, and random play in them. */

export const routed = {
  kind: 'routeSearchAnswer',
  numKeys: 8,
  numValues: 8,
  answerLength: 1,
  searchShare: 0.8,
  maxTurns: 4,
  invalidPenalty: 0.01,
} as const;
export const retried = {
  kind: 'solveVerify',
  modulus: 10,
  maxRounds: 2,
  actOnce: false,
  invalidPenalty: 0.1,
} as const;
export const planned = {
  kind: 'planExecute',
  numSlots: 3,
  maxSubtasks: 2,
  toolTurns: 3,
  numKeys: 4,
  numValues: 4,
  singleAgent: false,
  invalidPenalty: 0.01,
} as const;

export const worlds: readonly (readonly [string, WorldOptions])[] = [
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
  // So few tasks that the same shared state comes up again and again.
  ['planned, few tasks', { ...planned, numSlots: 2, toolTurns: 2, numKeys: 2, numValues: 2 }],
];

export interface Played {
  readonly state: unknown;
  readonly call: Call;
  readonly actionTokens: Int32Array;
  readonly isValid: boolean;
  readonly penalty: number;
}

export type Act = (state: unknown, call: Call) => Int32Array;

export function play(world: Workflow, key: Key, act: Act): { turns: Played[]; last: unknown } {
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

/** Where a world does not tell trajectories apart, the main one earns the team reward. */
export function rewardsOf(world: Workflow, state: unknown): TrajectoryRewards {
  return world.rewards?.(state) ?? { main: world.teamReward(state), invocations: [] };
}

/** Half of the turns as the expert, so that late states are reached; half anything, invalid ids on either side included. */
export function erratic(world: Workflow, key: Key): Act {
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

export function forAnyEpisode(check: (taskKey: Key, actionKey: Key) => void): void {
  const seed = fc.nat(0xffffffff);
  fc.assert(
    fc.property(seed, seed, (task, action) => check(keyFromSeed(task), keyFromSeed(action))),
    { seed: 1, numRuns: 200 },
  );
}
