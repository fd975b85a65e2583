import { useEffect, useState, type RefObject } from 'react';
import type { PolicyStatus } from '../protocol/trainerApi';
import { pageScheduler } from './charts/useScheduledRevision';
import { useDesk, type Desk } from './desks';
import type { ThroughputLog } from './throughput';
import type { FrameCount } from './throughputFrameCount';
import { framesOf, startFrameCount, useFrames } from './throughputFrames';

/** What the panel shows until the next refresh. */
export interface ThroughputSnapshot {
  readonly log: ThroughputLog;
  readonly policies: readonly PolicyStatus[];
  readonly frames: FrameCount;
}

function snapshot({ run }: Desk): ThroughputSnapshot {
  const { throughput, policies, startedAtMs } = run.getState();
  return { log: throughput, policies, frames: framesOf(useFrames.getState(), startedAtMs) };
}

/** The run’s throughput: a new object at most four times a second, and only while the element in `frame` is on screen. */
export function useThroughputSnapshot(frame: RefObject<Element | null>): ThroughputSnapshot {
  const desk = useDesk();
  const [shown, setShown] = useState(() => snapshot(desk));
  useEffect(() => startFrameCount(), []);
  useEffect(() => {
    const panel = pageScheduler.add(() => setShown(snapshot(desk)));
    const observer = new IntersectionObserver((entries) =>
      panel.setVisible(entries.some(({ isIntersecting }) => isIntersecting)),
    );
    if (frame.current) observer.observe(frame.current);
    const unsubscribe = [
      desk.run.subscribe((run, before) => {
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
  }, [frame, desk]);
  return shown;
}
