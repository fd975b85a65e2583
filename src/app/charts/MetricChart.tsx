import { lazy, useId, useMemo, useRef, useState } from 'react';
import { metricCatalog, type MetricKey } from '../../metrics/catalog';
import { teamId, type RunScope, type RunSeries } from '../../metrics/runSeries';
import { HelpButton } from '../HelpButton';
import { ChartLegend, type DrawnEntry } from './ChartLegend';
import { ChartOptions } from './ChartOptions';
import { ChartPanel, type PanelSource } from './ChartPanel';
import type { ChartSettings, ChartView } from './chartView';
import { isolateEntry, nothingHidden, toggleEntry, type HiddenEntries } from './legendState';
import { agentColor, shortMetricLabel } from './lineStyle';
import type { Bound } from './MetricPlot';

const MetricExamples = lazy(async () => ({
  default: (await import('../explain/MetricExamples')).MetricExamples,
}));

interface MetricChartProps {
  readonly title: string;
  /** The run's series, appended to in place. */
  readonly series: RunSeries;
  /** `series.revision` as of now: the chart redraws after it changed, at its own pace. */
  readonly revision: number;
  /** Arms give dashes, seeds the band, agents (in the experiment's order) colours and panels. Stable object. */
  readonly scope: RunScope;
  /** Those of the scope that have panels. Stable array. */
  readonly agents: readonly string[];
  /** One metric, or several of one level to compare in the same panels. Stable array. */
  readonly metrics: readonly MetricKey[];
  /** How the chart shows things, but for the part of the axis in view. Stable object. */
  readonly settings: ChartSettings;
  readonly onChange: (change: Partial<ChartSettings>) => void;
  /** Right end of the x axis. */
  readonly plannedIterations: number;
  /** Mark spikes of the first metric with ▲. */
  readonly hasSpikeMarks?: boolean;
  /** Lines to read the values against; the y axis holds them. Stable array. */
  readonly bounds?: readonly Bound[];
  /** Values the y axis always holds, e.g. 0 and 1 for a share. Stable array. */
  readonly axisValues?: readonly number[];
  /** Agent pointed at elsewhere on the page: the panels of the others step back. */
  readonly emphasizedAgent?: string | null;
  /** Charts with one id share their cursor. */
  readonly syncId: string;
}

const noBounds: readonly Bound[] = [];
const noValues: readonly number[] = [];

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

function helpText(metrics: readonly MetricKey[]): string {
  return metrics
    .map((metric) => {
      const { label, meaning, formula, unit, healthy } = metricCatalog[metric];
      return `${label}${unit && ` (${unit})`}: ${meaning} ${formula}. Healthy: ${healthy}.`;
    })
    .join('\n');
}

/** The settings with what is looked at in passing: the part of the axis in view. */
function useView({ settings, scope, onChange }: MetricChartProps) {
  const { arms } = scope;
  const [zoom, setZoom] = useState<ChartView['zoom']>(null);
  const view = useMemo((): ChartView => {
    const { baseline } = settings;
    // An arm that is no longer there cannot be compared with. Differences are on both sides of 0.
    if (baseline === null || !arms.includes(baseline)) return { ...settings, baseline: null, zoom };
    return { ...settings, scale: settings.scale === 'log' ? 'linear' : settings.scale, zoom };
  }, [settings, zoom, arms]);
  const change = ({ zoom: next, ...others }: Partial<ChartView>): void => {
    if (next !== undefined) setZoom(next);
    if (Object.keys(others).length > 0) onChange(others);
  };
  return { view, change, setZoom };
}

function usePanelSources(props: MetricChartProps, view: ChartView): readonly PanelSource[] {
  const { scope, agents: shown, metrics, hasSpikeMarks = false } = props;
  const { bounds = noBounds, axisValues = noValues } = props;
  return useMemo(() => {
    const isTeam = metrics.every((metric) => metricCatalog[metric].level === 'team');
    const agents = isTeam ? [teamId] : shown;
    const { arms, seeds } = scope;
    return agents.map((agent) => ({
      lines: { arms, seeds, agent, allAgents: scope.agents, metrics, view },
      panel: {
        seeds,
        agent,
        spikeMetric: hasSpikeMarks ? metrics[0]! : null,
        axisValues: [...axisValues, ...bounds.map(({ value }) => value)],
        view,
      },
      axisAgents: agents,
    }));
  }, [scope, shown, metrics, hasSpikeMarks, bounds, axisValues, view]);
}

interface Switches {
  readonly isTable: boolean;
  readonly hasOptions: boolean;
}

interface ChartButtonsProps extends Switches {
  readonly isZoomed: boolean;
  readonly onSwitch: (change: Partial<Switches>) => void;
  readonly onShowAll: () => void;
}

function ChartButtons(props: ChartButtonsProps) {
  const { isTable, hasOptions, isZoomed, onSwitch, onShowAll } = props;
  return (
    <span className="chart-buttons">
      {isZoomed && (
        <button type="button" className="chart-button" onClick={onShowAll}>
          Show all
        </button>
      )}
      <button
        type="button"
        className="chart-button"
        aria-expanded={hasOptions}
        onClick={() => onSwitch({ hasOptions: !hasOptions })}
      >
        View
      </button>
      <button
        type="button"
        className="chart-button"
        aria-pressed={isTable}
        onClick={() => onSwitch({ isTable: !isTable })}
      >
        Table
      </button>
    </span>
  );
}

/** What the metrics mean, and what their latest values are made of. */
function ChartHelp({ title, metrics, emphasizedAgent = null, ...rest }: MetricChartProps) {
  const { series, revision, scope, agents } = rest;
  const examples = { series, revision, scope, metrics, agents, emphasizedAgent };
  return (
    <HelpButton subject={title} text={helpText(metrics)} moreLabel={`${title} in numbers`}>
      <MetricExamples {...examples} />
    </HelpButton>
  );
}

interface PanelsProps extends MetricChartProps {
  readonly view: ChartView;
  readonly hidden: HiddenEntries;
  readonly emphasized: string | null;
  readonly isTable: boolean;
  readonly onZoom: (zoom: readonly [number, number]) => void;
}

/** One panel an agent, or the team's. */
function Panels(props: PanelsProps) {
  const { title, scope, bounds = noBounds, view, isTable } = props;
  return (
    <div className="chart-panels" data-table={isTable}>
      {usePanelSources(props, view).map((source) => {
        const { agent } = source.panel;
        return (
          <ChartPanel
            key={agent}
            name={agent === teamId ? title : `${title} of ${agent}`}
            heading={agent === teamId ? null : agent}
            color={agentColor(scope.agents, agent)}
            series={props.series}
            revision={props.revision}
            source={source}
            view={view}
            hidden={props.hidden}
            emphasized={props.emphasized}
            isDimmed={isOther(props.emphasizedAgent, agent)}
            isTable={isTable}
            plannedIterations={props.plannedIterations}
            bounds={bounds}
            syncId={props.syncId}
            onZoom={props.onZoom}
          />
        );
      })}
    </div>
  );
}

/**
 * Metrics over the course of a run: one panel an agent with a common y axis, or one panel for the team. Line = median or mean over seeds,
 * band = what the view says, dash = arm, colour = agent.
 */
export function MetricChart(props: MetricChartProps) {
  const { title, scope, metrics } = props;
  const id = useId();
  const figure = useRef<HTMLElement>(null);
  const [hidden, setHidden] = useState(nothingHidden);
  const [emphasized, setEmphasized] = useState<string | null>(null);
  const [switches, setSwitches] = useState<Switches>({ isTable: false, hasOptions: false });
  const { view, change, setZoom } = useView(props);
  const entries = useMemo(() => legendEntries(scope, metrics), [scope, metrics]);
  return (
    <figure className="metric-chart" aria-labelledby={id} ref={figure}>
      <figcaption>
        <span className="chart-title" id={id}>
          {title}
        </span>
        <ChartHelp {...props} />
        <ChartLegend
          title={title}
          entries={entries}
          hidden={hidden}
          onToggle={(entry) => setHidden((before) => toggleEntry(before, entry))}
          onIsolate={(entry) => setHidden((before) => isolateEntry(before, entries, entry))}
          onEmphasize={setEmphasized}
        />
        <ChartButtons
          {...switches}
          isZoomed={view.zoom !== null}
          onSwitch={(next) => setSwitches((before) => ({ ...before, ...next }))}
          onShowAll={() => setZoom(null)}
        />
      </figcaption>
      {switches.hasOptions && (
        <ChartOptions
          title={title}
          view={view}
          arms={scope.arms}
          onChange={change}
          onFullScreen={() => void figure.current?.requestFullscreen()}
        />
      )}
      <Panels
        {...props}
        view={view}
        hidden={hidden}
        emphasized={emphasized}
        isTable={switches.isTable}
        onZoom={setZoom}
      />
    </figure>
  );
}

function isOther(emphasized: string | null | undefined, agent: string): boolean {
  return typeof emphasized === 'string' && agent !== teamId && agent !== emphasized;
}
