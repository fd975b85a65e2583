import type { MetricSummary } from '../metrics/metricSummary';
import type { ArmSummary } from '../metrics/summary';
import type { LiveReference } from './liveReference';
import { unresolved, type LookedUp } from './liveValues';
import type { Notebook } from './notebook';
import { armSummary, metricSummary, type ExperimentRun } from './runSummaries';
import type { ArmStatistic, MetricStatistic } from './statistics';

/**
 * Live values from runs: the numbers that the summary table and the statistics of arms show, from the functions that work those out.
 * A statistic of a metric is a median over seeds (`last`, `best`, `peak`), all seeds together (`spikes`), or the interquartile mean
 * of the seeds' last values (`iqm`).
 * @param runs id of an experiment cell → its newest run; none where it has not run
 */
export function runLookup(
  notebook: Notebook,
  runs: ReadonlyMap<string, ExperimentRun>,
): (reference: LiveReference) => LookedUp {
  return (reference) => {
    const broken = unresolved(notebook, reference);
    if (broken !== null) return broken;
    const run = runs.get(reference.experiment);
    const value = run === undefined ? null : valueIn(run, reference);
    return value === null ? { kind: 'noValue' } : { kind: 'value', value };
  };
}

function valueIn(run: ExperimentRun, reference: LiveReference): number | null {
  if (reference.kind === 'metric')
    return metricValue(metricSummary(run, reference), reference.statistic);
  const summary = armSummary(run, reference.arm);
  // An arm of which nothing was logged has no spikes to count.
  return summary === undefined || summary.numSeeds === 0
    ? null
    : armValue(summary, reference.statistic);
}

function armValue(summary: ArmSummary, statistic: ArmStatistic): number | null {
  switch (statistic) {
    case 'seeds':
      return summary.numSeeds;
    case 'iterations':
      return summary.iterations;
    case 'collapsed':
      return summary.numCollapsed;
    case 'spikes':
      return Object.values(summary.agents).reduce((sum, { numSpikes }) => sum + numSpikes, 0);
  }
}

/** A metric over all seeds. Null where nothing (finite) was logged. */
export function metricValue(summary: MetricSummary, statistic: MetricStatistic): number | null {
  switch (statistic) {
    case 'last':
      return summary.last?.median ?? null;
    case 'best':
    case 'peak':
      return summary.largest?.median ?? null;
    case 'spikes':
      return summary.numSpikes;
    case 'iqm':
      return summary.iqm;
  }
}
