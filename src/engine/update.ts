import type { PolicyApi, UpdateBatch, UpdateStats } from '../protocol/policyApi';
import type { ExperimentPlan } from './cohorts';
import type { Turn } from './rollout';

/** A turn on its way to the policy that wrote it. */
export interface TurnToLearn {
  readonly replica: number;
  readonly turn: Turn;
  readonly advantage: number;
  /** > 0, how often the turn counts. */
  readonly weight: number;
  /** Optimizer step within an epoch, 0-based. */
  readonly minibatch: number;
}

/** Packs turns into the arrays that cross to one cohort's worker. `learningRates`: [slots of the cohort]. */
function toUpdateBatch(
  plan: ExperimentPlan,
  items: readonly TurnToLearn[],
  objective: UpdateBatch['objective'],
  learningRates: Float64Array,
): UpdateBatch {
  const widest = (lengthOf: (turn: Turn) => number): number =>
    items.reduce((width, { turn }) => Math.max(width, lengthOf(turn)), 1);
  const promptWidth = widest((turn) => turn.promptTokens.length);
  const actionWidth = widest((turn) => turn.actionTokens.length);
  const count = items.length;
  const batch = {
    objective,
    learningRates,
    replicas: new Int32Array(count),
    agents: new Int32Array(count),
    promptTokens: new Int32Array(count * promptWidth),
    promptLengths: new Int32Array(count),
    promptWidth,
    actionTokens: new Int32Array(count * actionWidth),
    actionLengths: new Int32Array(count),
    actionWidth,
    minibatches: new Int32Array(count),
    weights: new Float32Array(count),
    oldLogprobs: new Float32Array(count * actionWidth),
    advantages: new Float32Array(count),
  };
  for (const [row, { replica, turn, advantage, minibatch, weight }] of items.entries()) {
    batch.minibatches[row] = minibatch;
    batch.weights[row] = weight;
    batch.replicas[row] = plan.replicas[replica]!.seats[turn.agent]!.slot;
    batch.agents[row] = turn.agent;
    batch.promptTokens.set(turn.promptTokens, row * promptWidth);
    batch.promptLengths[row] = turn.promptTokens.length;
    batch.actionTokens.set(turn.actionTokens, row * actionWidth);
    batch.actionLengths[row] = turn.actionTokens.length;
    batch.oldLogprobs.set(turn.rolloutLogprobs, row * actionWidth);
    batch.advantages[row] = advantage;
  }
  return batch;
}

/**
 * Sends every turn to its policy; policies learn at the same time, and gradients never cross them.
 * @param learningRatesOf per cohort, [slots]
 * @returns per cohort; absent for a cohort without turns, whose optimizer does not step
 */
export async function updatePolicies(
  plan: ExperimentPlan,
  policies: readonly PolicyApi[],
  items: readonly TurnToLearn[],
  step: { objective: UpdateBatch['objective']; learningRatesOf: (cohort: number) => Float64Array },
): Promise<Map<number, UpdateStats>> {
  const byCohort = new Map<number, TurnToLearn[]>();
  for (const item of items) {
    const { cohort } = plan.replicas[item.replica]!.seats[item.turn.agent]!;
    const list = byCohort.get(cohort);
    if (list) list.push(item);
    else byCohort.set(cohort, [item]);
  }
  const entries = Array.from(byCohort, async ([cohort, list]) => {
    const batch = toUpdateBatch(plan, list, step.objective, step.learningRatesOf(cohort));
    return [cohort, await policies[cohort]!.update(batch)] as const;
  });
  return new Map(await Promise.all(entries));
}
