import { metricCatalog, type MetricKey } from './catalog';
import { points, teamId, type RunScope, type RunSeries } from './runSeries';
import { lastFinite, largestFinite, type Extreme } from './summary';
import { spikePositions } from './spikes';

/** One metric of one agent in one replica. Plain JSON: finite or null; what is not finite is counted. */
interface MetricPeak {
  readonly last: Extreme | null;
  /** The largest value, at the first iteration that reached it. */
  readonly peak: Extreme | null;
  /** By the rule for gradient norms: above 3 × the running median, or not finite. */
  readonly numSpikes: number;
  readonly numNotFinite: number;
}

/** Everything one (arm, seed) logged, by agent (or `team`) and metric; metrics that were not logged are absent. */
export interface ReplicaPeaks {
  readonly arm: string;
  readonly seed: number;
  readonly agents: Readonly<Record<string, Readonly<Partial<Record<MetricKey, MetricPeak>>>>>;
}

const metricKeys = Object.keys(metricCatalog).filter((key): key is MetricKey =>
  Object.hasOwn(metricCatalog, key),
);

function peaksOf(
  series: RunSeries,
  key: { arm: string; seed: number; agent: string },
): Partial<Record<MetricKey, MetricPeak>> {
  const peaks: Partial<Record<MetricKey, MetricPeak>> = {};
  for (const metric of metricKeys) {
    const line = points(series, { ...key, metric });
    if (line.values.length === 0) continue;
    peaks[metric] = {
      last: lastFinite(line),
      peak: largestFinite(line),
      numSpikes: spikePositions(line.values).length,
      numNotFinite: line.values.filter((value) => !Number.isFinite(value)).length,
    };
  }
  return peaks;
}

/** Peaks of every metric, arm by arm and seed by seed in the order of `scope`. O(all logged values). */
export function metricPeaks(series: RunSeries, scope: RunScope): ReplicaPeaks[] {
  return scope.arms.flatMap((arm) =>
    scope.seeds.map((seed) => ({
      arm,
      seed,
      agents: Object.fromEntries(
        [...scope.agents, teamId].map(
          (agent) => [agent, peaksOf(series, { arm, seed, agent })] as const,
        ),
      ),
    })),
  );
}
