import { usePlotArea, useXAxisScale, useYAxisScale, ZIndexLayer } from 'recharts';
import type { ChartLine, Marker } from './chartModel';
import { spreadLabels } from './endLabels';

/** What recharts does not draw: triangles of spikes and of values that are not finite, and names at the ends of lines. */

/** Above recharts' lines (400), below its cursor (1100). */
const overlayLevel = 600;

const triangle = 'm0-4.5 4 7h-8z';

interface MarkerLayerProps {
  readonly markers: readonly Marker[];
  readonly color: string;
}

/** ▲ at a spike's value in the agent's colour; ▲ at the top edge in ink where a value was NaN or infinite. */
export function MarkerLayer({ markers, color }: MarkerLayerProps) {
  const toX = useXAxisScale();
  const toY = useYAxisScale();
  const area = usePlotArea();
  if (!toX || !toY || !area) return null;
  const path = (kind: Marker['kind']): string =>
    markers
      .filter((marker) => marker.kind === kind)
      .map(({ iteration, value }) => {
        const y = kind === 'spike' ? Number(toY(value)) : area.y;
        // A spike beyond the axis stands at its edge.
        return `M${Number(toX(iteration)).toFixed(1)} ${Math.max(area.y, y).toFixed(1)}${triangle}`;
      })
      .join('');
  return (
    <ZIndexLayer zIndex={overlayLevel}>
      <g className="chart-markers" aria-hidden="true">
        <path d={path('spike')} fill={color} />
        <path d={path('notFinite')} fill="var(--ink)" />
      </g>
    </ZIndexLayer>
  );
}

interface LoneDotLayerProps {
  readonly lines: readonly ChartLine[];
  readonly color: string;
}

/** Dots for points without a neighbour to be joined to: a line through one point draws nothing. */
export function LoneDotLayer({ lines, color }: LoneDotLayerProps) {
  const toX = useXAxisScale();
  const toY = useYAxisScale();
  if (!toX || !toY) return null;
  const dots = lines.flatMap(({ linePoints }) =>
    linePoints
      .filter(({ isAlone }) => isAlone)
      .map(({ iteration, center }) => `M${Number(toX(iteration))} ${Number(toY(center))}h0`),
  );
  return (
    <ZIndexLayer zIndex={overlayLevel}>
      <path className="chart-lone-dots" d={dots.join('')} stroke={color} aria-hidden="true" />
    </ZIndexLayer>
  );
}

export interface EndLabel {
  readonly id: string;
  readonly text: string;
  readonly iteration: number;
  readonly value: number;
  readonly isFaded: boolean;
}

/** Height of a label with its air. Unit: px. */
const labelSpacing = 13;

/** The line's name beside its last point; a hairline leads there where names had to move apart. */
export function EndLabelLayer({ labels }: { readonly labels: readonly EndLabel[] }) {
  const toX = useXAxisScale();
  const toY = useYAxisScale();
  const area = usePlotArea();
  if (!toX || !toY || !area) return null;
  const ends = labels.map(({ iteration, value }) => ({
    x: Number(toX(iteration)),
    y: Math.min(area.y + area.height, Math.max(area.y, Number(toY(value)))),
  }));
  // One column right of the longest line: a name must not stand on another line.
  const left = Math.max(...ends.map(({ x }) => x));
  const heights = spreadLabels(
    ends.map(({ y }) => y),
    labelSpacing,
    [area.y + 4, area.y + area.height - 5],
  );
  return (
    <ZIndexLayer zIndex={overlayLevel}>
      <g className="chart-end-labels" aria-hidden="true">
        {labels.map(({ id, text, isFaded }, index) => {
          const { x, y } = ends[index]!;
          const height = heights[index]!;
          return (
            <g key={id} opacity={isFaded ? 0.3 : 1}>
              <path d={`M${x + 1} ${y}H${left + 1}L${left + 6} ${height}`} />
              <text x={left + 8} y={height} dy="0.35em">
                {text}
              </text>
            </g>
          );
        })}
      </g>
    </ZIndexLayer>
  );
}

/** Names the x axis right of its end, where it costs the plot no height. */
export function XAxisName() {
  const area = usePlotArea();
  if (!area) return null;
  return (
    <text
      className="chart-axis-name"
      x={area.x + area.width + 8}
      y={area.y + area.height}
      dy="0.35em"
      aria-hidden="true"
    >
      iteration
    </text>
  );
}
