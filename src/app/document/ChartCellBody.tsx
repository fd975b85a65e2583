import { useMemo, type CSSProperties } from 'react';
import type { RunScope } from '../../metrics/runSeries';
import type { ChartCell } from '../../notebook/cells';
import { useAgentHighlight } from '../agentHighlight';
import { MetricChart } from '../charts/MetricChart';
import { useRun } from '../runStore';
import { useShownScope, useShownSpec } from '../runScope';
import { metricsTitle } from './cellText';
import { ChartEditor } from './ChartEditor';
import { chartExtras } from './chartExtras';
import { canDrawOver, settingsOf, withSettings } from './chartSettings';
import { editCell } from './documentStore';

interface ChartCellBodyProps {
  readonly cell: ChartCell;
  readonly isEditing: boolean;
}

/** Metrics over the course of the runs. */
export function ChartCellBody({ cell, isEditing }: ChartCellBodyProps) {
  const { metrics, experiment } = cell;
  const series = useRun((state) => state.series);
  const revision = useRun((state) => state.revision);
  const emphasizedAgent = useAgentHighlight((state) => state.agent);
  const scope = useShownScope();
  const agents = useShownAgents(cell, scope);
  const spec = useShownSpec();
  const extras = useMemo(() => chartExtras(metrics, spec), [metrics, spec]);
  const settings = useMemo(() => settingsOf(cell), [cell]);
  return (
    <div className="chart-cell" style={heightOf(cell)}>
      {isEditing && <ChartEditor cell={cell} />}
      {!canDrawOver(cell) && (
        <p className="cell-broken">
          This page cannot draw over {cell.x.kind === 'wallTime' ? 'wall time' : 'a metric'} yet:
          the chart is drawn over iterations.
        </p>
      )}
      <MetricChart
        title={metricsTitle(metrics)}
        series={series}
        revision={revision}
        scope={scope}
        agents={agents}
        metrics={metrics}
        settings={settings}
        onChange={(change) =>
          editCell(withSettings(cell, change), `settings ${Object.keys(change).join()}`)
        }
        plannedIterations={spec.iterations}
        emphasizedAgent={emphasizedAgent}
        syncId={experiment}
        {...extras}
      />
    </div>
  );
}

/** The agents that the cell asks for; all of them where it asks for none that is there. */
function useShownAgents({ agents }: ChartCell, scope: RunScope): readonly string[] {
  return useMemo(() => {
    const shown = agents === 'all' ? [] : scope.agents.filter((agent) => agents.includes(agent));
    return shown.length === 0 ? scope.agents : shown;
  }, [scope, agents]);
}

type ChartStyle = CSSProperties & Readonly<Record<'--chart-height', string>>;

function heightOf({ height }: ChartCell): ChartStyle {
  return { '--chart-height': `${height}px` };
}
