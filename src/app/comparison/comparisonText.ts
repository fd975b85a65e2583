import type { ArmEstimates, ComparedArm } from '../../metrics/armComparison';
import { metricCatalog, type MetricKey } from '../../metrics/catalog';
import { formatNumber } from '../../metrics/format';
import { teamId } from '../../metrics/runSeries';
import type { Spread } from '../../metrics/summary';
import type { ComparisonCell } from '../../notebook/cells';
import { estimated, tableIntervals } from '../statistics/statisticsText';

/** A comparison in words and figures. */

/** A comparison of one metric with one arm, whatever the cell leaves open. */
export type MetricComparison = ComparisonCell & {
  readonly metric: MetricKey;
  readonly baseline: string;
};

export type ComparisonStatistic = ComparisonCell['statistics'][number];

export const statisticLabels: Readonly<Record<ComparisonStatistic, string>> = {
  last: 'Last',
  best: 'Best',
  peak: 'Peak',
  spikes: '▲ Spikes',
  iqm: 'IQM',
  probabilityOfImprovement: 'P(improvement)',
  seeds: 'N',
};

export const statisticMeanings: Readonly<Record<ComparisonStatistic, string>> = {
  last: 'Last finite value, median over seeds @ the iteration it stood in.',
  best: 'Highest value, median over seeds @ the iteration it stood in.',
  peak: 'Largest value, median over seeds @ the iteration it stood in.',
  spikes: 'Values above 3 × the median of the last 25, or not finite; all seeds together.',
  iqm: 'Interquartile mean of the seeds’ last finite values.',
  probabilityOfImprovement:
    'Probability that a seed of this arm ends above one of the baseline, ties counted half. 0.5 = no difference; above is better only where more is better.',
  seeds: 'Seeds with a finite value.',
};

/** `success, compared with global. Brackets are …` */
export function captionText({ metric, baseline, statistics }: MetricComparison): string {
  const { label, unit } = metricCatalog[metric];
  const intervals = statistics.some(
    (statistic) => statistic === 'iqm' || statistic === 'probabilityOfImprovement',
  );
  const { level, numResamples } = tableIntervals;
  return [
    `${label}${unit === '' ? '' : ` (${unit})`}, baseline ${baseline}.`,
    'Medians over seeds @ the iteration they stood in.',
    intervals &&
      `Brackets are ${level * 100} % percentile intervals by stratified bootstrap, ${numResamples.toLocaleString('en')} resamples of the seeds (draws of seed 0).`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

/** The number and the iteration it stood in; null where nothing finite was logged. */
export interface ShownNumber {
  readonly text: string;
  readonly iteration: number | null;
}

function atIteration(spread: Spread | null): ShownNumber {
  return spread === null
    ? { text: '–', iteration: null }
    : { text: formatNumber(spread.median), iteration: spread.iteration };
}

/** What stands in a cell of the table. `estimates` is null while they are being worked out. */
export function shownNumber(
  statistic: ComparisonStatistic,
  { summary, numSeeds }: ComparedArm,
  estimates: ArmEstimates | null,
): ShownNumber {
  switch (statistic) {
    case 'last':
      return atIteration(summary.last);
    case 'best':
    case 'peak':
      return atIteration(summary.largest);
    case 'spikes':
      return {
        text: summary.numSpikes === null ? '–' : String(summary.numSpikes),
        iteration: null,
      };
    case 'iqm':
      return { text: estimates === null ? '…' : estimated(estimates.iqm), iteration: null };
    case 'probabilityOfImprovement':
      return { text: estimates === null ? '…' : estimated(estimates.improvement), iteration: null };
    case 'seeds':
      return { text: String(numSeeds), iteration: null };
  }
}

/** The agents that have rows: those of the cell for a metric of agents, the team otherwise. */
export function rowAgents(
  metric: MetricKey,
  agents: ComparisonCell['agents'],
  all: readonly string[],
): readonly string[] {
  if (metricCatalog[metric].level === 'team') return [teamId];
  return agents === 'all' ? all : agents;
}
