import type { MetricSummary, SeedMetricSummary } from '../metrics/metricSummary';
import type { ClaimCell } from './cells';
import type { ClaimQuantity, ClaimStatement } from './claimCell';
import type { ClaimEvidence, SideValues } from './claimVerdict';
import type { LiveReference } from './liveReference';
import { problemText, unresolved } from './liveValues';
import type { Notebook } from './notebook';
import { metricValue } from './runLookup';
import { armSummary, metricSummary, type ExperimentRun } from './runSummaries';
import type { MetricStatistic } from './statistics';

/** Where claims find their numbers. */
export interface ClaimSource {
  readonly notebook: Notebook;
  /** Id of an experiment cell → its newest run; none where it has not run. */
  readonly runs: ReadonlyMap<string, ExperimentRun>;
  /** Ids of the experiments whose runs are stale. */
  readonly staleExperiments: { readonly has: (experiment: string) => boolean };
}

/** The numbers that a claim is judged by: over all seeds those of live values, and the same of every seed. */
export function claimEvidence(
  { experiment, statement }: ClaimCell,
  { notebook, runs, staleExperiments }: ClaimSource,
): ClaimEvidence {
  const quantities = quantitiesOf(statement);
  for (const quantity of quantities) {
    const message = brokenText(notebook, { ...quantity, kind: 'metric', experiment });
    if (message !== null) return { kind: 'broken', message };
  }
  const run = runs.get(experiment);
  if (run === undefined) return { kind: 'noRun' };
  const done = quantities.flatMap(({ arm }) => armSummary(run, arm)?.iterations ?? []);
  if (done.length === 0) return { kind: 'noRun' };
  const { seeds, iterations } = run.spec;
  return {
    kind: 'values',
    seeds,
    left: valuesOf(run, statement.left),
    right:
      statement.right.kind === 'quantity'
        ? valuesOf(run, statement.right)
        : { overSeeds: statement.right.value, bySeed: seeds.map(() => constantOf(statement)) },
    isStale: staleExperiments.has(experiment),
    iterations: { done: Math.min(...done), planned: iterations },
  };
}

function quantitiesOf({ left, right }: ClaimStatement): readonly ClaimQuantity[] {
  return right.kind === 'quantity' ? [left, right] : [left];
}

function constantOf({ right }: ClaimStatement): number | null {
  return right.kind === 'constant' ? right.value : null;
}

function brokenText(notebook: Notebook, reference: LiveReference): string | null {
  const found = unresolved(notebook, reference);
  const isBroken = found?.kind === 'unknown' || found?.kind === 'deleted';
  return isBroken ? problemText(reference, found) : null;
}

function valuesOf(run: ExperimentRun, quantity: ClaimQuantity): SideValues {
  const summary: MetricSummary = metricSummary(run, quantity);
  return {
    overSeeds: metricValue(summary, quantity.statistic),
    bySeed: summary.seeds.map((seed) => seedValue(seed, quantity.statistic)),
  };
}

/** The interquartile mean of a single seed is the mean of its one score: its last value. */
function seedValue(seed: SeedMetricSummary, statistic: MetricStatistic): number | null {
  switch (statistic) {
    case 'last':
    case 'iqm':
      return seed.last?.value ?? null;
    case 'best':
    case 'peak':
      return seed.largest?.value ?? null;
    case 'spikes':
      return seed.numSpikes;
  }
}
