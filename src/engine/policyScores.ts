import type { PolicyApi, ScoreTurns } from '../protocol/policyApi';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import type { Turn } from './experience';
import { packTurnArrays } from './turnArrays';

/** What policies say about written turns: log-probabilities under weights that did not write them, and what prompts had to do with it. */

interface ScoredTurn {
  readonly replica: number;
  readonly turn: Turn;
}

interface Doors {
  readonly plan: ExperimentPlan;
  readonly policies: readonly PolicyApi[];
}

/** What is asked of a policy about written turns: [B, width], of which each turn has its own length. */
interface Question {
  readonly ask: (policy: PolicyApi, turns: ScoreTurns) => Promise<Float32Array>;
  readonly widthOf: (turns: ScoreTurns) => number;
  readonly lengthOf: (turn: Turn) => number;
}

/**
 * [turns] × [action length] log-probabilities under the present weights or the frozen reference. Unit: nats.
 * Policies score at the same time.
 */
export function scoreTurns(
  doors: Doors,
  turns: readonly ScoredTurn[],
  under: 'current' | 'reference',
): Promise<Float32Array[]> {
  return askPolicies(doors, turns, {
    ask: (policy, arrays) => policy.score(arrays, under),
    widthOf: ({ actionWidth }) => actionWidth,
    lengthOf: ({ actionTokens }) => actionTokens.length,
  });
}

/** [turns] × [prompt length] see `PolicyApi.promptInfluence`. */
export function turnInfluence(doors: Doors, turns: readonly ScoredTurn[]): Promise<Float32Array[]> {
  return askPolicies(doors, turns, {
    ask: (policy, arrays) => policy.promptInfluence(arrays),
    widthOf: ({ promptWidth }) => promptWidth,
    lengthOf: ({ promptTokens }) => promptTokens.length,
  });
}

async function askPolicies(
  { plan, policies }: Doors,
  turns: readonly ScoredTurn[],
  { ask, widthOf, lengthOf }: Question,
): Promise<Float32Array[]> {
  const byCohort = new Map<number, number[]>();
  for (const [index, { replica, turn }] of turns.entries()) {
    const { cohort } = plan.replicas[replica]!.seats[turn.agent]!;
    const own = byCohort.get(cohort) ?? [];
    byCohort.set(cohort, own);
    own.push(index);
  }
  const answers: Float32Array[] = Array.from(turns, () => new Float32Array());
  const asked = Array.from(byCohort, async ([cohort, indices]) => {
    const arrays = packTurnArrays(
      plan,
      indices.map((index) => turns[index]!),
    );
    // Before the arrays are given away.
    const width = widthOf(arrays);
    const values = await ask(policies[cohort]!, arrays);
    for (const [row, index] of indices.entries()) {
      const start = row * width;
      answers[index] = values.slice(start, start + lengthOf(turns[index]!.turn));
    }
  });
  await Promise.all(asked);
  return answers;
}

/** Does the replica's update divide by log-probabilities of the trainer's own? */
export function needsTrainerLogprobs({ training: { loss, estimator } }: ReplicaPlan): boolean {
  return loss.oldLogprobs === 'trainer' || estimator.kind === 'vtrace';
}

/** Does the replica's reward contain a KL penalty? */
export function needsReferenceLogprobs({ training: { loss } }: ReplicaPlan): boolean {
  return loss.refKlCoef > 0 && loss.refKlIn === 'reward';
}
