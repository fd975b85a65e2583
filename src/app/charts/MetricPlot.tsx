import { memo, useMemo, useState } from 'react';
import { placedChanges, type ChartChange } from './chartChanges';
import type { PanelModel } from './chartModel';
import type { ChartView } from './chartView';
import { thinnedMarkers, type Marker } from './markers';
import type { Pins } from './pins';
import { PlotContentContext, type Bound } from './plotContent';
import { PlotFrame } from './PlotFrame';
import type { PlotLine } from './PlotLines';
import type { EndLabel } from './PlotOverlay';
import { useDragZoom } from './plotZoom';
import { useCursorXs } from './useCursorXs';
import { useSame } from './useSame';

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
  /** Stable object. */
  readonly changes: readonly ChartChange[];
  /** Plots with one id share their cursor, by place on the x axis. */
  readonly syncId: string;
  /** A part of the x axis was marked by dragging. */
  readonly onZoom: (zoom: readonly [number, number]) => void;
  readonly pins: Pins;
  readonly onPin: (place: number) => void;
  readonly onOpenMarker: (marker: Marker) => void;
  /** The cursor has come to a place, or left; null = nowhere. */
  readonly onCursor: (place: number | null) => void;
  /** Someone points at this plot: the cursor has to find the newest places. */
  readonly isFrozen: boolean;
}

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
function roomForNames({ lines }: PanelModel): number {
  const longest = Math.max(0, ...lines.map(({ arm }) => arm.length));
  return Math.min(96, Math.max(58, 12 + 6 * longest));
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
  const { model, lines, color, view, agent, pins, changes, onOpenMarker } = props;
  const { drag, handlers } = useDragZoom(props.onZoom, props.onPin);
  const [host, setHost] = useState<Element | null>(null);
  const axis = useSame(model.axis);
  const domain = useSame(domainOf(view, props.xRange));
  const xs = useCursorXs(model.xs, props.isFrozen);
  const drawn = useMemo(() => {
    // With one arm brought forward, only its marks: that is how one sees whose they are.
    const arms = new Set(lines.flatMap(({ line, isFaded }) => (isFaded ? [] : line.arm)));
    const markers = model.markers.filter(({ arm }) => arms.has(arm));
    const thinned = thinnedMarkers(markers, domain);
    const placed = placedChanges(changes, lines, view.x, domain);
    return { lines, markers, thinned, labels: endLabels(lines), changes: placed };
  }, [lines, model, changes, view, domain]);
  const content = useMemo(
    () => ({ ...drawn, axis, color, view, domain, agent, pins, drag, host, onOpenMarker }),
    [drawn, axis, color, view, domain, agent, pins, drag, host, onOpenMarker],
  );
  return (
    <PlotContentContext value={content}>
      <PlotFrame
        name={props.name}
        descriptionId={props.descriptionId}
        syncId={props.syncId}
        right={roomForNames(model)}
        bounds={props.bounds}
        onCursor={props.onCursor}
        {...{ view, axis, domain, xs, handlers }}
      />
      <div className="chart-marks" ref={setHost} />
    </PlotContentContext>
  );
});
