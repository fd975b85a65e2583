import { lazy, Suspense } from 'react';
import { useDesk } from '../desks';
import { ExperimentDownloads } from '../ExperimentDownloads';
import { Overview } from '../Overview';
import { RunCaption } from '../RunCaption';
import { Throughput } from '../Throughput';

const ExperimentCharts = lazy(async () => ({
  default: (await import('./ExperimentCharts')).ExperimentCharts,
}));

/** The cause: what is trained, by which team, and how far the run is. The settings are in the form beside the notebook. */
export function ExperimentCellBody() {
  const { id } = useDesk();
  return (
    <>
      <Overview />
      <RunCaption />
      <div className="experiment-tools">
        <Suspense fallback={null}>
          <ExperimentCharts experiment={id} />
        </Suspense>
        <ExperimentDownloads />
      </div>
      <Throughput />
    </>
  );
}
