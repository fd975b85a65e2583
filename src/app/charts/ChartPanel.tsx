import { useMemo, useRef, useState, type RefObject } from 'react';
import { counterUniform } from '../../metrics/counterUniform';
import type { RunSeries } from '../../metrics/runSeries';
import { aggregateLines, type LinesRequest } from './aggregateLines';
import { panelAxis, panelModel, type PanelModel, type PanelRequest } from './chartModel';
import { ChartTable } from './ChartTable';
import type { ChartView } from './chartView';
import type { HiddenEntries } from './legendState';
import { MetricPlot, type Bound } from './MetricPlot';
import type { PlotLine } from './PlotLines';
import { useScheduledRevision, type DrawnSeries } from './useScheduledRevision';

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
}

interface Frozen {
  readonly isFrozen: boolean;
  readonly handlers: {
    readonly onPointerEnter: () => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: (event: { target: Element }) => void;
    readonly onBlur: () => void;
  };
}

/** A plot holds still while someone points at it, or walks through it with the arrow keys. */
function useFrozen(): Frozen {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const handlers = useMemo(
    () => ({
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      // A click focuses the drawing too, and would hold it long after the pointer has left.
      onFocus: ({ target }: { target: Element }) => setFocused(target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    }),
    [],
  );
  return { isFrozen: isPointed || isFocused, handlers };
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

/** One plot with its heading and chips. */
export function ChartPanel(props: ChartPanelProps) {
  const { name, heading, color, series, revision, source, view, hidden, emphasized } = props;
  const frame: RefObject<HTMLDivElement | null> = useRef(null);
  const { isFrozen, handlers } = useFrozen();
  const drawn = useScheduledRevision({ series, revision }, frame, isFrozen);
  const model = usePanelModel(drawn, source);
  const lines = useMemo(() => visibleLines(model, hidden, emphasized), [model, hidden, emphasized]);
  return (
    <div className="chart-panel" data-dimmed={props.isDimmed} ref={frame}>
      <div className="chart-panel-head">
        {heading !== null && (
          <span className="chart-agent">
            <span className="agent-dot" style={{ background: color }} />
            {heading}
          </span>
        )}
        <PanelChips model={model} numNew={isFrozen ? revision - drawn.revision : 0} />
      </div>
      {model.xs.length === 0 ? (
        <p className="chart-empty">{emptyText(drawn.revision, view)}</p>
      ) : props.isTable ? (
        <ChartTable name={name} lines={lines.map(({ line }) => line)} xs={model.xs} view={view} />
      ) : (
        <div className="chart-plot" {...handlers}>
          <MetricPlot
            name={name}
            model={model}
            lines={lines}
            color={color}
            view={view}
            lastX={lastXOf(model, view, props.plannedIterations)}
            bounds={view.baseline === null ? props.bounds : noBounds}
            syncId={`${props.syncId} ${view.xAxis}`}
            onZoom={props.onZoom}
          />
        </div>
      )}
    </div>
  );
}

const noBounds: readonly Bound[] = [];

function lastXOf({ lastX }: PanelModel, { xAxis }: ChartView, plannedIterations: number): number {
  return Math.max(1, xAxis === 'iteration' ? plannedIterations : 0, lastX);
}

function emptyText(revision: number, { zoom, baseline }: ChartView): string {
  if (revision === 0) return 'No data yet';
  if (zoom !== null) return 'Nothing in this part of the axis';
  return baseline === null ? 'Nothing logged yet' : `Nothing to compare with ${baseline} yet`;
}

function PanelChips({ model, numNew }: { readonly model: PanelModel; readonly numNew: number }) {
  const numSpikes = model.markers.filter(({ kind }) => kind === 'spike').length;
  const numNotFinite = model.markers.length - numSpikes;
  const drawn = model.lines.length;
  const { numOffScale } = model;
  const chips = [
    numNew > 0 && `${numNew} new`,
    numSpikes > 0 && `▲ ${numSpikes} ${numSpikes === 1 ? 'spike' : 'spikes'}`,
    numNotFinite > 0 && `▲ ${numNotFinite} not finite`,
    numOffScale > 0 && `${numOffScale} ${numOffScale === 1 ? 'point' : 'points'} off scale`,
    model.numHidden > 0 && `${model.numHidden} at or below 0`,
    model.numLinesLeftOut > 0 && `${drawn} of ${drawn + model.numLinesLeftOut} lines`,
  ].filter((chip) => chip !== false);
  return (
    <span className="chart-chips">
      {chips.map((chip) => (
        <span className="chart-chip" key={chip}>
          {chip}
        </span>
      ))}
    </span>
  );
}
