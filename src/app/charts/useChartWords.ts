import { useCallback, useMemo, useState } from 'react';
import { counterUniform } from '../../metrics/counterUniform';
import { aggregateLines } from './aggregateLines';
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
}

interface ChartWords {
  readonly text: string;
  /** Tells of the series as it is now. */
  readonly update: () => void;
}

const uniform = counterUniform(0);

/** A panel in words: told anew when the run pauses or ends, or when asked; words that change by themselves are read to nobody’s profit. */
export function useChartWords({ name, source, live, isRunning }: ChartWordsSource): ChartWords {
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
  const text = useMemo(() => textOf(name, source, told), [name, source, told]);
  return { text, update };
}

function textOf(name: string, { lines, panel }: PanelSource, { series }: DrawnSeries): string {
  const { agent, seeds, view } = panel;
  const logged = { ...lines, view: { ...lines.view, smoothing: 0 } };
  const found = aggregateLines(series, logged, uniform);
  const marked = { seeds, agent, zoom: null };
  const request = {
    name,
    lines: found,
    markers: found.flatMap((line) => markersOf(series, marked, line)),
    pairedBaseline: view.pairedBaseline,
  };
  return chartWords(request, centerName(lines.view.band));
}
