import { memo, useMemo } from 'react';
import { Area, CartesianGrid, ComposedChart, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts';
import { axisOver } from '../../metrics/axis';
import { formatTick } from '../../metrics/format';
import { symlogInverse } from '../../metrics/symlog';
import { ChartTooltip } from './ChartTooltip';
import type { ChartView } from './chartView';
import { MarkerButtons } from './MarkerButtons';
import type { PanelAxis } from './panelAxis';
import { CursorPlace, PinLayer } from './PinLayer';
import { maxXTicks, usePlotContent, type Bound, type PlotContent } from './plotContent';
import { axisPosition, BandLayer, CursorDots, LineLayer } from './PlotLines';
import { EndLabelLayer, MarkerLayer, XAxisName } from './PlotOverlay';
import { ZoomLayer, type DragHandlers } from './plotZoom';
import { xName } from './xAxis';

/**
 * Axes, grid, cursor and tooltip, by recharts. Every prop that changes wakes its store and all that listens to it, which costs more than
 * drawing the lines: so while a run goes on the same objects come each time, and what is drawn reaches the layers inside past recharts.
 */
interface PlotFrameProps extends Pick<PlotContent, 'view' | 'axis' | 'domain'> {
  readonly name: string;
  readonly descriptionId: string;
  readonly syncId: string;
  /** Room right of the plot. Unit: px. */
  readonly right: number;
  /** Places on the x axis at which the cursor may stand, increasing. */
  readonly xs: readonly number[];
  readonly bounds: readonly Bound[];
  readonly handlers: DragHandlers;
  readonly onCursor: (place: number | null) => void;
}

const tickStyle = { fill: 'var(--muted)', fontSize: 11 };
const axisLine = { stroke: 'var(--line)' };
const cursorStyle = { stroke: 'var(--muted)', strokeWidth: 1 };
// Below the plot: in a small panel the box would cover what it explains.
const tooltipPosition = { y: 2 };
const tooltipWrapper = { top: '100%', zIndex: 5 };

/** Drawn anew only when an axis, the places of the cursor or a setting changes. */
export const PlotFrame = memo(function PlotFrame(props: PlotFrameProps) {
  const { name, view, axis, domain, right, xs, bounds } = props;
  const isBelow = view.x.kind === 'metric';
  const data = useMemo(() => cursorPlaces(xs, axis), [xs, axis]);
  const margin = useMemo(
    // The name of a metric is too long for the end of the axis and stands under it.
    () => ({ top: 8, right, bottom: isBelow ? 14 : 0, left: 0 }),
    [right, isBelow],
  );
  const xAxis = useMemo(() => xAxisOf(domain, view), [domain, view]);
  const yAxis = useMemo(() => yAxisOf(axis), [axis]);
  return (
    <ComposedChart
      className="metric-plot"
      responsive
      data={data}
      margin={margin}
      syncId={props.syncId}
      syncMethod="value"
      aria-label={name}
      aria-describedby={props.descriptionId}
      {...props.handlers}
    >
      <CartesianGrid vertical={false} syncWithTicks stroke="var(--line)" />
      {xAxis}
      {yAxis}
      {cursorAnchor}
      <Bands />
      {bounds.map((bound) => boundOf(bound, axis))}
      {view.pairedBaseline !== null &&
        boundOf({ value: 0, label: `as ${view.pairedBaseline}` }, axis)}
      <Lines />
      <CursorPlace onMove={props.onCursor} />
      <Marks />
      <XAxisName name={xName(view.x)} isBelow={isBelow} />
      <Dragged />
      {tooltip}
    </ComposedChart>
  );
});

// What is drawn, taken from around the frame.

function Bands() {
  return <BandLayer {...usePlotContent()} />;
}

function Lines() {
  const content = usePlotContent();
  return (
    <>
      <LineLayer {...content} />
      <CursorDots {...content} xAxis={content.view.x} />
    </>
  );
}

function Marks() {
  const content = usePlotContent();
  const { axis, view, host } = content;
  const marks = { axis, markers: content.thinned };
  return (
    <>
      <MarkerLayer {...marks} color={content.color} />
      {host !== null && (
        <MarkerButtons {...marks} agent={content.agent} host={host} onOpen={content.onOpenMarker} />
      )}
      <EndLabelLayer axis={axis} labels={content.labels} />
      <PinLayer axis={axis} x={view.x} pins={content.pins} domain={content.domain} />
    </>
  );
}

function Dragged() {
  return <ZoomLayer drag={usePlotContent().drag} />;
}

/** The values under the cursor. */
function TooltipHere({ label }: { readonly label: number }) {
  const { lines, color, view, markers } = usePlotContent();
  const hasSeveralMetrics = new Set(lines.map(({ line }) => line.metric)).size > 1;
  const rows = lines.map(({ id, line }) => ({ id, line, color }));
  return <ChartTooltip {...{ label, view, rows, markers, hasSeveralMetrics }} />;
}

/** Where recharts finds a place for its cursor: it shows one only where some item of its own has a point. */
function cursorPlaces(xs: readonly number[], axis: PanelAxis) {
  const anchor = axisPosition(axis, axis.domain[0]);
  return xs.map((x) => ({ x, anchor }));
}

/** Ticks of [from, to]; whole numbers where the axis counts. */
function xTicks([from, to]: readonly [number, number], { x }: ChartView): readonly number[] {
  const isCount = x.kind !== 'metric' && x.kind !== 'wallTime';
  return axisOver([from, to], 'linear', maxXTicks).ticks.filter(
    (tick) => (!isCount || Number.isInteger(tick)) && tick >= from && tick <= to,
  );
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
const cursorAnchor = (
  <Area dataKey="anchor" stroke="none" fill="none" activeDot={false} isAnimationActive={false} />
);

const tooltip = (
  <Tooltip
    isAnimationActive={false}
    cursor={cursorStyle}
    position={tooltipPosition}
    wrapperStyle={tooltipWrapper}
    content={({ label, active }) =>
      active && typeof label === 'number' ? <TooltipHere label={label} /> : null
    }
  />
);
