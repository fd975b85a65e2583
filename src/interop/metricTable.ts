import { metricCatalog, type MetricKey } from '../metrics/catalog';
import type { RunSeries } from '../metrics/runSeries';

/** What a run has logged as one table: a line for each (iteration, arm, seed, agent), a column for each metric. */
export interface MetricTable {
  readonly iterations: readonly number[];
  readonly arms: readonly string[];
  readonly seeds: readonly number[];
  /** Agent id, or `team`. */
  readonly agents: readonly string[];
  /** Metrics that were logged at all, in the order of the catalog. Null = not logged in this line; NaN and ±Infinity are numbers. */
  readonly metrics: readonly {
    readonly key: MetricKey;
    readonly values: readonly (number | null)[];
  }[];
}

/** Axis: one entry per row of the series, in the order of their arrival. Rows of one line that came apart stay apart. */
export function metricTable({ rows }: RunSeries): MetricTable {
  const seen = new Set(
    rows.flatMap(({ values }) =>
      Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [key])),
    ),
  );
  return {
    iterations: rows.map(({ iteration }) => iteration),
    arms: rows.map(({ arm }) => arm),
    seeds: rows.map(({ seed }) => seed),
    agents: rows.map(({ agent }) => agent),
    metrics: catalogKeys
      .filter((key) => seen.has(key))
      .map((key) => ({ key, values: rows.map(({ values }) => values[key] ?? null) })),
  };
}

function isMetricKey(key: string): key is MetricKey {
  return Object.hasOwn(metricCatalog, key);
}

const catalogKeys: readonly MetricKey[] = Object.keys(metricCatalog).filter(isMetricKey);
