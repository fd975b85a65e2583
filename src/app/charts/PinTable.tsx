import { formatNumber } from '../../metrics/format';
import { Icon } from '../icons';
import type { ChartLine } from './chartModel';
import { shortMetricLabel } from './metricTexts';
import { pin, pinnedValues, type Pins } from './pins';
import { xName, xPlaceText, type ChartX } from './xAxis';

interface PinTableProps {
  readonly name: string;
  readonly lines: readonly ChartLine[];
  readonly pins: Pins;
  readonly x: ChartX;
  /** Charts with one id share their pins. */
  readonly syncId: string;
}

function text(value: number): string {
  return Number.isNaN(value) ? '–' : formatNumber(value);
}

function signed(value: number): string {
  return value > 0 ? `+${formatNumber(value)}` : text(value);
}

/** The values at the pins, and what has changed from one pin to the next. */
export function PinTable({ name, lines, pins, x, syncId }: PinTableProps) {
  if (pins.length === 0) return null;
  const hasSeveralMetrics = new Set(lines.map(({ metric }) => metric)).size > 1;
  const keys = lines.map(({ arm, metric }) => `${arm}/${metric}`);
  return (
    <div className="chart-pins">
      <table aria-label={`Pinned points of ${name}`}>
        <thead>
          <tr>
            <th scope="col">{xName(x)}</th>
            {lines.map(({ arm, metric }, index) => (
              <th scope="col" key={keys[index]}>
                {hasSeveralMetrics ? `${arm} ${shortMetricLabel(metric)}` : arm}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {pinnedValues(pins, lines, x).map(({ place, iteration, values, differences }, index) => (
            <tr key={place}>
              <th scope="row">
                {index + 1}: {xPlaceText(x, place)}
                {x.kind !== 'iteration' && iteration !== null && ` @${iteration}`}
              </th>
              {values.map((value, line) => (
                <td key={keys[line]}>
                  {text(value)}
                  {differences && (
                    <small title={`Since pin ${index}`}>{signed(differences[line]!)}</small>
                  )}
                </td>
              ))}
              <td>
                <button
                  type="button"
                  className="chart-button icon-button"
                  aria-label={`Remove pin ${index + 1}`}
                  onClick={() => pin(syncId, place)}
                >
                  <Icon name="remove" />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
