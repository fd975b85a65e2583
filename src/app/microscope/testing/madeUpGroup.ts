import type { GroupRecord } from '../../../protocol/trainerApi';

/** Group records by hand, for tests. */

interface MadeUpStep {
  readonly agent: number;
  readonly task?: number;
  readonly rollout: number;
  readonly score: number;
  readonly advantage?: number;
  readonly isLearned?: boolean;
  readonly invocation?: number;
}

/** Turns follow the order of `steps` within each rollout. */
export function madeUpGroup(
  steps: readonly MadeUpStep[],
  changes: Partial<GroupRecord> = {},
): GroupRecord {
  const turns = new Map<string, number>();
  const turnIndices = steps.map(({ task = 0, rollout }) => {
    const key = `${task} ${rollout}`;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return turn;
  });
  return {
    arm: 'global',
    seed: 0,
    iteration: 1,
    agents: ['router', 'search', 'answer'],
    agentIds: Uint8Array.from(steps, ({ agent }) => agent),
    tasks: Uint16Array.from(steps, ({ task = 0 }) => task),
    rollouts: Uint16Array.from(steps, ({ rollout }) => rollout),
    turnIndices: Uint16Array.from(turnIndices),
    invocations: Int16Array.from(steps, ({ invocation = -1 }) => invocation),
    scores: Float64Array.from(steps, ({ score }) => score),
    advantages: Float64Array.from(steps, ({ advantage = 0 }) => advantage),
    weights: null,
    isLearned: Uint8Array.from(steps, ({ isLearned = true }) => Number(isLearned)),
    spikingAgents: [],
    ...changes,
  };
}
