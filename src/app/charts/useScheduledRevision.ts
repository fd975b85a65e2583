import { useEffect, useRef, useState, type RefObject } from 'react';
import type { RunSeries } from '../../metrics/runSeries';
import { createChartScheduler, type ScheduledChart } from './chartScheduler';

/** All that is drawn from a run shares the page's animation frames. */
export const pageScheduler = createChartScheduler((callback) => requestAnimationFrame(callback));

/** A series and the revision of it that is on screen. A new object each time a chart should be drawn anew. */
export interface DrawnSeries {
  readonly series: RunSeries;
  readonly revision: number;
}

/**
 * Which state of `live` the chart in `frame` should show now: a new one at most four times a second, only while the
 * element is on screen and not `isFrozen`. A different series (another run, a reset) is shown at once.
 */
export function useScheduledRevision(
  live: DrawnSeries,
  frame: RefObject<Element | null>,
  isFrozen: boolean,
): DrawnSeries {
  const { series, revision } = live;
  const [drawn, setDrawn] = useState<DrawnSeries>({ series, revision });
  if (drawn.series !== series) setDrawn({ series, revision });
  const latest = useRef(live);
  const chart = useRef<ScheduledChart | null>(null);

  useEffect(() => {
    const scheduled = pageScheduler.add(() =>
      setDrawn({ series: latest.current.series, revision: latest.current.revision }),
    );
    chart.current = scheduled;
    const observer = new IntersectionObserver((entries) =>
      scheduled.setVisible(entries.some(({ isIntersecting }) => isIntersecting)),
    );
    if (frame.current) observer.observe(frame.current);
    return () => {
      observer.disconnect();
      scheduled.remove();
    };
  }, [frame]);

  useEffect(() => {
    latest.current = { series, revision };
    if (drawn.series !== series || drawn.revision !== revision) chart.current?.request();
  }, [series, revision, drawn]);

  useEffect(() => chart.current?.setFrozen(isFrozen), [isFrozen]);

  return drawn.series === series ? drawn : { series, revision };
}
