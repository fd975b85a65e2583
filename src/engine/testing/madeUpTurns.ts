import type { Trajectory, Turn } from '../experience';

/** Turns and trajectories by hand, for tests. */

export function madeUpTurn(agent: number, changes: Partial<Turn> = {}): Turn {
  return {
    agent,
    turnIndex: 0,
    promptTokens: Int32Array.of(1, 2, 3),
    origins: Int32Array.of(-1, -1, -1),
    actionTokens: Int32Array.of(4),
    stateTokens: null,
    rolloutLogprobs: Float32Array.of(-1),
    isValid: true,
    penalty: 0,
    judgement: { tag: 'pass', localReward: 1 },
    branchReward: null,
    siblings: null,
    anchor: 0,
    invocation: null,
    ...changes,
  };
}

/** Turn indices follow the order of `turns`. */
export function madeUpTrajectory(
  turns: readonly Turn[],
  changes: Partial<Trajectory> = {},
): Trajectory {
  return {
    replica: 0,
    batch: 1,
    task: 0,
    teamReward: 0,
    rewards: null,
    turns: turns.map((turn, turnIndex) => ({ ...turn, turnIndex })),
    ...changes,
  };
}
