import { useDesk } from '../desks';
import { ExperimentDownloads } from '../exports/ExperimentDownloads';
import { Overview } from '../Overview';
import { RunCaption } from '../RunCaption';
import { Throughput } from '../Throughput';
import { Verification } from '../verify/Verification';
import { ExperimentCharts } from './ExperimentCharts';

/** The cause: what is trained, by which team, and how far the run is. The settings are in the form beside the notebook. */
export function ExperimentCellBody() {
  const { id } = useDesk();
  return (
    <>
      <Overview />
      <RunCaption />
      <Verification />
      <div className="experiment-tools">
        <ExperimentCharts experiment={id} />
        <ExperimentDownloads />
      </div>
      <Throughput />
    </>
  );
}
