import { agentMetrics } from './agentMetrics';
import { teamMetrics } from './teamMetrics';

/** What every logged number means. Keys are the field's names (glossary); the page, the CSV and the docs read this table. */

export const metricCatalog = { ...agentMetrics, ...teamMetrics } as const;

export type MetricKey = keyof typeof metricCatalog;

/** One iteration's numbers of one agent (or of the team) in one replica. A metric that does not exist here is absent, never 0. */
export interface MetricRow {
  /** 0 = measured before the first update (after the warm start); i ≥ 1 = iteration i. */
  readonly iteration: number;
  readonly arm: string;
  readonly seed: number;
  /** Agent id, or `team`. */
  readonly agent: string;
  /** May hold NaN and ±Infinity: they are shown as such. */
  readonly values: Readonly<Partial<Record<MetricKey, number>>>;
}
