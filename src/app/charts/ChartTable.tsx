import { formatNumber } from '../../metrics/format';
import type { ChartLine } from './chartModel';
import { centerName, intervalName, xAxisNames, type ChartView } from './chartView';
import { rowAt } from './lineRows';
import { shortMetricLabel } from './lineStyle';

interface ChartTableProps {
  readonly name: string;
  readonly lines: readonly ChartLine[];
  /** Drawn places on the x axis. */
  readonly xs: readonly number[];
  readonly view: Pick<ChartView, 'xAxis' | 'seedsShown' | 'smoothing'>;
}

/** Centre, and the interval over the seeds where there are several; blank where the line has no such point. */
function cell(line: ChartLine, x: number, { xAxis }: ChartTableProps['view']): string {
  const row = rowAt(line, x, xAxis);
  if (row < 0) return '';
  if (line.band.numSeeds[row] === 0) return 'not finite';
  const center = formatNumber(line.band.center[row]!);
  const interval = line.intervalAt(row);
  if (interval === null) return center;
  return `${center} [${formatNumber(interval.low)}, ${formatNumber(interval.high)}]`;
}

/** What the numbers are. */
function captionOf({ seedsShown, smoothing }: ChartTableProps['view']): string {
  const kind = `${centerName(seedsShown)} [${intervalName(seedsShown)}] over seeds`;
  return smoothing === 0 ? kind : `${kind}, smoothed by ${smoothing}`;
}

/** What scrolls has to be reachable by keyboard, although nothing in it can be pressed. */
const reachable = { tabIndex: 0 };

/** The numbers of a plot, iteration by iteration: what the chart shows, for reading and for screen readers. */
export function ChartTable({ name, lines, xs, view }: ChartTableProps) {
  const hasSeveralMetrics = new Set(lines.map(({ metric }) => metric)).size > 1;
  const numLogged = Math.max(0, ...lines.map(({ band }) => band.iterations.length));
  return (
    <section className="chart-table" aria-label={`Table of ${name}`} {...reachable}>
      <table>
        <caption>
          {name}: {captionOf(view)}
          {xs.length < numLogged &&
            `; ${xs.length} of ${numLogged} iterations, extremes kept (the CSV has all)`}
        </caption>
        <thead>
          <tr>
            <th scope="col">{xAxisNames[view.xAxis]}</th>
            {lines.map(({ arm, metric }) => (
              <th scope="col" key={`${arm}/${metric}`}>
                {arm}
                {hasSeveralMetrics && <small>{shortMetricLabel(metric)}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {xs.map((x) => (
            <tr key={x}>
              <th scope="row">{x}</th>
              {lines.map((line) => (
                <td key={`${line.arm}/${line.metric}`}>{cell(line, x, view)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
