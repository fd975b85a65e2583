import { useMemo, useRef } from 'react';
import type { ComparisonCell } from '../../notebook/cells';
import { useAgentHighlight } from '../agentHighlight';
import { SummaryTable } from '../charts/SummaryTable';
import { useScheduledRevision } from '../charts/useScheduledRevision';
import { ComparisonEditor } from '../comparison/ComparisonEditor';
import { ComparisonView } from '../comparison/ComparisonView';
import type { MetricComparison } from '../comparison/comparisonText';
import { isActive } from '../runState';
import { StatisticsSection } from '../StatisticsSection';
import { useRun } from '../runStore';
import { useShownScope } from '../runScope';
import { editCell, usePresent } from './documentStore';
import { ConflictFold } from './ConflictFold';
import { SpikesFold } from './SpikesFold';

interface ComparisonCellBodyProps {
  readonly cell: ComparisonCell;
  readonly isEditing: boolean;
}

/** The arms side by side: at a glance with what can be looked into, or in one metric. */
export function ComparisonCellBody({ cell, isEditing }: ComparisonCellBodyProps) {
  const { metric } = cell;
  return (
    <>
      {isEditing && <Editor cell={cell} />}
      {metric === null ? <AtAGlance /> : <InOneMetric cell={cell} metric={metric} />}
    </>
  );
}

function Editor({ cell }: { readonly cell: ComparisonCell }) {
  const notebook = usePresent();
  return <ComparisonEditor cell={cell} notebook={notebook} onChange={(next) => editCell(next)} />;
}

function AtAGlance() {
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
      <ConflictFold />
    </>
  );
}

interface InOneMetricProps {
  readonly cell: ComparisonCell;
  readonly metric: MetricComparison['metric'];
}

function InOneMetric({ cell, metric }: InOneMetricProps) {
  const frame = useRef<HTMLDivElement>(null);
  const series = useRun((state) => state.series);
  const revision = useRun((state) => state.revision);
  const isTraining = useRun(({ phase }) => isActive(phase));
  const scope = useShownScope();
  const drawn = useScheduledRevision({ series, revision }, frame, false);
  const comparison = useMemo(
    () => ({ ...cell, metric, baseline: cell.baseline ?? scope.arms[0] ?? '' }),
    [cell, metric, scope],
  );
  return (
    <div ref={frame}>
      <ComparisonView cell={comparison} drawn={drawn} scope={scope} isTraining={isTraining} />
    </div>
  );
}
