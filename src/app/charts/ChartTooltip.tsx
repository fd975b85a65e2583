import { formatNumber } from '../../metrics/format';
import type { ChartLine } from './chartModel';
import { intervalName, centerName, type ChartView } from './chartView';
import { LineSample } from './LineSample';
import { rowAt } from './lineRows';
import type { Marker } from './markers';
import { shortMetricLabel } from './metricTexts';
import { xName, xPlaceText } from './xAxis';

interface TooltipRow {
  readonly id: string;
  readonly line: ChartLine;
  readonly color: string;
}

interface ChartTooltipProps {
  /** What recharts points at: a place on the x axis. */
  readonly label: number;
  readonly view: Pick<ChartView, 'x' | 'band'>;
  readonly rows: readonly TooltipRow[];
  readonly markers: readonly Marker[];
  readonly hasSeveralMetrics: boolean;
}

/** Cells of a line in a row; blank where it has none. */
function valuesIn(line: ChartLine, row: number): readonly [string, string, string] {
  if (row < 0) return ['', '', ''];
  const { center, numSeeds } = line.band;
  const interval = line.intervalAt(row);
  const range =
    interval === null ? '' : `${formatNumber(interval.low)} – ${formatNumber(interval.high)}`;
  const count = numSeeds[row]!;
  return [count > 0 ? formatNumber(center[row]!) : 'not finite', range, String(count)];
}

function markerText({ arm, seed, kind, value }: Marker): string {
  return `▲ ${arm}, seed ${seed}: ${kind === 'spike' ? 'spike' : 'not finite'}, ${formatNumber(value)}`;
}

/** Marks listed under the values; more become a count. */
const maxListed = 4;

/** The values under the cursor. No live region: the table says the same to those who cannot point. */
export function ChartTooltip({ label, view, rows, markers, hasSeveralMetrics }: ChartTooltipProps) {
  const found = rows.map(({ line }) => rowAt(line, label, view.x));
  const iterations = new Set(
    rows.flatMap(({ line }, index) => line.band.iterations[found[index]!] ?? []),
  );
  const here = markers.filter(({ iteration }) => iterations.has(iteration));
  const [iteration] = iterations;
  return (
    <div className="chart-tooltip">
      <table>
        <thead>
          <tr>
            <th scope="col">
              {view.x.kind === 'iteration'
                ? `iteration ${String(label)}`
                : `${xName(view.x)} ${xPlaceText(view.x, label)}, iteration ${String(iteration ?? '–')}`}
            </th>
            <th scope="col">{centerName(view.band)}</th>
            <th scope="col">{intervalName(view.band)}</th>
            <th scope="col">N</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, line, color }, index) => {
            const [center, range, count] = valuesIn(line, found[index]!);
            return (
              <tr key={id}>
                <th scope="row">
                  <LineSample armIndex={line.armIndex} metric={line.metric} color={color} />
                  {line.arm}
                  {hasSeveralMetrics && ` ${shortMetricLabel(line.metric)}`}
                </th>
                <td>{center}</td>
                <td>{range}</td>
                <td>{count}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {here.slice(0, maxListed).map((marker) => (
        <p key={`${marker.kind}/${marker.arm}/${marker.seed}`}>{markerText(marker)}</p>
      ))}
      {here.length > maxListed && <p>and {here.length - maxListed} more</p>}
    </div>
  );
}
