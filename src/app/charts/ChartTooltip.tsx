import { positionOf } from '../../metrics/bands';
import { formatNumber } from '../../metrics/format';
import type { ChartLine, Marker } from './chartModel';
import { LineSample } from './LineSample';
import { shortMetricLabel } from './lineStyle';

interface TooltipRow {
  readonly id: string;
  readonly line: ChartLine;
  readonly color: string;
}

interface ChartTooltipProps {
  /** What recharts points at: an iteration. */
  readonly label: number;
  readonly rows: readonly TooltipRow[];
  readonly markers: readonly Marker[];
  readonly hasSeveralMetrics: boolean;
}

/** Cells of a line at one iteration; blank where it has no such point. */
function valuesAt({ band }: ChartLine, iteration: number): readonly [string, string, string] {
  const row = positionOf(band.iterations, iteration);
  if (row < 0) return ['', '', ''];
  const [low, high, numSeeds] = [band.low[row]!, band.high[row]!, band.numSeeds[row]!];
  const range = numSeeds > 1 ? `${formatNumber(low)} – ${formatNumber(high)}` : '';
  return [numSeeds > 0 ? formatNumber(band.center[row]!) : 'not finite', range, String(numSeeds)];
}

function markerText({ arm, seed, kind, value }: Marker): string {
  return `▲ ${arm}, seed ${seed}: ${kind === 'spike' ? 'spike' : 'not finite'}, ${formatNumber(value)}`;
}

/** Marks listed under the values; more become a count. */
const maxListed = 4;

/** The values under the cursor. No live region: the table says the same to those who cannot point. */
export function ChartTooltip({ label, rows, markers, hasSeveralMetrics }: ChartTooltipProps) {
  const here = markers.filter(({ iteration }) => iteration === label);
  return (
    <div className="chart-tooltip">
      <table>
        <thead>
          <tr>
            <th scope="col">iteration {label}</th>
            <th scope="col">median</th>
            <th scope="col">min – max</th>
            <th scope="col">N</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, line, color }) => {
            const [center, range, count] = valuesAt(line, label);
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
