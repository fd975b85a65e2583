import { ChartsToolbar } from '../charts/ChartsToolbar';

/** What is chosen for all charts of an experiment at once. */
export function ExperimentCharts({ experiment: _experiment }: { readonly experiment: string }) {
  return <ChartsToolbar />;
}
