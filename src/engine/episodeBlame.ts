import type { DiagnosticsSpec } from '../config/experimentSpec';
import type { EpisodeBlame } from '../protocol/trainerApi';
import { blame, type Blame, type InfluencedTurn, type KeptShare } from '../rl/blame';
import { isSolved, type Turn } from './experience';
import type { Learning, ReplicaBatch } from './learning';
import { occlusionWeights } from './occlusion';
import { turnInfluence } from './policyScores';
import { chosenEpisodes, placesOf } from './transcripts';

/**
 * Blame of the failed episodes that an iteration tells: measured before the update, with the weights that wrote them unless rollouts are
 * stale. Whole episodes only: what a branch of a tree read may have been written by another branch.
 */

/**
 * Decided before anything was measured: normalised influence alone cannot tell a turn that wrote nonsense from one that copied it, and
 * what a turn would not write again is known for free.
 */
const keptShare: KeptShare = 'chance';

/** By replica index, then by the index of its trajectory. */
export type Blames = ReadonlyMap<number, ReadonlyMap<number, EpisodeBlame>>;

interface Failure {
  readonly batch: ReplicaBatch;
  /** Index of its trajectory. */
  readonly index: number;
  readonly turns: readonly Turn[];
}

function failuresOf(batch: ReplicaBatch, numReplicas: number, iteration: number): Failure[] {
  const { replica, scored } = batch;
  if (replica.training.groups.sampling !== 'parallel') return [];
  const places = placesOf(replica.index, numReplicas, iteration);
  return chosenEpisodes(scored.trajectories, places, iteration).flatMap((index) => {
    const trajectory = scored.trajectories[index]!;
    const { turns } = trajectory;
    return isSolved(trajectory) || turns.length === 0 ? [] : [{ batch, index, turns }];
  });
}

/** The turns of the batch, from the failure's own ones on and round to them: the nearest are of the same or the next task. */
function othersOf({ batch, index }: Failure): readonly Turn[] {
  const { trajectories } = batch.scored;
  return [...trajectories.slice(index + 1), ...trajectories.slice(0, index)].flatMap(
    ({ turns }) => turns,
  );
}

/** [turns of all failures] × [prompt length] */
function weightsOf(
  learning: Pick<Learning, 'plan' | 'policies'>,
  method: EpisodeBlame['method'],
  failures: readonly Failure[],
): Promise<ArrayLike<number>[]> {
  const items = failures.flatMap((failure) => {
    const others = method === 'occlusion' ? othersOf(failure) : [];
    const replica = failure.batch.replica.index;
    return failure.turns.map((turn) => ({ replica, turn, others }));
  });
  switch (method) {
    case 'gradNorm':
      return turnInfluence(learning, items);
    case 'occlusion':
      return occlusionWeights(learning, items);
  }
}

/** ≤ 0, of the whole action under the policy that wrote it. Unit: nats. */
function logprobOf({ rolloutLogprobs }: Turn): number {
  return Math.min(
    0,
    rolloutLogprobs.reduce((total, logprob) => total + logprob, 0),
  );
}

/** [prompt length] of the sum; 0 where that is 0. */
function sharesOf(weights: ArrayLike<number>): number[] {
  const values = Array.from(weights);
  const largest = Math.max(...values);
  const total = values.reduce((sum, weight) => sum + weight / largest, 0);
  return values.map((weight) => (largest > 0 ? weight / largest / total : 0));
}

function told(
  method: EpisodeBlame['method'],
  turns: readonly InfluencedTurn[],
  { shares, tokens }: Blame,
): EpisodeBlame {
  return {
    method,
    turns: turns.map(({ origins, weights }, place) => ({
      share: shares[place]!,
      origins: Array.from(origins),
      influence: sharesOf(weights),
      handedOn: [...tokens[place]!],
    })),
  };
}

/** Null where a weight is not finite: nothing can be said of such an episode. `weights`: [turns] × [prompt length] */
function blameOf(
  method: EpisodeBlame['method'],
  turns: readonly Turn[],
  weights: readonly ArrayLike<number>[],
): EpisodeBlame | null {
  if (!weights.every((own) => Array.from(own).every(Number.isFinite))) return null;
  const placeOf = new Map(turns.map(({ turnIndex }, place) => [turnIndex, place]));
  const influenced = turns.map((turn, place): InfluencedTurn => ({
    weights: weights[place]!,
    origins: Array.from(turn.origins, (origin) => (origin < 0 ? -1 : placeOf.get(origin)!)),
    logprob: logprobOf(turn),
  }));
  return told(method, influenced, blame(influenced, keptShare));
}

/** Empty in an iteration that is not measured, or where it is switched off. The policies are asked once. */
export async function measureBlame(
  learning: Pick<Learning, 'plan' | 'policies'>,
  { blame: method, every }: DiagnosticsSpec,
  batches: readonly ReplicaBatch[],
  iteration: number,
): Promise<Blames> {
  if (method === 'off' || iteration % every !== 0) return new Map();
  const numReplicas = learning.plan.replicas.length;
  const failures = batches.flatMap((batch) => failuresOf(batch, numReplicas, iteration));
  if (failures.length === 0) return new Map();
  const weights = await weightsOf(learning, method, failures);
  const blames = new Map<number, Map<number, EpisodeBlame>>();
  let next = 0;
  for (const { batch, index, turns } of failures) {
    const own = blameOf(method, turns, weights.slice(next, next + turns.length));
    next += turns.length;
    if (own === null) continue;
    const ofReplica = blames.get(batch.replica.index) ?? new Map<number, EpisodeBlame>();
    blames.set(batch.replica.index, ofReplica.set(index, own));
  }
  return blames;
}
