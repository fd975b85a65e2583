import { lazy, Suspense, useMemo } from 'react';
import { Fold } from './Fold';
import { useShownScope } from './runScope';
import { isActive } from './runState';
import { useRun } from './runStore';
import { pacedRevision } from './statistics/pacedRevision';

// Charts are loaded when they are wanted.
const Statistics = lazy(async () => ({
  default: (await import('./statistics/Statistics')).Statistics,
}));

export function StatisticsSection() {
  return (
    <Fold
      title="Statistics"
      line="interquartile mean, intervals, probability of improvement, profiles"
    >
      <Suspense fallback={null}>
        <OpenStatistics />
      </Suspense>
    </Fold>
  );
}

function OpenStatistics() {
  const series = useRun((state) => state.series);
  const revision = useRun(({ revision: latest, phase }) => pacedRevision(latest, isActive(phase)));
  const drawn = useMemo(() => ({ series, revision }), [series, revision]);
  return <Statistics drawn={drawn} scope={useShownScope()} />;
}
