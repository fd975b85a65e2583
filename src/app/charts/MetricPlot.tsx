import { memo } from 'react';
import { Area, CartesianGrid, ComposedChart, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts';
import { axisOver, type Axis, type AxisScale } from '../../metrics/axis';
import { formatTick } from '../../metrics/format';
import { thinnedMarkers, type Marker, type PanelModel } from './chartModel';
import { ChartTooltip } from './ChartTooltip';
import { BandLayer, CursorDots, LineLayer, type PlotLine } from './PlotLines';
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
  readonly scale: AxisScale;
  /** Right end of the x axis. */
  readonly lastIteration: number;
  readonly bounds: readonly Bound[];
  /** Plots with one id share their cursor, by iteration. */
  readonly syncId: string;
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
    const { iteration, center } = last;
    return [{ id, text: arm, iteration, value: center, isFaded }];
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

function xTicks(lastIteration: number): readonly number[] {
  return axisOver([0, lastIteration], 'linear', maxXTicks).ticks.filter(
    (tick) => Number.isInteger(tick) && tick <= lastIteration,
  );
}

/** The drawing itself. Redrawn only when its props change; recharts keeps the cursor and the keyboard to itself. */
export const MetricPlot = memo(function MetricPlot(props: MetricPlotProps) {
  const { name, model, lines, color, scale, lastIteration, bounds, syncId } = props;
  // With one arm brought forward, only its marks: that is how one sees whose they are.
  const arms = new Set(lines.flatMap(({ line, isFaded }) => (isFaded ? [] : line.arm)));
  const markers = model.markers.filter(({ arm }) => arms.has(arm));
  return (
    <ComposedChart
      className="metric-plot"
      responsive
      data={model.iterations.map((iteration) => ({ iteration, anchor: model.axis.domain[0] }))}
      margin={marginFor(model)}
      syncId={syncId}
      syncMethod="value"
      aria-label={name}
    >
      <CartesianGrid vertical={false} syncWithTicks stroke="var(--line)" />
      {xAxisOf(lastIteration)}
      {yAxisOf(model.axis, scale)}
      {cursorAnchor()}
      <BandLayer lines={lines} color={color} />
      {bounds.map((bound) => boundOf(bound))}
      <LineLayer lines={lines} color={color} />
      <CursorDots lines={lines} color={color} />
      <MarkerLayer markers={thinnedMarkers(markers, lastIteration)} color={color} />
      <EndLabelLayer labels={endLabels(lines)} />
      <XAxisName />
      {tooltipOf(lines, markers, color)}
    </ComposedChart>
  );
});

// Pieces of the chart above: each takes its place through recharts' context.

function xAxisOf(lastIteration: number) {
  return (
    <XAxis
      dataKey="iteration"
      type="number"
      domain={[0, lastIteration]}
      ticks={xTicks(lastIteration)}
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

function yAxisOf({ domain, ticks }: Axis, scale: AxisScale) {
  return (
    <YAxis
      type="number"
      scale={scale}
      domain={[...domain]}
      ticks={ticks}
      interval={0}
      tick={tickStyle}
      tickFormatter={formatTick}
      axisLine={false}
      tickLine={false}
      tickMargin={4}
      width={38}
      allowDataOverflow
    />
  );
}

function boundOf({ value, label }: Bound) {
  return (
    <ReferenceLine
      key={label}
      y={value}
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

function tooltipOf(lines: readonly PlotLine[], markers: readonly Marker[], color: string) {
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
            rows={rows}
            markers={markers}
            hasSeveralMetrics={hasSeveralMetrics}
          />
        ) : null
      }
    />
  );
}
