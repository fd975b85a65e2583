import { useMemo, useRef, useState, type RefObject } from 'react';
import type { RunSeries } from '../../metrics/runSeries';
import { panelModel, type PanelModel, type PanelRequest } from './chartModel';
import { ChartTable } from './ChartTable';
import type { HiddenEntries } from './legendState';
import { MetricPlot, type Bound } from './MetricPlot';
import type { PlotLine } from './PlotLines';
import { useScheduledRevision } from './useScheduledRevision';

interface ChartPanelProps {
  /** `Gradient norm of search`: accessible name of drawing and table. */
  readonly name: string;
  /** Heading with the agent's colour; null for the team's only panel. */
  readonly heading: string | null;
  readonly color: string;
  readonly series: RunSeries;
  readonly revision: number;
  /** A stable object: a new one means a new drawing. */
  readonly request: PanelRequest;
  readonly hidden: HiddenEntries;
  readonly emphasized: string | null;
  readonly isDimmed: boolean;
  readonly isTable: boolean;
  /** Iterations the run is planned for. */
  readonly plannedIterations: number;
  readonly bounds: readonly Bound[];
  readonly syncId: string;
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

/** One plot with its heading and chips. */
export function ChartPanel(props: ChartPanelProps) {
  const { name, heading, color, series, revision, request, hidden, emphasized } = props;
  const frame: RefObject<HTMLDivElement | null> = useRef(null);
  const { isFrozen, handlers } = useFrozen();
  const drawn = useScheduledRevision({ series, revision }, frame, isFrozen);
  const model = useMemo(() => panelModel(drawn.series, request), [drawn, request]);
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
      {model.iterations.length === 0 ? (
        <p className="chart-empty">{drawn.revision === 0 ? 'No data yet' : 'Nothing logged yet'}</p>
      ) : props.isTable ? (
        <ChartTable
          name={name}
          lines={lines.map(({ line }) => line)}
          iterations={model.iterations}
        />
      ) : (
        <div className="chart-plot" {...handlers}>
          <MetricPlot
            name={name}
            model={model}
            lines={lines}
            color={color}
            scale={request.scale}
            lastIteration={Math.max(1, props.plannedIterations, model.lastIteration)}
            bounds={props.bounds}
            syncId={props.syncId}
          />
        </div>
      )}
    </div>
  );
}

function PanelChips({ model, numNew }: { readonly model: PanelModel; readonly numNew: number }) {
  const numSpikes = model.markers.filter(({ kind }) => kind === 'spike').length;
  const numNotFinite = model.markers.length - numSpikes;
  const drawn = model.lines.length;
  const chips = [
    numNew > 0 && `${numNew} new`,
    numSpikes > 0 && `▲ ${numSpikes} ${numSpikes === 1 ? 'spike' : 'spikes'}`,
    numNotFinite > 0 && `▲ ${numNotFinite} not finite`,
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
