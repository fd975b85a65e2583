import type { PolicyApi, UpdateBatch, UpdateStats } from '../protocol/policyApi';
import type { ExperimentPlan } from './cohorts';
import type { Turn } from './experience';
import { packTurnArrays } from './turnArrays';

/** A turn on its way to the policy that wrote it. */
export interface TurnToLearn {
  readonly replica: number;
  readonly turn: Turn;
  readonly advantage: number;
  /** > 0, how often the turn counts. */
  readonly weight: number;
  /** Optimizer step within an epoch, 0-based. */
  readonly minibatch: number;
  /** [action length] the ratio's denominator. Unit: nats. */
  readonly oldLogprobs: Float32Array;
  /** [action length] constant factors on the token losses; null = all 1. */
  readonly lossFactors: Float64Array | null;
}

/** Packs turns into the arrays that cross to one cohort's worker. `learningRates`: [slots of the cohort]. */
export function toUpdateBatch(
  plan: ExperimentPlan,
  items: readonly TurnToLearn[],
  objective: UpdateBatch['objective'],
  learningRates: Float64Array,
): UpdateBatch {
  const turns = packTurnArrays(plan, items);
  const { actionWidth } = turns;
  const count = items.length;
  const batch = {
    ...turns,
    objective,
    learningRates,
    agents: new Int32Array(count),
    minibatches: new Int32Array(count),
    weights: new Float32Array(count),
    oldLogprobs: new Float32Array(count * actionWidth),
    advantages: new Float32Array(count),
    lossFactors: new Float32Array(count * actionWidth).fill(1),
  };
  for (const [row, item] of items.entries()) {
    batch.minibatches[row] = item.minibatch;
    batch.weights[row] = item.weight;
    batch.agents[row] = item.turn.agent;
    batch.oldLogprobs.set(item.oldLogprobs, row * actionWidth);
    batch.advantages[row] = item.advantage;
    if (item.lossFactors !== null) batch.lossFactors.set(item.lossFactors, row * actionWidth);
  }
  return batch;
}

/** What each cohort's worker gets. */
export function itemsByCohort(
  plan: ExperimentPlan,
  items: readonly TurnToLearn[],
): Map<number, TurnToLearn[]> {
  const byCohort = new Map<number, TurnToLearn[]>();
  for (const item of items) {
    const { cohort } = plan.replicas[item.replica]!.seats[item.turn.agent]!;
    const list = byCohort.get(cohort);
    if (list) list.push(item);
    else byCohort.set(cohort, [item]);
  }
  return byCohort;
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
  const entries = Array.from(itemsByCohort(plan, items), async ([cohort, list]) => {
    const batch = toUpdateBatch(plan, list, step.objective, step.learningRatesOf(cohort));
    return [cohort, await policies[cohort]!.update(batch)] as const;
  });
  return new Map(await Promise.all(entries));
}
