import type { PolicyApi } from '../protocol/policyApi';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import type { Turn } from './experience';
import { packTurnArrays } from './turnArrays';

/** Log-probabilities of written turns under weights that did not write them. */

interface ScoredTurn {
  readonly replica: number;
  readonly turn: Turn;
}

/**
 * [turns] × [action length] log-probabilities under the present weights or the frozen reference. Unit: nats.
 * Policies score at the same time.
 */
export async function scoreTurns(
  { plan, policies }: { plan: ExperimentPlan; policies: readonly PolicyApi[] },
  turns: readonly ScoredTurn[],
  under: 'current' | 'reference',
): Promise<Float32Array[]> {
  const byCohort = new Map<number, number[]>();
  for (const [index, { replica, turn }] of turns.entries()) {
    const { cohort } = plan.replicas[replica]!.seats[turn.agent]!;
    const own = byCohort.get(cohort) ?? [];
    byCohort.set(cohort, own);
    own.push(index);
  }
  const scores: Float32Array[] = Array.from(turns, () => new Float32Array());
  const asked = Array.from(byCohort, async ([cohort, indices]) => {
    const arrays = packTurnArrays(
      plan,
      indices.map((index) => turns[index]!),
    );
    const logprobs = await policies[cohort]!.score(arrays, under);
    for (const [row, index] of indices.entries()) {
      const start = row * arrays.actionWidth;
      const length = turns[index]!.turn.actionTokens.length;
      scores[index] = logprobs.slice(start, start + length);
    }
  });
  await Promise.all(asked);
  return scores;
}

/** Does the replica's update divide by log-probabilities of the trainer's own? */
export function needsTrainerLogprobs({ training: { loss, estimator } }: ReplicaPlan): boolean {
  return loss.oldLogprobs === 'trainer' || estimator.kind === 'vtrace';
}

/** Does the replica's reward contain a KL penalty? */
export function needsReferenceLogprobs({ training: { loss } }: ReplicaPlan): boolean {
  return loss.refKlCoef > 0 && loss.refKlIn === 'reward';
}
