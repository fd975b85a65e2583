import type { ExperimentSpec } from '../config/experimentSpec';
import { summarizeMetric, type MetricSummary } from '../metrics/metricSummary';
import type { RunScope, RunSeries } from '../metrics/runSeries';
import type { ArmMetric } from '../metrics/seedScores';
import { summarizeRun, type ArmSummary } from '../metrics/summary';
import { agentsOf } from './references';

/** The newest run of an experiment cell. */
export interface ExperimentRun {
  readonly series: RunSeries;
  /** What it was made with, which may no longer be what the cell says. */
  readonly spec: ExperimentSpec;
}

interface KeptSummaries {
  readonly revision: number;
  readonly spec: ExperimentSpec;
  /** Of the whole run, once it was asked for. */
  arms: readonly ArmSummary[] | null;
  readonly metrics: Map<string, MetricSummary>;
}

/** A text cites a run in thirty places: each is summarised once per revision of its series. */
const kept = new WeakMap<RunSeries, KeptSummaries>();

function summariesOf({ series, spec }: ExperimentRun): KeptSummaries {
  const known = kept.get(series);
  if (known?.revision === series.revision && known.spec === spec) return known;
  const fresh = { revision: series.revision, spec, arms: null, metrics: new Map() };
  kept.set(series, fresh);
  return fresh;
}

/** The row of the summary table; undefined for an arm that did not run. */
export function armSummary(run: ExperimentRun, arm: string): ArmSummary | undefined {
  const summaries = summariesOf(run);
  summaries.arms ??= summarizeRun(run.series, scopeOf(run.spec)).arms;
  return summaries.arms.find((summary) => summary.arm === arm);
}

/** Over the seeds that the run was made with. */
export function metricSummary(run: ExperimentRun, key: ArmMetric): MetricSummary {
  const { metrics } = summariesOf(run);
  const name = `${key.arm}.${key.agent}.${key.metric}`;
  const known = metrics.get(name) ?? summarizeMetric(run.series, run.spec.seeds, key);
  metrics.set(name, known);
  return known;
}

function scopeOf(spec: ExperimentSpec): RunScope {
  return { arms: spec.arms.map(({ name }) => name), seeds: spec.seeds, agents: agentsOf(spec) };
}
