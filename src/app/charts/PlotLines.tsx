import {
  useActiveTooltipLabel,
  useIsTooltipActive,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  ZIndexLayer,
} from 'recharts';
import { positionOf } from '../../metrics/bands';
import type { ChartLine } from './chartModel';
import { bandPath, linePath, loneDotsPath, type PlotScale } from './linePaths';
import { lineDash } from './lineStyle';

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
  readonly color: string;
}

/** Layers of recharts: 100 areas, 400 lines, 1100 cursor. */
const bandLevel = 100;
const lineLevel = 400;
const cursorDotLevel = 1150;

/** The scales of the chart around, bounded to the plot; null before it is laid out. */
export function usePlotScale(): PlotScale | null {
  const toX = useXAxisScale();
  const toY = useYAxisScale();
  const area = usePlotArea();
  if (!toX || !toY || !area) return null;
  return {
    x: (iteration) => Number(toX(iteration)),
    y: (value) => Math.min(area.y + area.height, Math.max(area.y, Number(toY(value)))),
  };
}

export function BandLayer({ lines, color }: PlotLinesProps) {
  const scale = usePlotScale();
  if (!scale) return null;
  return (
    <ZIndexLayer zIndex={bandLevel}>
      {lines.map(({ id, line, isFaded }) => (
        <path
          key={id}
          d={bandPath(line.bandPoints, scale)}
          fill={color}
          fillOpacity={isFaded ? 0.03 : 0.13}
        />
      ))}
    </ZIndexLayer>
  );
}

export function LineLayer({ lines, color }: PlotLinesProps) {
  const scale = usePlotScale();
  if (!scale) return null;
  return (
    <ZIndexLayer zIndex={lineLevel}>
      {lines.map(({ id, line, isFaded }) => (
        <g key={id} stroke={color} opacity={isFaded ? 0.25 : 1} fill="none">
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
export function CursorDots({ lines, color }: PlotLinesProps) {
  const scale = usePlotScale();
  const isActive = useIsTooltipActive();
  const iteration = useActiveTooltipLabel();
  if (!scale || !isActive || typeof iteration !== 'number') return null;
  const path = lines.map(({ line: { band, linePoints }, isFaded }) => {
    const row = isFaded ? -1 : positionOf(band.iterations, iteration);
    if (row < 0) return '';
    // The drawn point, if there is one, knows whether the axis can show the value.
    const isGap = linePoints.some(
      (point) => point.iteration === iteration && point.center === null,
    );
    const center = band.center[row]!;
    return isGap || Number.isNaN(center) ? '' : `M${scale.x(iteration)} ${scale.y(center)}h0`;
  });
  return (
    <ZIndexLayer zIndex={cursorDotLevel}>
      <path className="chart-dots chart-cursor-dots" d={path.join('')} stroke={color} />
    </ZIndexLayer>
  );
}
