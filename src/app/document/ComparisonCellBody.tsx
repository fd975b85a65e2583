import type { ComparisonCell } from '../../notebook/cells';
import { useAgentHighlight } from '../agentHighlight';
import { SummaryTable } from '../charts/SummaryTable';
import { StatisticsSection } from '../StatisticsSection';
import { useRun } from '../runStore';
import { useShownScope } from '../runScope';
import { SpikesFold } from './SpikesFold';

/** The arms side by side. */
export function ComparisonCellBody({ cell: _cell }: { readonly cell: ComparisonCell }) {
  const series = useRun((state) => state.series);
  const revision = useRun((state) => state.revision);
  const emphasizedAgent = useAgentHighlight((state) => state.agent);
  const scope = useShownScope();
  return (
    <>
      <SummaryTable
        series={series}
        revision={revision}
        scope={scope}
        emphasizedAgent={emphasizedAgent}
      />
      <StatisticsSection />
      <SpikesFold />
    </>
  );
}
