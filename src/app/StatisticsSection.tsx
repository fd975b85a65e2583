import { lazy, Suspense, useMemo, useState } from 'react';
import { useShownScope } from './runScope';
import { isActive } from './runState';
import { useRun } from './runStore';
import { pacedRevision } from './statistics/pacedRevision';

// Charts are loaded when they are wanted.
const Statistics = lazy(async () => ({
  default: (await import('./statistics/Statistics')).Statistics,
}));

/** Closed at first: intervals are worked out when somebody looks. */
export function StatisticsSection() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Statistics</h2>
        <span className="fold-line muted">
          interquartile mean, intervals, probability of improvement, profiles
        </span>
      </summary>
      {isOpen && (
        <Suspense fallback={null}>
          <OpenStatistics />
        </Suspense>
      )}
    </details>
  );
}

function OpenStatistics() {
  const series = useRun((state) => state.series);
  const revision = useRun(({ revision: latest, phase }) => pacedRevision(latest, isActive(phase)));
  const drawn = useMemo(() => ({ series, revision }), [series, revision]);
  return <Statistics drawn={drawn} scope={useShownScope()} />;
}
