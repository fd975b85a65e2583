import { useMemo } from 'react';
import type { ChartCell } from '../../notebook/cells';
import { ChartsToolbar } from '../charts/ChartsToolbar';
import type { ChartSettings } from '../charts/chartView';
import { chartsOf } from './chartsOf';
import { editCells, presentNotebook, usePresent } from './documentStore';

/** What is chosen for all charts of an experiment at once; nothing where it has none. */
export function ExperimentCharts({ experiment }: { readonly experiment: string }) {
  const notebook = usePresent();
  const charts = useMemo(() => chartsOf(notebook, experiment), [notebook, experiment]);
  if (charts.length === 0) return null;
  return (
    <ChartsToolbar
      settings={charts}
      onChangeAll={(change) =>
        editCells(
          chartsOf(presentNotebook(), experiment).map((cell) => withChange(cell, change)),
          { cell: experiment, field: `charts ${Object.keys(change).join()}` },
        )
      }
    />
  );
}

function withChange(cell: ChartCell, change: Partial<ChartSettings>): ChartCell {
  return { ...cell, ...change };
}
