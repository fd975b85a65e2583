import { memo, useState } from 'react';
import { Area, CartesianGrid, ComposedChart, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts';
import { axisOver } from '../../metrics/axis';
import { formatTick } from '../../metrics/format';
import { symlogInverse } from '../../metrics/symlog';
import type { PanelModel } from './chartModel';
import { ChartTooltip } from './ChartTooltip';
import type { ChartView } from './chartView';
import { MarkerButtons } from './MarkerButtons';
import { thinnedMarkers, type Marker } from './markers';
import type { PanelAxis } from './panelAxis';
import { CursorPlace, PinLayer } from './PinLayer';
import type { Pins } from './pins';
import { axisPosition, BandLayer, CursorDots, LineLayer, type PlotLine } from './PlotLines';
import { useDragZoom, ZoomLayer } from './plotZoom';
import { EndLabelLayer, MarkerLayer, XAxisName, type EndLabel } from './PlotOverlay';
import { xName } from './xAxis';

/** A horizontal line that the values are read against. */
export interface Bound {
  readonly value: number;
  readonly label: string;
}

interface MetricPlotProps {
  /** Accessible name of the drawing. */
  readonly name: string;
  /** Id of what describes it. */
  readonly descriptionId: string;
  /** Agent id, or `team`. */
  readonly agent: string;
  readonly model: PanelModel;
  /** The lines of `model` that the legend lets through, faded ones first. */
  readonly lines: readonly PlotLine[];
  readonly color: string;
  readonly view: ChartView;
  /** The whole x axis. */
  readonly xRange: readonly [number, number];
  readonly bounds: readonly Bound[];
  /** Plots with one id share their cursor, by place on the x axis. */
  readonly syncId: string;
  /** A part of the x axis was marked by dragging. */
  readonly onZoom: (zoom: readonly [number, number]) => void;
  readonly pins: Pins;
  readonly onPin: (place: number) => void;
  readonly onOpenMarker: (marker: Marker) => void;
  /** The cursor has come to a place, or left; null = nowhere. */
  readonly onCursor: (place: number | null) => void;
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
function marginFor(
  { lines }: PanelModel,
  { x }: ChartView,
): {
  top: number;
  right: number;
  bottom: number;
  left: number;
} {
  const longest = Math.max(0, ...lines.map(({ arm }) => arm.length));
  // The name of a metric is too long for the end of the axis and stands under it.
  const bottom = x.kind === 'metric' ? 14 : 0;
  return { top: 8, right: Math.min(96, Math.max(58, 12 + 6 * longest)), bottom, left: 0 };
}

/** Ticks of [from, to]; whole numbers where the axis counts. */
function xTicks([from, to]: readonly [number, number], { x }: ChartView): readonly number[] {
  const isCount = x.kind !== 'metric' && x.kind !== 'wallTime';
  return axisOver([from, to], 'linear', maxXTicks).ticks.filter(
    (tick) => (!isCount || Number.isInteger(tick)) && tick >= from && tick <= to,
  );
}

/** The part of the whole axis that is in view. */
function domainOf(
  { zoom }: ChartView,
  [first, last]: readonly [number, number],
): readonly [number, number] {
  return zoom === null ? [first, last] : [Math.max(zoom[0], first), Math.min(zoom[1], last)];
}

/** The drawing itself. Redrawn only when its props change; recharts keeps the cursor and the keyboard to itself. */
export const MetricPlot = memo(function MetricPlot(props: MetricPlotProps) {
  const { name, model, lines, color, view, bounds } = props;
  const { axis } = model;
  const { drag, handlers } = useDragZoom(props.onZoom, props.onPin);
  const [host, setHost] = useState<Element | null>(null);
  // With one arm brought forward, only its marks: that is how one sees whose they are.
  const arms = new Set(lines.flatMap(({ line, isFaded }) => (isFaded ? [] : line.arm)));
  const markers = model.markers.filter(({ arm }) => arms.has(arm));
  const domain = domainOf(view, props.xRange);
  const marks = { axis, markers: thinnedMarkers(markers, domain) };
  return (
    <>
      <ComposedChart
        className="metric-plot"
        responsive
        data={cursorPlaces(model)}
        margin={marginFor(model, view)}
        syncId={props.syncId}
        syncMethod="value"
        aria-label={name}
        aria-describedby={props.descriptionId}
        {...handlers}
      >
        <CartesianGrid vertical={false} syncWithTicks stroke="var(--line)" />
        {xAxisOf(domain, view)}
        {yAxisOf(axis)}
        {cursorAnchor()}
        <BandLayer lines={lines} axis={axis} color={color} />
        {bounds.map((bound) => boundOf(bound, axis))}
        {view.pairedBaseline !== null &&
          boundOf({ value: 0, label: `as ${view.pairedBaseline}` }, axis)}
        <LineLayer lines={lines} axis={axis} color={color} />
        <CursorDots lines={lines} axis={axis} color={color} xAxis={view.x} />
        <CursorPlace onMove={props.onCursor} />
        <MarkerLayer {...marks} color={color} />
        {host !== null && (
          <MarkerButtons {...marks} agent={props.agent} host={host} onOpen={props.onOpenMarker} />
        )}
        <EndLabelLayer axis={axis} labels={endLabels(lines)} />
        <PinLayer axis={axis} x={view.x} pins={props.pins} domain={domain} />
        <XAxisName name={xName(view.x)} isBelow={view.x.kind === 'metric'} />
        <ZoomLayer drag={drag} />
        {tooltipOf(lines, markers, color, view)}
      </ComposedChart>
      <div className="chart-marks" ref={setHost} />
    </>
  );
});

/** Where recharts finds a place for its cursor: it shows one only where some item of its own has a point. */
function cursorPlaces({ xs, axis }: PanelModel) {
  const anchor = axisPosition(axis, axis.domain[0]);
  return xs.map((x) => ({ x, anchor }));
}

// Pieces of the chart above: each takes its place through recharts' context.

function xAxisOf(domain: readonly [number, number], view: ChartView) {
  return (
    <XAxis
      dataKey="x"
      type="number"
      domain={[...domain]}
      ticks={xTicks(domain, view)}
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

/** Draws nothing: holds the places of the cursor. */
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
