import { points, type RunScope, type RunSeries } from '../../metrics/runSeries';
import { spikesIn, type NormSpike } from '../../metrics/spikes';

/** Every spike of a run, and how to order them. */

export interface Spike extends Omit<NormSpike, 'position'> {
  readonly arm: string;
  readonly seed: number;
  readonly agent: string;
  readonly iteration: number;
}

/** What a table may be sorted by; each with the order that comes first. */
export type SpikeOrder = 'severity' | 'iteration' | 'arm' | 'agent' | 'norm';

/** Names a spike among those of a run. */
export function spikeKey({ arm, seed, agent, iteration }: Spike): string {
  return `${iteration}/${seed}/${agent}/${arm}`;
}

/** More than any finite z: a norm that is not finite. Below all: a spike before the z-score has enough values. */
function severityOf({ norm, zScore }: Spike): number {
  if (!Number.isFinite(norm)) return Infinity;
  return zScore ?? -Infinity;
}

/** Above the median by so much; decides between equal z-scores, also between infinite ones. */
function factorOf({ norm, medianBefore }: Spike): number {
  return Number.isFinite(norm) ? norm / medianBefore : Infinity;
}

/** `a − b`, but 0 for two equal infinities. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

const orders: Readonly<Record<SpikeOrder, (a: Spike, b: Spike) => number>> = {
  severity: (a, b) =>
    compare(severityOf(b), severityOf(a)) ||
    compare(factorOf(b), factorOf(a)) ||
    a.iteration - b.iteration,
  iteration: (a, b) => a.iteration - b.iteration,
  arm: (a, b) => a.arm.localeCompare(b.arm, 'en') || a.seed - b.seed || a.iteration - b.iteration,
  agent: (a, b) => a.agent.localeCompare(b.agent, 'en') || a.iteration - b.iteration,
  // A norm that is not a number counts as the largest.
  norm: (a, b) =>
    compare(Number.isNaN(b.norm) ? Infinity : b.norm, Number.isNaN(a.norm) ? Infinity : a.norm),
};

/** In another order; equal ones keep theirs. */
export function sortedSpikes(spikes: readonly Spike[], order: SpikeOrder): Spike[] {
  return spikes.toSorted(orders[order]);
}

/** All spikes that `scope` speaks of, by the rule that tables and claims count with; most severe first. */
export function spikeList(series: RunSeries, { arms, seeds, agents }: RunScope): Spike[] {
  const spikes = arms.flatMap((arm) =>
    seeds.flatMap((seed) =>
      agents.flatMap((agent) => {
        const { iterations, values } = points(series, { arm, seed, agent, metric: 'gradNorm' });
        return spikesIn(values).map(({ position, norm, medianBefore, zScore }): Spike => ({
          arm,
          seed,
          agent,
          iteration: iterations[position]!,
          norm,
          medianBefore,
          zScore,
        }));
      }),
    ),
  );
  return sortedSpikes(spikes, 'severity');
}
