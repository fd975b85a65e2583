import type { MetricKey } from '../metrics/catalog';
import type { RunSeries } from '../metrics/runSeries';
import { csvField } from '../metrics/toCsv';
import { metricTable } from './metricTable';

/**
 * All metrics of a run with one column a metric: iteration,arm,seed,agent,… A field is empty where nothing was logged. Otherwise as the
 * long form (`metricsCsv`): RFC 4180, numbers in the shortest form that reads back to the same float64, NaN and ±Infinity spelled
 * out. −0 prints as 0.
 * @param nameOf what another program calls a metric, null where it has no equal one: that column is `marlbook/` and our name
 */
export function metricsCsvWide(
  series: RunSeries,
  nameOf: (metric: MetricKey) => string | null = (metric) => metric,
): string {
  const { iterations, arms, seeds, agents, metrics } = metricTable(series);
  const header = [
    'iteration',
    'arm',
    'seed',
    'agent',
    ...metrics.map(({ key }) => csvField(nameOf(key) ?? `marlbook/${key}`)),
  ];
  const records = iterations.map((iteration, line) => {
    const ids = [iteration, csvField(arms[line]!), seeds[line]!, csvField(agents[line]!)];
    return [...ids, ...metrics.map(({ values }) => values[line] ?? '')].join(',');
  });
  return `${[header.join(','), ...records].join('\r\n')}\r\n`;
}
