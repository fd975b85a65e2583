import type { RunSeries } from '../metrics/runSeries';
import { csvField } from '../metrics/toCsv';
import { metricTable } from './metricTable';

/**
 * All metrics of a run with one column a metric: iteration,arm,seed,agent,… A field is empty where nothing was logged. Otherwise as the
 * long form (`metricsCsv`): RFC 4180, numbers in the shortest form that reads back to the same float64, NaN and ±Infinity spelled
 * out. −0 prints as 0.
 */
export function metricsCsvWide(series: RunSeries): string {
  const { iterations, arms, seeds, agents, metrics } = metricTable(series);
  const header = ['iteration', 'arm', 'seed', 'agent', ...metrics.map(({ key }) => key)];
  const records = iterations.map((iteration, line) => {
    const ids = [iteration, csvField(arms[line]!), seeds[line]!, csvField(agents[line]!)];
    return [...ids, ...metrics.map(({ values }) => values[line] ?? '')].join(',');
  });
  return `${[header.join(','), ...records].join('\r\n')}\r\n`;
}
