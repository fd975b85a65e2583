import type { DiagnosticsSpec } from '../config/experimentSpec';
import type { MetricKey } from '../metrics/catalog';
import type { UpdateStats } from '../protocol/policyApi';
import type { GradientPair } from '../protocol/trainerApi';
import { agentUpdateStats } from './collectMetrics';
import type { ReplicaPlan } from './cohorts';
import { measureNorms } from './counterfactualNorms';
import { measureConflict, type ConflictReading } from './gradientConflict';
import type { Learning, ReplicaBatch } from './learning';

/** What is measured about an iteration's gradients beside the update itself, before it: dry passes at the same weights. */

type Values = Partial<Record<MetricKey, number>>;

/** One replica's. */
export interface GradientReading {
  /** [agents] NaN where an agent has no such number. */
  readonly values: readonly Values[];
  /** Null where angles are not measured. */
  readonly conflict: ConflictReading | null;
}

/** The agent's sharpest angle with another agent, and the null of that pair; the angle between its own spans. */
function conflictValues({ pairs, spans }: ConflictReading, agent: number): Values {
  const [sharpest] = pairs
    .filter(({ a, b }) => a === agent || b === agent)
    .map(({ angle }) => angle)
    .toSorted((one, other) => one.cosine - other.cosine);
  const span = spans[agent];
  return {
    ...(sharpest ? { conflictMin: sharpest.cosine, conflictNullLow: sharpest.low } : {}),
    ...(span ? { spanConflict: span.cosine, spanConflictNullLow: span.low } : {}),
  };
}

/** By replica index; empty in an iteration that is not measured, or where nothing is switched on. */
export async function measureGradients(
  learning: Pick<Learning, 'plan' | 'policies'>,
  diagnostics: DiagnosticsSpec,
  batches: readonly ReplicaBatch[],
  iteration: number,
): Promise<ReadonlyMap<number, GradientReading>> {
  const { counterfactualNorms, gradientConcentration, gradientConflict, every } = diagnostics;
  if (iteration % every !== 0) return new Map();
  const hasNorms = counterfactualNorms || gradientConcentration;
  if (!hasNorms && !gradientConflict) return new Map();
  const norms = hasNorms ? await measureNorms(learning, batches, iteration, diagnostics) : null;
  const conflicts = gradientConflict ? await measureConflict(learning, batches, iteration) : null;
  return new Map(
    batches.map(({ replica }, index) => {
      const conflict = conflicts?.[index] ?? null;
      const values = replica.workflow.spec.agents.map((_, agent): Values => ({
        ...norms?.[index]?.[agent],
        ...(conflict === null ? {} : conflictValues(conflict, agent)),
      }));
      return [replica.index, { values, conflict }];
    }),
  );
}

/** Every pair of a replica's agents that share a policy: what the update saw, and what was measured before it. */
export function gradientPairs(
  plan: ReplicaPlan,
  updates: ReadonlyMap<number, UpdateStats>,
  conflict: ConflictReading | null,
  iteration: number,
): GradientPair[] {
  const { arm, seed, workflow } = plan;
  const { agents } = workflow.spec;
  return agents.flatMap((a, i) =>
    (agentUpdateStats({ plan, updates }, i)?.gradCosines ?? [])
      .filter(({ agent }) => agent > i)
      .map(({ agent, cosine }): GradientPair => {
        const angle = conflict?.pairs.find((pair) => pair.a === i && pair.b === agent)?.angle;
        return {
          arm,
          seed,
          a,
          b: agents[agent]!,
          updateCosine: Number.isNaN(cosine) ? null : cosine,
          conflict: angle
            ? {
                iteration,
                cosine: angle.cosine,
                nullLow: angle.low,
                nullMedian: angle.median,
                isConflict: angle.isConflict,
              }
            : null,
        };
      }),
  );
}
