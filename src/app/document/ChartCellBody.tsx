import { useCallback, useMemo } from 'react';
import type { ChartCell } from '../../notebook/cells';
import { useAgentHighlight } from '../agentHighlight';
import type { SpikePlace } from '../charts/markers';
import { MetricChart } from '../charts/MetricChart';
import { isActive } from '../runState';
import { useRun } from '../runStore';
import { useShownScope, useShownSpec } from '../runScope';
import { openSpike } from '../spikes/openSpike';
import { spikeList } from '../spikes/spikeList';
import { chartChanges } from '../steering/chartChanges';
import { chartBounds } from './chartBounds';
import { ChartEditor } from './ChartEditor';
import { editCell } from './documentStore';

interface ChartCellBodyProps {
  readonly cell: ChartCell;
  readonly isEditing: boolean;
}

/** Metrics over the course of the runs. */
export function ChartCellBody({ cell, isEditing }: ChartCellBodyProps) {
  const { experiment } = cell;
  const series = useRun((state) => state.series);
  const revision = useRun((state) => state.revision);
  const isRunning = useRun(({ phase }) => isActive(phase));
  const emphasizedAgent = useAgentHighlight((state) => state.agent);
  const scope = useShownScope();
  const spec = useShownSpec();
  const bounds = useMemo(() => chartBounds(spec), [spec]);
  const interventions = useRun((state) => state.interventions);
  const changes = useMemo(() => chartChanges(interventions), [interventions]);
  const openPlace = useCallback(
    ({ arm, seed, agent, iteration }: SpikePlace) => {
      const listed = spikeList(series, scope);
      const spike = listed.find(
        (one) =>
          one.iteration === iteration &&
          one.agent === agent &&
          one.arm === arm &&
          one.seed === seed,
      );
      if (spike !== undefined) openSpike({ experiment, spike, listed });
    },
    [series, scope, experiment],
  );
  return (
    <div className="chart-cell">
      {isEditing && <ChartEditor cell={cell} />}
      <MetricChart
        settings={cell}
        onChange={(change) =>
          editCell({ ...cell, ...change }, `settings ${Object.keys(change).join()}`)
        }
        series={series}
        revision={revision}
        isRunning={isRunning}
        scope={scope}
        plannedIterations={spec.iterations}
        bounds={bounds}
        changes={changes}
        emphasizedAgent={emphasizedAgent}
        syncId={experiment}
        onOpenSpike={openPlace}
      />
    </div>
  );
}
