import { useMemo } from 'react';
import type { ChartCell } from '../../notebook/cells';
import { useAgentHighlight } from '../agentHighlight';
import { MetricChart } from '../charts/MetricChart';
import { useRun } from '../runStore';
import { useShownScope, useShownSpec } from '../runScope';
import { metricsTitle } from './cellText';
import { chartExtras } from './chartExtras';

/** Metrics over the course of the runs. */
export function ChartCellBody({ cell }: { readonly cell: ChartCell }) {
  const { metrics, experiment } = cell;
  const series = useRun((state) => state.series);
  const revision = useRun((state) => state.revision);
  const emphasizedAgent = useAgentHighlight((state) => state.agent);
  const scope = useShownScope();
  const spec = useShownSpec();
  const extras = useMemo(() => chartExtras(metrics, spec), [metrics, spec]);
  return (
    <MetricChart
      title={metricsTitle(metrics)}
      series={series}
      revision={revision}
      scope={scope}
      metrics={metrics}
      scale={cell.yScale}
      plannedIterations={spec.iterations}
      emphasizedAgent={emphasizedAgent}
      syncId={experiment}
      {...extras}
    />
  );
}
