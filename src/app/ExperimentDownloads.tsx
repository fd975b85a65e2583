import { metricsCsv } from '../metrics/toCsv';
import { useDesk } from './desks';
import { Icon } from './icons';
import { download, runReport } from './runExport';
import { useRun } from './runStore';

/** The numbers of the run as files. */
export function ExperimentDownloads() {
  const { run } = useDesk();
  const isEmpty = useRun((state) => state.revision === 0);
  return (
    <div className="downloads">
      <button
        type="button"
        disabled={isEmpty}
        onClick={() =>
          download('marlbook-metrics.csv', 'text/csv', metricsCsv(run.getState().series))
        }
      >
        <Icon name="download" />
        Metrics, CSV
      </button>
      <button
        type="button"
        disabled={isEmpty}
        onClick={() =>
          download(
            'marlbook-summary.json',
            'application/json',
            JSON.stringify(runReport(run.getState()), null, 2),
          )
        }
      >
        <Icon name="download" />
        Summary, JSON
      </button>
    </div>
  );
}
