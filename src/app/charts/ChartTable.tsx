import { positionOf } from '../../metrics/bands';
import { formatNumber } from '../../metrics/format';
import type { ChartLine } from './chartModel';
import { shortMetricLabel } from './lineStyle';

interface ChartTableProps {
  readonly name: string;
  readonly lines: readonly ChartLine[];
  readonly iterations: readonly number[];
}

/** Median, and the span of the seeds where there are several; blank where the line has no such point. */
function cell({ band }: ChartLine, iteration: number): string {
  const row = positionOf(band.iterations, iteration);
  if (row < 0) return '';
  if (band.numSeeds[row] === 0) return 'not finite';
  const center = formatNumber(band.center[row]!);
  if (band.numSeeds[row] === 1) return center;
  return `${center} [${formatNumber(band.low[row]!)}, ${formatNumber(band.high[row]!)}]`;
}

/** What scrolls has to be reachable by keyboard, although nothing in it can be pressed. */
const reachable = { tabIndex: 0 };

/** The numbers of a plot, iteration by iteration: what the chart shows, for reading and for screen readers. */
export function ChartTable({ name, lines, iterations }: ChartTableProps) {
  const hasSeveralMetrics = new Set(lines.map(({ metric }) => metric)).size > 1;
  const numLogged = Math.max(0, ...lines.map(({ band }) => band.iterations.length));
  return (
    <section className="chart-table" aria-label={`Table of ${name}`} {...reachable}>
      <table>
        <caption>
          {name}: median [min, max] over seeds
          {iterations.length < numLogged &&
            `; ${iterations.length} of ${numLogged} iterations, extremes kept (the CSV has all)`}
        </caption>
        <thead>
          <tr>
            <th scope="col">iteration</th>
            {lines.map(({ arm, metric }) => (
              <th scope="col" key={`${arm}/${metric}`}>
                {arm}
                {hasSeveralMetrics && <small>{shortMetricLabel(metric)}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {iterations.map((iteration) => (
            <tr key={iteration}>
              <th scope="row">{iteration}</th>
              {lines.map((line) => (
                <td key={`${line.arm}/${line.metric}`}>{cell(line, iteration)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
