import { usePlotArea, ZIndexLayer } from 'recharts';
import { spreadLabels } from './endLabels';
import type { Marker } from './markers';
import type { PanelAxis } from './panelAxis';
import { usePlotScale } from './PlotLines';

/** What stands on the lines: triangles of spikes and of values that are not finite, and names at the ends of lines. */

/** Above the lines (400), below recharts' cursor (1100). */
const overlayLevel = 600;

const triangle = 'm0-4.5 4 7h-8z';

interface MarkerLayerProps {
  readonly axis: PanelAxis;
  readonly markers: readonly Marker[];
  readonly color: string;
}

/** ▲ at a spike's value in the agent's colour; ▲ at the top edge in ink where a value was NaN or infinite. */
export function MarkerLayer({ axis, markers, color }: MarkerLayerProps) {
  const scale = usePlotScale(axis);
  const area = usePlotArea();
  if (!scale || !area) return null;
  const path = (kind: Marker['kind']): string =>
    markers
      .filter((marker) => marker.kind === kind)
      .map(({ x, value }) => {
        const y = kind === 'spike' ? scale.y(value) : area.y;
        return `M${scale.x(x).toFixed(1)} ${y.toFixed(1)}${triangle}`;
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

export interface EndLabel {
  readonly id: string;
  readonly text: string;
  /** Place on the x axis. */
  readonly at: number;
  readonly value: number;
  readonly isFaded: boolean;
}

/** Height of a label with its air. Unit: px. */
const labelSpacing = 13;

interface EndLabelLayerProps {
  readonly axis: PanelAxis;
  readonly labels: readonly EndLabel[];
}

/** The line's name beside its last point; a hairline leads there where names had to move apart. */
export function EndLabelLayer({ axis, labels }: EndLabelLayerProps) {
  const scale = usePlotScale(axis);
  const area = usePlotArea();
  if (!scale || !area) return null;
  const ends = labels.map(({ at, value }) => ({
    x: scale.x(at),
    y: scale.y(value),
  }));
  // One column right of the longest line: a name must not stand on another line.
  const left = Math.max(...ends.map(({ x }) => x));
  const heights = spreadLabels(
    ends.map(({ y }) => y),
    labelSpacing,
    // The name of the x axis stands at the bottom of the same column.
    [area.y + 4, area.y + area.height - 18],
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

/** Names the x axis right of its end, where it costs the plot no height, or below it where the name is long. */
export function XAxisName({ name, isBelow }: { readonly name: string; readonly isBelow: boolean }) {
  const area = usePlotArea();
  if (!area) return null;
  return (
    <text
      className="chart-axis-name"
      x={area.x + area.width + (isBelow ? 0 : 8)}
      y={area.y + area.height + (isBelow ? 31 : 0)}
      dy="0.35em"
      textAnchor={isBelow ? 'end' : 'start'}
      aria-hidden="true"
    >
      {name}
    </text>
  );
}
