import { useCallback, useId, useMemo, useRef, type KeyboardEvent, type RefObject } from 'react';
import { axisOver } from '../../metrics/axis';
import { counterUniform } from '../../metrics/counterUniform';
import type { RunSeries } from '../../metrics/runSeries';
import { aggregateLines, type LinesRequest } from './aggregateLines';
import { panelModel, type PanelModel, type PanelRequest } from './chartModel';
import { ChartTable } from './ChartTable';
import type { ChartView } from './chartView';
import type { HiddenEntries } from './legendState';
import type { Marker } from './markers';
import { MetricPlot } from './MetricPlot';
import { PanelChips } from './PanelChips';
import { panelAxis } from './panelAxis';
import { PinTable } from './PinTable';
import { pinPlace, unpinNewest, usePins } from './pins';
import { maxXTicks, type Bound } from './plotContent';
import type { PlotLine } from './PlotLines';
import { useChartWords } from './useChartWords';
import { useFrozen } from './useFrozen';
import { useSame } from './useSame';
import { useScheduledRevision, type DrawnSeries } from './useScheduledRevision';
import { xKey, xMismatch } from './xAxis';

/** What a panel shows. A stable object: a new one means a new drawing. */
export interface PanelSource {
  readonly lines: LinesRequest;
  readonly panel: PanelRequest;
  /** Agents whose values the y axis has to hold: all panels of a chart share one axis. */
  readonly axisAgents: readonly string[];
}

interface ChartPanelProps {
  /** `Gradient norm of search`: accessible name of drawing and table. */
  readonly name: string;
  /** Heading with the agent's colour; null for the team's only panel. */
  readonly heading: string | null;
  readonly color: string;
  readonly series: RunSeries;
  readonly revision: number;
  readonly source: PanelSource;
  readonly view: ChartView;
  readonly hidden: HiddenEntries;
  readonly emphasized: string | null;
  readonly isDimmed: boolean;
  readonly isTable: boolean;
  /** Iterations the run is planned for. */
  readonly plannedIterations: number;
  readonly bounds: readonly Bound[];
  readonly syncId: string;
  readonly onZoom: (zoom: readonly [number, number]) => void;
  /** Null: a mark that is pressed is pinned. */
  readonly onOpenMarker: ((agent: string, marker: Marker) => void) | null;
  /** Still growing: the words wait. */
  readonly isRunning: boolean;
  readonly hasWords: boolean;
}

function visibleLines(
  { lines }: PanelModel,
  hidden: HiddenEntries,
  emphasized: string | null,
): PlotLine[] {
  return lines
    .filter(({ arm, metric }) => !hidden.has(arm) && !hidden.has(metric))
    .map((line) => ({
      line,
      id: `${line.arm}/${line.metric}`,
      isFaded: emphasized !== null && line.arm !== emphasized && line.metric !== emphasized,
    }))
    .toSorted((a, b) => Number(b.isFaded) - Number(a.isFaded));
}

const uniform = counterUniform(0);

/** Zooming draws other parts of the same lines: what is slow at full length is done once for all zooms. */
function usePanelModel(drawn: DrawnSeries, { lines, panel, axisAgents }: PanelSource): PanelModel {
  const aggregated = useMemo(() => aggregateLines(drawn.series, lines, uniform), [drawn, lines]);
  const others = useMemo(
    () =>
      axisAgents
        .filter((agent) => agent !== lines.agent)
        .flatMap((agent) => aggregateLines(drawn.series, { ...lines, agent }, uniform)),
    [drawn, lines, axisAgents],
  );
  return useMemo(() => {
    const axis = panelAxis([...aggregated, ...others], panel.view, panel.axisValues);
    return panelModel(drawn.series, aggregated, panel, axis);
  }, [drawn, aggregated, others, panel]);
}

/** What is done to a plot by pointer and keyboard besides what recharts does itself. */
function usePlotActions({ syncId, view, source, onOpenMarker }: ChartPanelProps) {
  const fullSyncId = `${syncId} ${xKey(view.x)}`;
  const { agent } = source.panel;
  const pins = usePins(fullSyncId);
  const cursor = useRef<number | null>(null);
  const onCursor = useCallback((place: number | null) => void (cursor.current = place), []);
  const onPin = useCallback((place: number) => pinPlace(fullSyncId, place), [fullSyncId]);
  const openMarker = useCallback(
    (marker: Marker) => (onOpenMarker ? onOpenMarker(agent, marker) : onPin(marker.x)),
    [agent, onOpenMarker, onPin],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && event.target instanceof SVGElement && cursor.current !== null)
      onPin(cursor.current);
    if (event.key === 'Escape') unpinNewest(fullSyncId);
  };
  return {
    syncId: fullSyncId,
    pins,
    onCursor,
    onPin,
    onOpenMarker: openMarker,
    plotHandlers: { onKeyDown },
  };
}

/** What the drawing shows and how it looks at the moment; the same objects as long as nothing of it changes. */
function usePlot(props: ChartPanelProps, drawn: DrawnSeries) {
  const { source, view, hidden, emphasized, plannedIterations } = props;
  const model = usePanelModel(drawn, source);
  const lines = useMemo(() => visibleLines(model, hidden, emphasized), [model, hidden, emphasized]);
  const xRange = useSame(xRangeOf(model, view, plannedIterations));
  return { model, lines, xRange };
}

/** One plot with its heading and chips. */
export function ChartPanel(props: ChartPanelProps) {
  const { name, heading, color, series, revision, source, view } = props;
  const frame: RefObject<HTMLDivElement | null> = useRef(null);
  const descriptionId = useId();
  const { isFrozen, handlers } = useFrozen();
  const drawn = useScheduledRevision({ series, revision }, frame, isFrozen);
  const { model, lines, xRange } = usePlot(props, drawn);
  const words = useChartWords({
    name,
    source,
    live: { series, revision },
    isRunning: props.isRunning,
  });
  const { plotHandlers, ...plotActions } = usePlotActions(props);
  const { agent } = source.panel;
  return (
    <div
      className="chart-panel"
      data-dimmed={props.isDimmed}
      ref={frame}
      onFocusCapture={words.update}
    >
      <div className="chart-panel-head">
        {heading !== null && <Heading agent={heading} color={color} />}
        <PanelChips
          model={model}
          numNew={isFrozen ? revision - drawn.revision : 0}
          agent={agent}
          onOpenMarker={plotActions.onOpenMarker}
        />
      </div>
      {model.xs.length === 0 ? (
        <p className="chart-empty">{emptyText(drawn.revision, view, agent)}</p>
      ) : props.isTable ? (
        <ChartTable name={name} lines={lines.map(({ line }) => line)} xs={model.xs} view={view} />
      ) : (
        <div className="chart-plot" {...handlers} {...plotHandlers}>
          <MetricPlot
            {...plotActions}
            {...{ name, descriptionId, agent, model, lines, color, view }}
            xRange={xRange}
            isFrozen={isFrozen}
            bounds={view.pairedBaseline === null ? props.bounds : noBounds}
            onZoom={props.onZoom}
          />
        </div>
      )}
      <PinTable
        name={name}
        lines={lines}
        pins={plotActions.pins}
        x={view.x}
        syncId={plotActions.syncId}
      />
      <p className={props.hasWords ? 'chart-words' : 'visually-hidden'} id={descriptionId}>
        {words.text}
      </p>
    </div>
  );
}

function Heading({ agent, color }: { readonly agent: string; readonly color: string }) {
  return (
    <span className="chart-agent">
      <span className="agent-dot" style={{ background: color }} />
      {agent}
    </span>
  );
}

const noBounds: readonly Bound[] = [];

/** A count begins at 0, and iterations end where the run is planned to; a metric has its values. */
function xRangeOf(
  { xEnds }: PanelModel,
  { x }: ChartView,
  plannedIterations: number,
): readonly [number, number] {
  if (x.kind === 'metric') return axisOver(xEnds ?? [], 'linear', maxXTicks).domain;
  return [0, Math.max(1, x.kind === 'iteration' ? plannedIterations : 0, xEnds?.[1] ?? 0)];
}

function emptyText(revision: number, view: ChartView, agent: string): string {
  if (revision === 0) return 'No data yet';
  const mismatch = xMismatch(view.x, agent);
  if (mismatch !== null) return mismatch;
  if (view.zoom !== null) return 'Nothing in this part of the axis';
  if (view.x.kind === 'wallTime')
    return 'No times to draw over: recordings hold none, Run measures them';
  return view.pairedBaseline === null
    ? 'Nothing logged yet'
    : `Nothing to compare with ${view.pairedBaseline} yet`;
}
