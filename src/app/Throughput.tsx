import { lazy, Suspense, useRef } from 'react';
import { throughputColumns } from './throughput';
import { useThroughputSnapshot } from './throughputSnapshot';
import { summaryText } from './throughputSummary';

const ThroughputTables = lazy(async () => ({
  default: (await import('./ThroughputTables')).ThroughputTables,
}));

/** How fast the policies sample and learn, where the time goes, what the device holds, and how smooth the page stays. */
export function Throughput() {
  const frame = useRef<HTMLDetailsElement>(null);
  const snapshot = useThroughputSnapshot(frame);
  const { log, frames } = snapshot;
  return (
    <details className="fold" ref={frame}>
      <summary>
        <h2>Throughput</h2>
        <span className="fold-line muted">{summaryText(throughputColumns(log)[0], frames)}</span>
      </summary>
      <Suspense fallback={null}>
        <ThroughputTables {...snapshot} />
      </Suspense>
    </details>
  );
}
