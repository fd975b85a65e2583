import { useCallback, useMemo } from 'react';
import { teamId } from '../../metrics/runSeries';
import { noChanges } from './chartChanges';
import { shownAgents } from './chartChoices';
import { ChartPanel, type PanelSource } from './ChartPanel';
import type { ChartView } from './chartView';
import type { HiddenEntries } from './legendState';
import { agentColor } from './lineStyle';
import type { Marker } from './markers';
import type { MetricBounds, MetricChartProps } from './MetricChart';
import type { Bound } from './plotContent';
import { areOfTeam, axisValuesOf } from './metricTexts';

interface ChartPanelsProps extends MetricChartProps {
  readonly title: string;
  readonly view: ChartView;
  readonly hidden: HiddenEntries;
  readonly emphasized: string | null;
  readonly isTable: boolean;
  readonly hasWords: boolean;
  readonly onZoom: (zoom: readonly [number, number]) => void;
}

const noBounds: MetricBounds = {};

function useBounds({ settings: { metrics }, bounds = noBounds }: MetricChartProps) {
  return useMemo(
    (): readonly Bound[] => metrics.flatMap((metric) => bounds[metric] ?? []),
    [metrics, bounds],
  );
}

function usePanelSources(
  { scope, settings: { metrics, agents: chosen } }: MetricChartProps,
  view: ChartView,
  bounds: readonly Bound[],
): readonly PanelSource[] {
  return useMemo(() => {
    const agents = areOfTeam(metrics) ? [teamId] : shownAgents(chosen, scope.agents);
    const { arms, seeds } = scope;
    const axisValues = [...axisValuesOf(metrics), ...bounds.map(({ value }) => value)];
    return agents.map((agent) => ({
      lines: { arms, seeds, agent, allAgents: scope.agents, metrics, view },
      panel: { seeds, agent, axisValues, view },
      axisAgents: agents,
    }));
  }, [scope, metrics, chosen, bounds, view]);
}

function useOpenMarker({ onOpenSpike }: MetricChartProps) {
  const open = useCallback(
    (agent: string, { arm, seed, iteration }: Marker) =>
      onOpenSpike?.({ arm, seed, agent, iteration }),
    [onOpenSpike],
  );
  return onOpenSpike ? open : null;
}

/** One panel an agent, or the team's. */
export function ChartPanels(props: ChartPanelsProps) {
  const { title, scope, view, isTable } = props;
  const bounds = useBounds(props);
  const sources = usePanelSources(props, view, bounds);
  const onOpenMarker = useOpenMarker(props);
  if (sources.length === 0)
    return <p className="chart-empty">None of the chosen agents is in the experiment.</p>;
  return (
    <div className="chart-panels" data-table={isTable}>
      {sources.map((source) => {
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
            changes={props.changes ?? noChanges}
            syncId={props.syncId}
            onZoom={props.onZoom}
            onOpenMarker={onOpenMarker}
            isRunning={props.isRunning}
            hasWords={props.hasWords}
          />
        );
      })}
    </div>
  );
}

function isOther(emphasized: string | null | undefined, agent: string): boolean {
  return typeof emphasized === 'string' && agent !== teamId && agent !== emphasized;
}
