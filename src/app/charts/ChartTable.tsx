import { formatNumber } from '../../metrics/format';
import type { ChartChange } from './chartChanges';
import type { ChartLine } from './chartModel';
import { centerName, intervalName, type ChartView } from './chartView';
import { rowAt, rowOfIteration } from './lineRows';
import { shortMetricLabel } from './metricTexts';
import { drawnRows } from './visibleRows';
import { xName } from './xAxis';

interface ChartTableProps {
  readonly name: string;
  readonly lines: readonly ChartLine[];
  /** Drawn places on the x axis. */
  readonly xs: readonly number[];
  readonly view: Pick<ChartView, 'x' | 'band' | 'smoothing'>;
  /** Of the lines that are shown. */
  readonly changes: readonly ChartChange[];
}

/** Centre, and the interval over the seeds where there are several; blank where the line has no such point. */
function cell(line: ChartLine, row: number): string {
  if (row < 0) return '';
  if (line.band.numSeeds[row] === 0) return 'not finite';
  const center = formatNumber(line.band.center[row]!);
  const interval = line.intervalAt(row);
  if (interval === null) return center;
  return `${center} [${formatNumber(interval.low)}, ${formatNumber(interval.high)}]`;
}

/** What the numbers are. */
function captionOf({ band, smoothing }: ChartTableProps['view']): string {
  const kind = `${centerName(band)} [${intervalName(band)}] over seeds`;
  return smoothing === 0 ? kind : `${kind}, smoothed by ${smoothing}`;
}

/** What scrolls has to be reachable by keyboard, although nothing in it can be pressed. */
const reachable = { tabIndex: 0 };

/** Iterations that are drawn, where the x axis says nothing of them. */
function drawnIterations(lines: readonly ChartLine[]): number[] {
  const drawn = lines.flatMap(({ band, visible }) =>
    drawnRows(band.center, band.center, visible).map((row) => band.iterations[row]!),
  );
  return [...new Set(drawn)].toSorted((a, b) => a - b);
}

/** The numbers of a plot, row by row: what the chart shows, for reading and for screen readers. Over a metric both values stand side by side. */
export function ChartTable({ name, lines, xs, view, changes }: ChartTableProps) {
  const isOverMetric = view.x.kind === 'metric';
  const rows = isOverMetric ? drawnIterations(lines) : xs;
  const numLogged = Math.max(0, ...lines.map(({ band }) => band.iterations.length));
  const rowOf = (line: ChartLine, place: number): number =>
    isOverMetric ? rowOfIteration(line, place) : rowAt(line, place, view.x);
  return (
    <section className="chart-table" aria-label={`Table of ${name}`} {...reachable}>
      <table>
        <caption>
          {name}: {captionOf(view)}
          {rows.length < numLogged &&
            `; ${rows.length} of ${numLogged} iterations, extremes kept (the CSV has all)`}
          {changes.length > 0 && `; changed while running: ${changes.map(({ text }) => text).join('; ')}`}
        </caption>
        <TableHead lines={lines} x={view.x} />
        <tbody>
          {rows.map((place) => (
            <tr key={place}>
              <th scope="row">{view.x.kind === 'wallTime' ? formatNumber(place) : place}</th>
              {lines.map((line) => {
                const row = rowOf(line, place);
                const values = <td key={keyOf(line)}>{cell(line, row)}</td>;
                if (!isOverMetric) return values;
                return [<td key={`${keyOf(line)}/x`}>{placeOf(line, row)}</td>, values];
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function keyOf({ arm, metric }: ChartLine): string {
  return `${arm}/${metric}`;
}

function placeOf({ x }: ChartLine, row: number): string {
  const place = row < 0 ? NaN : x[row]!;
  return Number.isNaN(place) ? '' : formatNumber(place);
}

function TableHead({ lines, x }: Pick<ChartTableProps, 'lines'> & { x: ChartView['x'] }) {
  const isOverMetric = x.kind === 'metric';
  const hasSeveralMetrics = new Set(lines.map(({ metric }) => metric)).size > 1;
  return (
    <thead>
      <tr>
        <th scope="col">{isOverMetric ? 'iteration' : xName(x)}</th>
        {lines.map((line) => {
          const { arm, metric } = line;
          const head = (
            <th scope="col" key={keyOf(line)}>
              {arm}
              {(hasSeveralMetrics || isOverMetric) && <small>{shortMetricLabel(metric)}</small>}
            </th>
          );
          if (!isOverMetric) return head;
          return [
            <th scope="col" key={`${keyOf(line)}/x`}>
              {arm}
              <small>{xName(x)}</small>
            </th>,
            head,
          ];
        })}
      </tr>
    </thead>
  );
}
