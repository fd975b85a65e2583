import type { MetricKey } from './catalog';
import { median } from './median';
import { points, teamId, type RunScope, type RunSeries, type SeriesPoints } from './runSeries';
import { spikePositions } from './spikes';

/**
 * A run in one table: what the page prints under the charts and what a headless run writes as summary.json.
 * Plain JSON: every number in it is finite or null. A value that is not finite takes no part in last, best, peak or a
 * median; it is counted (`numNotFinite`) and is a spike if it is a gradient norm, so it cannot go unnoticed.
 */

/** A value and the iteration it was logged in. */
export interface Extreme {
  readonly value: number;
  readonly iteration: number;
}

/** One success metric of one replica; null where nothing finite was logged. Unit: share, 0 … 1. */
interface SuccessSummary {
  readonly last: Extreme | null;
  /** The highest value, at the first iteration that reached it. */
  readonly best: Extreme | null;
}

/** The gradient norm of one agent in one replica. */
export interface NormSummary {
  readonly peak: Extreme | null;
  readonly numSpikes: number;
  readonly numNotFinite: number;
}

export interface SeedSummary {
  readonly seed: number;
  /** Last logged iteration; null before the first row. 0 = measured, not yet trained. */
  readonly iterations: number | null;
  readonly success: SuccessSummary;
  readonly evalSuccess: SuccessSummary;
  /** First iteration in which an agent counted as collapsed; null = none has. */
  readonly collapsedAt: number | null;
  /** Agent id → norms. */
  readonly agents: Readonly<Record<string, NormSummary>>;
}

/** A quantity over the seeds that have it. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Seeds in it. */
  readonly numSeeds: number;
  /** Lower median over these seeds of the iteration in which the quantity stood: one that really occurred. */
  readonly iteration: number;
}

export interface ArmSummary {
  readonly arm: string;
  /** Seeds that have logged something: the N of the table. */
  readonly numSeeds: number;
  /** Iterations done by the slowest of these seeds; null before the first row. */
  readonly iterations: number | null;
  readonly success: { readonly last: Spread | null; readonly best: Spread | null };
  readonly evalSuccess: { readonly last: Spread | null; readonly best: Spread | null };
  /** Seeds in which an agent has collapsed. */
  readonly numCollapsed: number;
  readonly agents: Readonly<Record<string, ArmNormSummary>>;
  /** In the order of the scope, seeds without rows included. */
  readonly seeds: readonly SeedSummary[];
}

interface ArmNormSummary {
  /** Over seeds, each with its own peak. */
  readonly peak: Spread | null;
  /** All seeds together, and the median over the seeds that have logged something. */
  readonly numSpikes: number;
  readonly medianSpikes: number | null;
  readonly numNotFinite: number;
}

export interface RunSummary {
  readonly arms: readonly ArmSummary[];
}

/** The last value that is finite; null where there is none. */
export function lastFinite({ iterations, values }: SeriesPoints): Extreme | null {
  const position = values.findLastIndex(Number.isFinite);
  return position < 0 ? null : { value: values[position]!, iteration: iterations[position]! };
}

/** The largest finite value, at the first iteration that reached it; null where there is none. */
export function largestFinite({ iterations, values }: SeriesPoints): Extreme | null {
  let largest: Extreme | null = null;
  for (const [position, value] of values.entries())
    if (Number.isFinite(value) && (largest === null || value > largest.value))
      largest = { value, iteration: iterations[position]! };
  return largest;
}

function successOf(line: SeriesPoints): SuccessSummary {
  return { last: lastFinite(line), best: largestFinite(line) };
}

/** Of a line of norms. */
export function normsOf(line: SeriesPoints): NormSummary {
  return {
    peak: largestFinite(line),
    numSpikes: spikePositions(line.values).length,
    numNotFinite: line.values.filter((value) => !Number.isFinite(value)).length,
  };
}

/** First iteration with a 1 in any of the lines. */
function firstCollapse(lines: readonly SeriesPoints[]): number | null {
  const found = lines.flatMap(({ iterations, values }) => {
    const position = values.indexOf(1);
    return position < 0 ? [] : [iterations[position]!];
  });
  return found.length > 0 ? Math.min(...found) : null;
}

function summarizeSeed(
  series: RunSeries,
  { arm, seed }: { arm: string; seed: number },
  agents: readonly string[],
): SeedSummary {
  const line = (agent: string, metric: MetricKey): SeriesPoints =>
    points(series, { arm, seed, agent, metric });
  const success = line(teamId, 'success');
  const evaluation = line(teamId, 'evalSuccess');
  const norms = agents.map((agent) => [agent, line(agent, 'gradNorm')] as const);
  const logged = [success, evaluation, ...norms.map(([, norm]) => norm)].flatMap(
    ({ iterations }) => iterations.at(-1) ?? [],
  );
  return {
    seed,
    iterations: logged.length > 0 ? Math.max(...logged) : null,
    success: successOf(success),
    evalSuccess: successOf(evaluation),
    collapsedAt: firstCollapse(agents.map((agent) => line(agent, 'collapsed'))),
    agents: Object.fromEntries(norms.map(([agent, norm]) => [agent, normsOf(norm)])),
  };
}

/** Over the seeds that have one; null where none has. */
export function spreadOf(extremes: readonly (Extreme | null)[]): Spread | null {
  const found = extremes.filter((extreme) => extreme !== null);
  if (found.length === 0) return null;
  const values = found.map(({ value }) => value);
  const iterations = found.map(({ iteration }) => iteration).toSorted((a, b) => a - b);
  return {
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    numSeeds: found.length,
    iteration: iterations[(iterations.length - 1) >> 1]!,
  };
}

function summarizeNorms(seeds: readonly SeedSummary[], agent: string): ArmNormSummary {
  const started = seeds.filter(({ iterations }) => iterations !== null);
  const norms = started.flatMap((seed) => seed.agents[agent] ?? []);
  const spikes = norms.map(({ numSpikes }) => numSpikes);
  return {
    peak: spreadOf(norms.map(({ peak }) => peak)),
    numSpikes: spikes.reduce((sum, count) => sum + count, 0),
    medianSpikes: spikes.length > 0 ? median(spikes) : null,
    numNotFinite: norms.reduce((sum, { numNotFinite }) => sum + numNotFinite, 0),
  };
}

function summarizeArm(series: RunSeries, arm: string, scope: RunScope): ArmSummary {
  const seeds = scope.seeds.map((seed) => summarizeSeed(series, { arm, seed }, scope.agents));
  const done = seeds.flatMap(({ iterations }) => iterations ?? []);
  const spreads = (metric: 'success' | 'evalSuccess'): ArmSummary['success'] => ({
    last: spreadOf(seeds.map((seed) => seed[metric].last)),
    best: spreadOf(seeds.map((seed) => seed[metric].best)),
  });
  return {
    arm,
    numSeeds: done.length,
    iterations: done.length > 0 ? Math.min(...done) : null,
    success: spreads('success'),
    evalSuccess: spreads('evalSuccess'),
    numCollapsed: seeds.filter(({ collapsedAt }) => collapsedAt !== null).length,
    agents: Object.fromEntries(
      scope.agents.map((agent) => [agent, summarizeNorms(seeds, agent)] as const),
    ),
    seeds,
  };
}

/** Table of the arms in `scope`, in its order, each with its seeds and agents. O(logged values of four metrics). */
export function summarizeRun(series: RunSeries, scope: RunScope): RunSummary {
  return { arms: scope.arms.map((arm) => summarizeArm(series, arm, scope)) };
}
