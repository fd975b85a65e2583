import { useMemo } from 'react';
import { ChartsToolbar } from '../charts/ChartsToolbar';
import { chartsOf, commonSettings, withSettings } from './chartSettings';
import { editCells, presentNotebook, usePresent } from './documentStore';

/** What is chosen for all charts of an experiment at once; nothing where it has none. */
export function ExperimentCharts({ experiment }: { readonly experiment: string }) {
  const notebook = usePresent();
  const charts = useMemo(() => chartsOf(notebook, experiment), [notebook, experiment]);
  const common = useMemo(() => commonSettings(charts), [charts]);
  if (charts.length === 0) return null;
  return (
    <ChartsToolbar
      common={common}
      onChange={(change) =>
        editCells(
          chartsOf(presentNotebook(), experiment).map((cell) => withSettings(cell, change)),
          { cell: experiment, field: `charts ${Object.keys(change).join()}` },
        )
      }
    />
  );
}
