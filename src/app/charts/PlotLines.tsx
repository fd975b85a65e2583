import {
  useActiveTooltipLabel,
  useIsTooltipActive,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  ZIndexLayer,
} from 'recharts';
import { symlog } from '../../metrics/symlog';
import type { ChartLine } from './chartModel';
import { rowAt } from './lineRows';
import { bandPath, linePath, loneDotsPath, whiskersPath, type PlotScale } from './linePaths';
import { lineDash } from './lineStyle';
import type { PanelAxis } from './panelAxis';
import type { ChartX } from './xAxis';

/**
 * Lines and bands as plain paths on recharts' axes. Its own Line and Area keep several memoized selectors and an object
 * per point: with twelve of them in a panel most of a redraw went into those and their garbage.
 */

export interface PlotLine {
  readonly id: string;
  readonly line: ChartLine;
  readonly isFaded: boolean;
}

interface PlotLinesProps {
  /** Faded ones first, so that the others lie on top. */
  readonly lines: readonly PlotLine[];
  readonly axis: PanelAxis;
  readonly color: string;
}

/** Layers of recharts: 100 areas, 400 lines, 1100 cursor. */
const bandLevel = 100;
const lineLevel = 400;
const cursorDotLevel = 1150;

/** Where a value stands on the axis that recharts knows, which is linear where ours is symlog. */
export function axisPosition({ linearBound }: PanelAxis, value: number): number {
  return linearBound === null ? value : symlog(value, linearBound);
}

/** The scales of the chart around, bounded to the plot; null before it is laid out. */
export function usePlotScale(axis: PanelAxis): PlotScale | null {
  const toX = useXAxisScale();
  const toY = useYAxisScale();
  const area = usePlotArea();
  if (!toX || !toY || !area) return null;
  const bounded = (y: number): number => Math.min(area.y + area.height, Math.max(area.y, y));
  return {
    x: (x) => Number(toX(x)),
    y: (value) => bounded(Number(toY(axisPosition(axis, value)))),
  };
}

export function BandLayer({ lines, axis, color }: PlotLinesProps) {
  const scale = usePlotScale(axis);
  if (!scale) return null;
  return (
    <ZIndexLayer zIndex={bandLevel}>
      {lines.map(({ id, line, isFaded }) => (
        <g key={id} opacity={isFaded ? 0.25 : 1}>
          {line.isOrdered ? (
            <path className="chart-band" d={bandPath(line.bandPoints, scale)} fill={color} />
          ) : (
            <path
              className="chart-whiskers"
              d={whiskersPath(line.bandPoints, scale)}
              stroke={color}
            />
          )}
        </g>
      ))}
    </ZIndexLayer>
  );
}

export function LineLayer({ lines, axis, color }: PlotLinesProps) {
  const scale = usePlotScale(axis);
  if (!scale) return null;
  return (
    <ZIndexLayer zIndex={lineLevel}>
      {lines.map(({ id, line, isFaded }) => (
        <g key={id} stroke={color} opacity={isFaded ? 0.25 : 1} fill="none">
          <path className="chart-raw" d={linePath(line.rawPoints, scale)} />
          <path
            className="chart-seed"
            d={line.seedPoints.map((points) => linePath(points, scale)).join('')}
          />
          <path
            className="chart-line"
            d={linePath(line.linePoints, scale)}
            {...lineDash(line.armIndex, line.metric)}
          />
          <path className="chart-dots" d={loneDotsPath(line.linePoints, scale)} />
        </g>
      ))}
    </ZIndexLayer>
  );
}

/** Dots where the cursor meets the lines. */
export function CursorDots({
  lines,
  axis,
  color,
  xAxis,
}: PlotLinesProps & { readonly xAxis: ChartX }) {
  const scale = usePlotScale(axis);
  const isActive = useIsTooltipActive();
  const x = useActiveTooltipLabel();
  if (!scale || !isActive || typeof x !== 'number') return null;
  const path = lines.map(({ line, isFaded }) => {
    const row = isFaded ? -1 : rowAt(line, x, xAxis);
    if (row < 0) return '';
    const [at, center] = [line.x[row]!, line.band.center[row]!];
    // The drawn point, if there is one, knows whether the axis can show the value.
    const isGap = line.linePoints.some((point) => point.x === at && point.center === null);
    return isGap || Number.isNaN(center) ? '' : `M${scale.x(at)} ${scale.y(center)}h0`;
  });
  return (
    <ZIndexLayer zIndex={cursorDotLevel}>
      <path className="chart-dots chart-cursor-dots" d={path.join('')} stroke={color} />
    </ZIndexLayer>
  );
}
