import { columnBytes } from '../metrics/columnBytes';
import type { GroupRecord } from '../protocol/trainerApi';
import type { ScoredSteps } from './advantages';
import type { Trajectory } from './experience';
import { learnedSteps } from './itemsToLearn';
import type { ReplicaBatch } from './learning';

/** What each replica learned from, in columns, for those who want to see how its advantages came about. */

/** Most that the records of one iteration may hold. 23,000 steps, as the first preset has with 15 replicas, take 0.6 MB. Unit: bytes. */
export const maxRecordBytes = 4 * 2 ** 20;

/** [trajectories] number of each among those of its task, from 0. */
function rolloutNumbers(trajectories: readonly Trajectory[]): number[] {
  const counts = new Map<number, number>();
  return trajectories.map(({ task }) => {
    const rollout = counts.get(task) ?? 0;
    counts.set(task, rollout + 1);
    return rollout;
  });
}

/** A column of weights says nothing where every step counts once. */
function ownWeights({ weights }: ScoredSteps): Float64Array | null {
  return weights.every((weight) => weight === 1) ? null : weights.slice();
}

/**
 * One replica's iteration in columns. They are copies: the record may be sent away.
 * @param spikingAgents ids of the agents whose gradient norm spiked in this iteration
 */
export function groupRecord(
  batch: Pick<ReplicaBatch, 'replica' | 'scored'>,
  iteration: number,
  spikingAgents: readonly string[],
): GroupRecord {
  const { replica, scored } = batch;
  const { trajectories, trajectoryOf, turns, scores, advantages } = scored;
  const rolloutOf = rolloutNumbers(trajectories);
  return {
    arm: replica.arm,
    seed: replica.seed,
    iteration,
    agents: replica.workflow.spec.agents,
    agentIds: Uint8Array.from(turns, ({ agent }) => agent),
    tasks: Uint16Array.from(trajectoryOf, (trajectory) => trajectories[trajectory]!.task),
    rollouts: Uint16Array.from(trajectoryOf, (trajectory) => rolloutOf[trajectory]!),
    turnIndices: Uint16Array.from(turns, ({ turnIndex }) => turnIndex),
    invocations: Int16Array.from(turns, ({ invocation }) => invocation ?? -1),
    scores: scores.rewards.slice(),
    advantages: advantages.slice(),
    weights: ownWeights(scored),
    isLearned: Uint8Array.from(learnedSteps(batch), Number),
    spikingAgents,
  };
}

function hasSpike({ spikingAgents }: GroupRecord): boolean {
  return spikingAgents.length > 0;
}

/**
 * The records that an iteration sends, at most `maxBytes`, in their order. Those with a spike come first; the others take turns, each
 * iteration beginning one further, so that every replica is seen. What does not fit is passed over; a record that is larger than
 * the limit is never sent.
 */
export function recordsToSend(
  records: readonly GroupRecord[],
  iteration: number,
  maxBytes: number = maxRecordBytes,
): GroupRecord[] {
  const start = records.length === 0 ? 0 : iteration % records.length;
  const inTurn = [...records.slice(start), ...records.slice(0, start)];
  const chosen = new Set<GroupRecord>();
  let bytes = 0;
  for (const record of inTurn.toSorted((a, b) => Number(hasSpike(b)) - Number(hasSpike(a)))) {
    const size = columnBytes(record);
    if (bytes + size > maxBytes) continue;
    bytes += size;
    chosen.add(record);
  }
  return records.filter((record) => chosen.has(record));
}
