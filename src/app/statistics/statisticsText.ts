import { counterUniform } from '../../metrics/counterUniform';
import { formatNumber } from '../../metrics/format';
import type { ArmStatistics } from '../../metrics/armStatistics';
import type { ScoreKind } from '../../metrics/seedScores';
import type { Interval } from '../../metrics/percentileInterval';

/** The table of statistics in words and figures. */

export const scoreNames: Readonly<Record<ScoreKind, string>> = {
  last: 'at the end',
  best: 'at its best',
  mean: 'mean of the run',
};

export const scores = ['last', 'best', 'mean'] as const satisfies readonly ScoreKind[];

/** Resamples of every interval in the table; the seed of the draws is 0. */
const numResamples = 1000;

/** How every interval in a table of arms is drawn. */
export const tableIntervals = { level: 0.95, numResamples, uniform: counterUniform(0) };

export const caption = `Brackets are 95 % percentile intervals over ${numResamples.toLocaleString('en')} resamples of the seeds (draws of seed 0).`;

const none = '–';

/** `0.91 [0.85, 0.97]`; the interval is left out where seeds are too few for one. */
export function estimated(
  value: { readonly estimate: number; readonly interval: Interval | null } | null,
): string {
  if (value === null) return none;
  const { estimate, interval } = value;
  return interval === null
    ? formatNumber(estimate)
    : `${formatNumber(estimate)} ${bracketed(interval)}`;
}

function bracketed({ low, high }: Interval): string {
  return `[${formatNumber(low)}, ${formatNumber(high)}]`;
}

interface StatisticColumn {
  readonly label: string;
  readonly meaning: string;
  readonly of: (row: ArmStatistics) => string;
}

export const columns: readonly StatisticColumn[] = [
  {
    label: 'IQM',
    meaning: 'Interquartile mean: the mean of the middle half of the seeds. Higher is better.',
    of: ({ iqm }) => estimated(iqm),
  },
  { label: 'Mean', meaning: 'Mean over seeds.', of: ({ mean }) => estimated(mean) },
  { label: 'Median', meaning: 'Median over seeds.', of: ({ median }) => estimated(median) },
  {
    label: 'Optimality gap',
    meaning: 'Mean of how far a seed stays below 1. Lower is better.',
    of: ({ optimalityGap }) => estimated(optimalityGap),
  },
  {
    label: 'P(improvement)',
    meaning:
      'Probability that a seed of this arm scores above one of the baseline, ties counted half (Mann–Whitney U over n·m). 0.5 = no difference.',
    of: ({ improvement }) => estimated(improvement),
  },
  {
    label: 'Paired difference',
    meaning:
      'Mean difference to the baseline over the seeds that both have: tasks, initial weights and noise are the same, so what they share cancels.',
    of: ({ difference }) =>
      difference === null
        ? none
        : `${formatNumber(difference.meanDifference)} ${bracketed(difference)}`,
  },
];

export function explainColumns(): string {
  return columns.map(({ label, meaning }) => `${label}: ${meaning}`).join('\n');
}
