import type { CriticApi } from '../protocol/criticApi';
import type { PolicyApi } from '../protocol/policyApi';
import { scoreSteps, type ScoredSteps } from './advantages';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import type { ExperienceStore } from './experienceStore';
import { askCritics, type CriticBatch } from './criticStage';
import { applyFailureTags } from './failureTagging';
import { klRewards } from './lossFactors';
import type { ReplicaMemory } from './memory';
import { needsReferenceLogprobs, needsTrainerLogprobs, scoreTurns } from './policyScores';
import { streamKey } from './randomStreams';
import { stepsOf, withStepCosts, type Steps } from './steps';

/** From what waits in the store to what each replica learns from. */

export interface Learning {
  readonly plan: ExperimentPlan;
  readonly policies: readonly PolicyApi[];
  readonly critics: readonly CriticApi[];
  readonly store: ExperienceStore;
}

/** One replica's rollouts, scored. */
export interface ReplicaBatch {
  readonly replica: ReplicaPlan;
  readonly scored: ScoredSteps;
  /** [S] × [action length] the ratio's denominator. Unit: nats. */
  readonly oldLogprobs: readonly Float32Array[];
  /** [S] factor of the failure tags; null without them. */
  readonly tagScales: Float64Array | null;
  /** What the critic said, and what it is to learn; null without one. */
  readonly critic: CriticBatch | null;
  /** As this batch leaves it. */
  readonly memory: ReplicaMemory;
}

/** What was taken out of the store. */
export interface Taken {
  readonly replica: ReplicaPlan;
  readonly steps: Steps;
  /** [S] × [action length] under the policy that the update starts from; null where nobody asks. */
  readonly trainerLogprobs: readonly Float32Array[] | null;
}

/** [replicas] scores of all turns of those replicas that want them, in one call a policy; null for the others. */
async function scoresOf(
  learning: Learning,
  parts: readonly { readonly replica: ReplicaPlan; readonly steps: Steps }[],
  under: 'current' | 'reference',
  isWanted: (replica: ReplicaPlan) => boolean,
): Promise<(readonly Float32Array[] | null)[]> {
  const wanted = parts.filter(({ replica }) => isWanted(replica));
  const turns = wanted.flatMap(({ replica, steps }) =>
    steps.turns.map((turn) => ({ replica: replica.index, turn })),
  );
  if (turns.length === 0) return parts.map(() => null);
  const scores = await scoreTurns(learning, turns, under);
  let next = 0;
  return parts.map(({ replica, steps }) => {
    if (!isWanted(replica)) return null;
    next += steps.turns.length;
    return scores.slice(next - steps.turns.length, next);
  });
}

/** Takes the replicas' rollouts out of the store, with whatever their losses want to know about them. */
async function takeBatches(
  learning: Learning,
  replicas: readonly ReplicaPlan[],
  iteration: number,
): Promise<Taken[]> {
  const parts = replicas.map((replica) => ({
    replica,
    steps: stepsOf(replica, learning.store.take(replica.index, iteration)),
  }));
  const current = await scoresOf(learning, parts, 'current', needsTrainerLogprobs);
  const reference = await scoresOf(learning, parts, 'reference', needsReferenceLogprobs);
  return parts.map(({ replica, steps }, index) => {
    const trainerLogprobs = current[index]!;
    const refLogprobs = reference[index]!;
    if (refLogprobs === null) return { replica, steps, trainerLogprobs };
    const logprobs = trainerLogprobs ?? steps.turns.map((turn) => turn.rolloutLogprobs);
    const rewards = klRewards(replica.training.loss, logprobs, refLogprobs);
    const costs = rewards.map((reward) => -reward);
    return { replica, steps: withStepCosts(steps, costs), trainerLogprobs };
  });
}

/** Scores one replica's steps, with the failure tags applied. */
function scoreBatch(
  { replica, steps, trainerLogprobs }: Taken,
  critic: CriticBatch | null,
  memory: ReplicaMemory,
  iteration: number,
): ReplicaBatch {
  const { training, seed } = replica;
  const key = streamKey(seed, 'alignment', iteration);
  const inputs = { key, baselines: memory.baselines, critic };
  const plain = scoreSteps(steps, training, inputs);
  const { scored, tags, scales } = applyFailureTags(plain, training.failureTags, memory.tags);
  const sampled = steps.turns.map((turn) => turn.rolloutLogprobs);
  return {
    replica,
    scored,
    // V-trace has the distance to the sampler in its advantages: the ratio must not count it again.
    oldLogprobs: trainerLogprobs ?? sampled,
    tagScales: scales,
    critic,
    memory: { ...memory, tags, baselines: scored.baselines },
  };
}

/**
 * The batches of an iteration, scored, in the order of `replicas`.
 * @param memoryOf as the last iteration left it
 */
export async function prepareBatches(
  learning: Learning,
  replicas: readonly ReplicaPlan[],
  iteration: number,
  memoryOf: (replica: ReplicaPlan) => ReplicaMemory,
): Promise<ReplicaBatch[]> {
  const taken = await takeBatches(learning, replicas, iteration);
  const critics = await askCritics(learning, taken);
  return taken.map((part, index) =>
    scoreBatch(part, critics[index]!, memoryOf(part.replica), iteration),
  );
}
