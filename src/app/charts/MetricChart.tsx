import { useId, useMemo, useState } from 'react';
import type { AxisScale } from '../../metrics/axis';
import { metricCatalog, type MetricKey } from '../../metrics/catalog';
import { teamId, type RunScope, type RunSeries } from '../../metrics/runSeries';
import { HelpButton } from '../HelpButton';
import { ChartLegend, type DrawnEntry } from './ChartLegend';
import type { PanelRequest } from './chartModel';
import { ChartPanel } from './ChartPanel';
import { isolateEntry, nothingHidden, toggleEntry } from './legendState';
import { agentColor, shortMetricLabel } from './lineStyle';
import type { Bound } from './MetricPlot';

interface MetricChartProps {
  readonly title: string;
  /** The run's series, appended to in place. */
  readonly series: RunSeries;
  /** `series.revision` as of now: the chart redraws after it changed, at its own pace. */
  readonly revision: number;
  /** Arms give dashes, seeds the band, agents (in the experiment's order) colours and panels. Stable object. */
  readonly scope: RunScope;
  /** One metric, or several of one level to compare in the same panels. Stable array. */
  readonly metrics: readonly MetricKey[];
  readonly scale: AxisScale;
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

function usePanelRequests(props: MetricChartProps): readonly PanelRequest[] {
  const { scope, metrics, scale, hasSpikeMarks = false } = props;
  const { bounds = noBounds, axisValues = noValues } = props;
  return useMemo(() => {
    const isTeam = metrics.every((metric) => metricCatalog[metric].level === 'team');
    const agents = isTeam ? [teamId] : scope.agents;
    return agents.map((agent) => ({
      arms: scope.arms,
      seeds: scope.seeds,
      agent,
      metrics,
      scale,
      hasSpikeMarks,
      axisAgents: agents,
      axisValues: [...axisValues, ...bounds.map(({ value }) => value)],
    }));
  }, [scope, metrics, scale, hasSpikeMarks, bounds, axisValues]);
}

/**
 * Metrics over iterations: one panel an agent with a common y axis, or one panel for the team. Line = median over seeds,
 * band = their smallest to largest value, dash = arm, colour = agent.
 */
export function MetricChart(props: MetricChartProps) {
  const { title, scope, metrics, bounds = noBounds } = props;
  const id = useId();
  const [hidden, setHidden] = useState(nothingHidden);
  const [emphasized, setEmphasized] = useState<string | null>(null);
  const [isTable, setTable] = useState(false);
  const requests = usePanelRequests(props);
  const entries = useMemo(() => legendEntries(scope, metrics), [scope, metrics]);
  return (
    <figure className="metric-chart" aria-labelledby={id}>
      <figcaption>
        <span className="chart-title" id={id}>
          {title}
        </span>
        <HelpButton subject={title} text={helpText(metrics)} />
        <ChartLegend
          title={title}
          entries={entries}
          hidden={hidden}
          onToggle={(entry) => setHidden((before) => toggleEntry(before, entry))}
          onIsolate={(entry) => setHidden((before) => isolateEntry(before, entries, entry))}
          onEmphasize={setEmphasized}
        />
        <button
          type="button"
          className="chart-table-toggle"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          Table
        </button>
      </figcaption>
      <div className="chart-panels" data-table={isTable}>
        {requests.map((request) => (
          <ChartPanel
            key={request.agent}
            name={request.agent === teamId ? title : `${title} of ${request.agent}`}
            heading={request.agent === teamId ? null : request.agent}
            color={agentColor(scope.agents, request.agent)}
            series={props.series}
            revision={props.revision}
            request={request}
            hidden={hidden}
            emphasized={emphasized}
            isDimmed={isOther(props.emphasizedAgent, request.agent)}
            isTable={isTable}
            plannedIterations={props.plannedIterations}
            bounds={bounds}
            syncId={props.syncId}
          />
        ))}
      </div>
    </figure>
  );
}

function isOther(emphasized: string | null | undefined, agent: string): boolean {
  return typeof emphasized === 'string' && agent !== teamId && agent !== emphasized;
}
