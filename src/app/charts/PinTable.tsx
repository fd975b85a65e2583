import { formatNumber } from '../../metrics/format';
import { Icon } from '../icons';
import { shortMetricLabel } from './metricTexts';
import { pinPlace, pinnedValues, type Pins } from './pins';
import type { PlotLine } from './PlotLines';
import { xName, xPlaceText, type ChartX } from './xAxis';

interface PinTableProps {
  readonly name: string;
  readonly lines: readonly PlotLine[];
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
export function PinTable({ name, lines: drawn, pins, x, syncId }: PinTableProps) {
  if (pins.length === 0) return null;
  const lines = drawn.map(({ line }) => line);
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
            <th scope="col">
              <span className="visually-hidden">Remove</span>
            </th>
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
                  onClick={() => pinPlace(syncId, place)}
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
