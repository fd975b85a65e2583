import { lazy, useCallback, useId, useMemo, useRef, useState, type CSSProperties } from 'react';
import type { MetricKey } from '../../metrics/catalog';
import type { RunScope, RunSeries } from '../../metrics/runSeries';
import { HelpButton } from '../HelpButton';
import { ChartButtons, type Switches } from './ChartButtons';
import { ChartLegend, type DrawnEntry } from './ChartLegend';
import { ChartOptions } from './ChartOptions';
import type { ChartChange } from './chartChanges';
import { shownAgents } from './chartChoices';
import { ChartPanels } from './ChartPanels';
import { viewOf, type ChartSettings, type ChartView } from './chartView';
import { isolateEntry, nothingHidden, toggleEntry } from './legendState';
import type { SpikePlace } from './markers';
import type { Bound } from './plotContent';
import { metricsHelp, metricsTitle, shortMetricLabel } from './metricTexts';
import { xKey } from './xAxis';

const MetricExamples = lazy(async () => ({
  default: (await import('../explain/MetricExamples')).MetricExamples,
}));

/** Values to read a metric against. */
export type MetricBounds = Readonly<Partial<Record<MetricKey, readonly Bound[]>>>;

export interface MetricChartProps {
  /** How it is shown, as the document has it. */
  readonly settings: ChartSettings;
  readonly onChange: (change: Partial<ChartSettings>) => void;
  /** The run's series, appended to in place. */
  readonly series: RunSeries;
  /** `series.revision` as of now: the chart redraws after it changed, at its own pace. */
  readonly revision: number;
  /** The run goes on: what is told in words waits for its next pause. */
  readonly isRunning: boolean;
  /** Arms give dashes, seeds the band, agents (in the experiment's order) colours and panels. Stable object. */
  readonly scope: RunScope;
  /** Right end of an axis of iterations. */
  readonly plannedIterations: number;
  /** The y axis holds them while their metric is drawn. Stable object. */
  readonly bounds?: MetricBounds;
  /** Settings that changed while the run went on. Stable object. */
  readonly changes?: readonly ChartChange[];
  /** Agent pointed at elsewhere on the page: the panels of the others step back. */
  readonly emphasizedAgent?: string | null;
  /** Charts with one id share their cursor and their pins. */
  readonly syncId: string;
  /** A mark was pressed; without it a press pins the place. Stable function. */
  readonly onOpenSpike?: (place: SpikePlace) => void;
}

function legendEntries(scope: RunScope, metrics: readonly MetricKey[]): DrawnEntry[] {
  const arms = scope.arms.map((arm, armIndex): DrawnEntry => ({
    id: arm,
    kind: 'arm',
    label: arm,
    armIndex,
  }));
  if (metrics.length < 2) return arms;
  const kinds = metrics.map((metric): DrawnEntry => ({
    id: metric,
    kind: 'metric',
    label: shortMetricLabel(metric),
    armIndex: 0,
    metric,
  }));
  return [...arms, ...kinds];
}

function withHeight({ height }: ChartSettings): CSSProperties & Record<'--chart-height', string> {
  return { '--chart-height': `${height}px` };
}

/** What the metrics mean, and what their latest values are made of. */
function ChartHelp({ settings, emphasizedAgent = null, ...rest }: MetricChartProps) {
  const { series, revision, scope } = rest;
  const { metrics, agents: chosen } = settings;
  const agents = shownAgents(chosen, scope.agents);
  const examples = { series, revision, scope, metrics, agents, emphasizedAgent };
  const title = metricsTitle(metrics);
  return (
    <HelpButton subject={title} text={metricsHelp(metrics)} moreLabel={`${title} in numbers`}>
      <MetricExamples {...examples} />
    </HelpButton>
  );
}

/** What the reader hides and points at. */
function useLegend(scope: RunScope, metrics: readonly MetricKey[]) {
  const [hidden, setHidden] = useState(nothingHidden);
  const [emphasized, setEmphasized] = useState<string | null>(null);
  const entries = useMemo(() => legendEntries(scope, metrics), [scope, metrics]);
  return {
    entries,
    hidden,
    emphasized,
    onToggle: (entry: string) => setHidden((before) => toggleEntry(before, entry)),
    onIsolate: (entry: string) => setHidden((before) => isolateEntry(before, entries, entry)),
    onEmphasize: setEmphasized,
  };
}

/** The part in view, forgotten when the axis becomes another: its numbers would mean something else. */
function useZoom({ x }: ChartSettings) {
  const axis = xKey(x);
  const [state, setState] = useState<{ axis: string; zoom: ChartView['zoom'] }>({
    axis,
    zoom: null,
  });
  const setZoom = useCallback((zoom: ChartView['zoom']) => setState({ axis, zoom }), [axis]);
  return [state.axis === axis ? state.zoom : null, setZoom] as const;
}

/**
 * Metrics over the course of a run: one panel an agent with a common y axis, or one panel for the team. Line = median or mean over seeds,
 * band = what the settings say, dash = arm, colour = agent. What a reader does in passing (a zoom, a hidden line, the table) stays in it.
 */
export function MetricChart(props: MetricChartProps) {
  const { settings, scope } = props;
  const { metrics } = settings;
  const title = metricsTitle(metrics);
  const id = useId();
  const figure = useRef<HTMLElement>(null);
  const legend = useLegend(scope, metrics);
  const [switches, setSwitches] = useState<Switches>({ isTable: false, hasOptions: false });
  const [hasWords, setWords] = useState(false);
  const [zoom, setZoom] = useZoom(settings);
  const view = useMemo(() => viewOf(settings, scope.arms, zoom), [settings, scope, zoom]);
  return (
    <figure className="metric-chart" aria-labelledby={id} ref={figure} style={withHeight(settings)}>
      <figcaption>
        <span className="chart-title" id={id}>
          {title}
        </span>
        <ChartHelp {...props} />
        <ChartLegend title={title} {...legend} />
        <ChartButtons
          {...switches}
          isZoomed={zoom !== null}
          onSwitch={(next) => setSwitches((before) => ({ ...before, ...next }))}
          onShowAll={() => setZoom(null)}
        />
      </figcaption>
      {switches.hasOptions && (
        <ChartOptions
          title={title}
          settings={settings}
          onChange={props.onChange}
          arms={scope.arms}
          agents={scope.agents}
          zoom={zoom}
          onZoom={setZoom}
          hasWords={hasWords}
          onWords={setWords}
          onFullScreen={() => void figure.current?.requestFullscreen()}
        />
      )}
      <ChartPanels
        {...props}
        title={title}
        view={view}
        hidden={legend.hidden}
        emphasized={legend.emphasized}
        isTable={switches.isTable}
        hasWords={hasWords}
        onZoom={setZoom}
      />
    </figure>
  );
}
