import { useEffect, useState, type RefObject } from 'react';
import type { PolicyStatus } from '../protocol/trainerApi';
import { pageScheduler } from './charts/useScheduledRevision';
import { useRun } from './runStore';
import type { ThroughputLog } from './throughput';
import type { FrameCount } from './throughputFrameCount';
import { framesOf, startFrameCount, useFrames } from './throughputFrames';

/** What the panel shows until the next refresh. */
export interface ThroughputSnapshot {
  readonly log: ThroughputLog;
  readonly policies: readonly PolicyStatus[];
  readonly frames: FrameCount;
}

function snapshot(): ThroughputSnapshot {
  const { throughput, policies, startedAtMs } = useRun.getState();
  return { log: throughput, policies, frames: framesOf(useFrames.getState(), startedAtMs) };
}

/** The run’s throughput: a new object at most four times a second, and only while the element in `frame` is on screen. */
export function useThroughputSnapshot(frame: RefObject<Element | null>): ThroughputSnapshot {
  const [shown, setShown] = useState(snapshot);
  useEffect(() => startFrameCount(), []);
  useEffect(() => {
    const panel = pageScheduler.add(() => setShown(snapshot()));
    const observer = new IntersectionObserver((entries) =>
      panel.setVisible(entries.some(({ isIntersecting }) => isIntersecting)),
    );
    if (frame.current) observer.observe(frame.current);
    const unsubscribe = [
      useRun.subscribe((run, before) => {
        if (run.throughput !== before.throughput || run.policies !== before.policies)
          panel.request();
      }),
      useFrames.subscribe(() => panel.request()),
    ];
    // Something may have happened between the first render and here.
    panel.request();
    return () => {
      for (const end of unsubscribe) end();
      observer.disconnect();
      panel.remove();
    };
  }, [frame]);
  return shown;
}
