import { memo } from 'react';
import { Area, CartesianGrid, ComposedChart, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts';
import { axisOver } from '../../metrics/axis';
import { formatTick } from '../../metrics/format';
import { symlogInverse } from '../../metrics/symlog';
import { thinnedMarkers, type Marker, type PanelAxis, type PanelModel } from './chartModel';
import { ChartTooltip } from './ChartTooltip';
import { xAxisNames, type ChartView } from './chartView';
import { axisPosition, BandLayer, CursorDots, LineLayer, type PlotLine } from './PlotLines';
import { useDragZoom, ZoomLayer } from './plotZoom';
import { EndLabelLayer, MarkerLayer, XAxisName, type EndLabel } from './PlotOverlay';

/** A horizontal line that the values are read against. */
export interface Bound {
  readonly value: number;
  readonly label: string;
}

interface MetricPlotProps {
  /** Accessible name of the drawing. */
  readonly name: string;
  readonly model: PanelModel;
  /** The lines of `model` that the legend lets through, faded ones first. */
  readonly lines: readonly PlotLine[];
  readonly color: string;
  readonly view: ChartView;
  /** Right end of the whole x axis. */
  readonly lastX: number;
  readonly bounds: readonly Bound[];
  /** Plots with one id share their cursor, by place on the x axis. */
  readonly syncId: string;
  /** A part of the x axis was marked by dragging. */
  readonly onZoom: (zoom: readonly [number, number]) => void;
}

const tickStyle = { fill: 'var(--muted)', fontSize: 11 };
const axisLine = { stroke: 'var(--line)' };
const maxXTicks = 6;

function endLabels(lines: readonly PlotLine[]): EndLabel[] {
  const seen = new Set<string>();
  return lines.flatMap(({ id, line: { arm, linePoints }, isFaded }) => {
    const last = linePoints.findLast(({ center }) => center !== null);
    if (!last || last.center === null || seen.has(arm)) return [];
    seen.add(arm);
    return [{ id, text: arm, at: last.x, value: last.center, isFaded }];
  });
}

/** Room for the names at the ends of lines and of the x axis; 6 px is an average letter at 11 px. Unit: px. */
function marginFor({ lines }: PanelModel): {
  top: number;
  right: number;
  bottom: number;
  left: number;
} {
  const longest = Math.max(0, ...lines.map(({ arm }) => arm.length));
  return { top: 8, right: Math.min(96, Math.max(58, 12 + 6 * longest)), bottom: 0, left: 0 };
}

/** Ticks of [from, to]; whole numbers where the axis counts. */
function xTicks([from, to]: readonly [number, number]): readonly number[] {
  return axisOver([from, to], 'linear', maxXTicks).ticks.filter(
    (tick) => Number.isInteger(tick) && tick >= from && tick <= to,
  );
}

/** The drawing itself. Redrawn only when its props change; recharts keeps the cursor and the keyboard to itself. */
export const MetricPlot = memo(function MetricPlot(props: MetricPlotProps) {
  const { name, model, lines, color, view, lastX, bounds, syncId, onZoom } = props;
  const { axis } = model;
  const { drag, handlers } = useDragZoom(onZoom);
  // With one arm brought forward, only its marks: that is how one sees whose they are.
  const arms = new Set(lines.flatMap(({ line, isFaded }) => (isFaded ? [] : line.arm)));
  const markers = model.markers.filter(({ arm }) => arms.has(arm));
  const foot = axisPosition(axis, axis.domain[0]);
  return (
    <ComposedChart
      className="metric-plot"
      responsive
      data={model.xs.map((x) => ({ x, anchor: foot }))}
      margin={marginFor(model)}
      syncId={syncId}
      syncMethod="value"
      aria-label={name}
      {...handlers}
    >
      <CartesianGrid vertical={false} syncWithTicks stroke="var(--line)" />
      {xAxisOf(view.zoom === null ? [0, lastX] : [view.zoom[0], Math.min(view.zoom[1], lastX)])}
      {yAxisOf(axis)}
      {cursorAnchor()}
      <BandLayer lines={lines} axis={axis} color={color} />
      {bounds.map((bound) => boundOf(bound, axis))}
      {view.baseline !== null && boundOf({ value: 0, label: `as ${view.baseline}` }, axis)}
      <LineLayer lines={lines} axis={axis} color={color} />
      <CursorDots lines={lines} axis={axis} color={color} xAxis={view.xAxis} />
      <MarkerLayer axis={axis} markers={thinnedMarkers(markers, lastX)} color={color} />
      <EndLabelLayer axis={axis} labels={endLabels(lines)} />
      <XAxisName name={xAxisNames[view.xAxis]} />
      <ZoomLayer drag={drag} />
      {tooltipOf(lines, markers, color, view)}
    </ComposedChart>
  );
});

// Pieces of the chart above: each takes its place through recharts' context.

function xAxisOf(domain: readonly [number, number]) {
  return (
    <XAxis
      dataKey="x"
      type="number"
      domain={[...domain]}
      ticks={xTicks(domain)}
      tickFormatter={formatTick}
      interval={0}
      tick={tickStyle}
      tickSize={4}
      tickMargin={3}
      axisLine={axisLine}
      tickLine={axisLine}
      height={24}
      allowDataOverflow
    />
  );
}

function yAxisOf(axis: PanelAxis) {
  const { domain, ticks, scale, linearBound } = axis;
  const position = (value: number): number => axisPosition(axis, value);
  return (
    <YAxis
      type="number"
      scale={scale === 'log' ? 'log' : 'linear'}
      domain={domain.map(position)}
      ticks={ticks.map(position)}
      interval={0}
      tick={tickStyle}
      tickFormatter={(tick: number) =>
        formatTick(linearBound === null ? tick : symlogInverse(tick, linearBound))
      }
      axisLine={false}
      tickLine={false}
      tickMargin={4}
      width={38}
      allowDataOverflow
    />
  );
}

function boundOf({ value, label }: Bound, axis: PanelAxis) {
  return (
    <ReferenceLine
      key={label}
      y={axisPosition(axis, value)}
      stroke="var(--muted)"
      label={{ value: label, position: 'insideTopLeft', fill: 'var(--muted)', fontSize: 11 }}
    />
  );
}

/** Draws nothing: recharts shows a cursor only where some item of its own has a point. */
function cursorAnchor() {
  return (
    <Area dataKey="anchor" stroke="none" fill="none" activeDot={false} isAnimationActive={false} />
  );
}

function tooltipOf(
  lines: readonly PlotLine[],
  markers: readonly Marker[],
  color: string,
  view: ChartView,
) {
  const hasSeveralMetrics = new Set(lines.map(({ line }) => line.metric)).size > 1;
  const rows = lines.map(({ id, line }) => ({ id, line, color }));
  return (
    <Tooltip
      isAnimationActive={false}
      cursor={{ stroke: 'var(--muted)', strokeWidth: 1 }}
      // Below the plot: in a small panel the box would cover what it explains.
      position={{ y: 2 }}
      wrapperStyle={{ top: '100%', zIndex: 5 }}
      content={({ label, active }) =>
        active && typeof label === 'number' ? (
          <ChartTooltip
            label={label}
            view={view}
            rows={rows}
            markers={markers}
            hasSeveralMetrics={hasSeveralMetrics}
          />
        ) : null
      }
    />
  );
}
