/** What is said in one number about one metric of one arm. */
export const metricStatistics = ['last', 'best', 'peak', 'spikes', 'iqm'] as const;
export type MetricStatistic = (typeof metricStatistics)[number];

/** What is said in one number about a whole arm: seeds and iterations that ran, seeds with a collapse, spikes of all agents. */
export const armStatistics = ['seeds', 'iterations', 'collapsed', 'spikes'] as const;
export type ArmStatistic = (typeof armStatistics)[number];

/** Columns of a comparison: the above, the chance to beat the baseline, and the number of seeds. */
export const comparisonStatistics = [
  ...metricStatistics,
  'probabilityOfImprovement',
  'seeds',
] as const;

export function isMetricStatistic(name: string): name is MetricStatistic {
  return metricStatistics.some((statistic) => statistic === name);
}

export function isArmStatistic(name: string): name is ArmStatistic {
  return armStatistics.some((statistic) => statistic === name);
}

/** Whole numbers of things, printed without decimals. */
export function isCount(statistic: ArmStatistic | MetricStatistic): boolean {
  return isArmStatistic(statistic);
}
