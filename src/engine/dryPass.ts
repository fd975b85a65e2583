import type { SegmentGradients } from '../protocol/policyApi';
import type { Learning } from './learning';
import { itemsByCohort, toUpdateBatch, type TurnToLearn } from './update';

/** A turn whose gradient is measured with those of its segment. Segments are told apart within a policy. */
export interface SegmentedTurn {
  readonly item: TurnToLearn;
  readonly segment: number;
}

/** The gradients of what an agent's policy was given, all its agents' segments; null where it got nothing. */
export type GradientsOf = (replica: number, agent: number) => SegmentGradients | null;

/**
 * Gradients of the turns' losses at the present weights, segment by segment; nothing is learned. Policies work at the same time.
 * Each replica's losses are averaged over all its turns here: minibatches are left aside.
 */
export async function dryPass(
  { plan, policies }: Pick<Learning, 'plan' | 'policies'>,
  turns: readonly SegmentedTurn[],
): Promise<GradientsOf> {
  const segmentOf = new Map(turns.map(({ item, segment }) => [item, segment]));
  const items = turns.map(({ item }) => item);
  const entries = Array.from(itemsByCohort(plan, items), async ([cohort, list]) => {
    const noRates = new Float64Array(plan.cohorts[cohort]!.hypers.length);
    const batch = toUpdateBatch(plan, list, 'policyGradient', noRates);
    batch.agents.set(list.map((item) => segmentOf.get(item)!));
    return [cohort, await policies[cohort]!.segmentGradients(batch)] as const;
  });
  const byCohort = new Map(await Promise.all(entries));
  return (replica, agent) => {
    const { cohort, slot } = plan.replicas[replica]!.seats[agent]!;
    return byCohort.get(cohort)?.find((entry) => entry.replica === slot) ?? null;
  };
}
