import { useCallback, useMemo, useState } from 'react';
import { counterUniform } from '../../metrics/counterUniform';
import { aggregateLines } from './aggregateLines';
import type { ChartChange } from './chartChanges';
import type { PanelSource } from './ChartPanel';
import { centerName } from './chartView';
import { chartWords } from './chartWords';
import { markersOf } from './markers';
import type { DrawnSeries } from './useScheduledRevision';

interface ChartWordsSource {
  readonly name: string;
  readonly source: PanelSource;
  readonly live: DrawnSeries;
  readonly isRunning: boolean;
  /** Stable object. */
  readonly changes: readonly ChartChange[];
}

interface ChartWords {
  readonly text: string;
  /** Tells of the series as it is now. */
  readonly update: () => void;
}

const uniform = counterUniform(0);

/** A panel in words: told anew when the run pauses or ends, or when asked; words that change by themselves are read to nobody’s profit. */
export function useChartWords({
  name,
  source,
  live,
  isRunning,
  changes,
}: ChartWordsSource): ChartWords {
  const { series, revision } = live;
  const [told, setTold] = useState<DrawnSeries>({ series, revision });
  const isOld = told.revision !== revision && !isRunning;
  if (told.series !== series || isOld) setTold({ series, revision });
  const update = useCallback(
    () =>
      setTold((before) =>
        before.series === series && before.revision === revision ? before : { series, revision },
      ),
    [series, revision],
  );
  const { lines, panel } = source;
  // The same lines while only the smoothing, the zoom or the scale changes: then the words stay as they are.
  const logged = useMemo(
    () => aggregateLines(told.series, { ...lines, view: { ...lines.view, smoothing: 0 } }, uniform),
    [told, lines],
  );
  const { agent, seeds, view } = panel;
  const { pairedBaseline } = view;
  const center = centerName(lines.view.band);
  const text = useMemo(() => {
    const marked = { seeds, agent, zoom: null };
    const markers = logged.flatMap((line) => markersOf(told.series, marked, line));
    // Told with what was logged by then: words that change by themselves are read to nobody’s profit.
    const toldTo = Math.max(0, ...logged.map(({ band }) => band.iterations.at(-1) ?? 0));
    const texts = changes.flatMap((change) => (change.iteration <= toldTo ? change.text : []));
    const words = { name, lines: logged, markers, pairedBaseline, changes: texts };
    return chartWords(words, center);
  }, [name, logged, told, agent, seeds, pairedBaseline, center, changes]);
  return { text, update };
}
