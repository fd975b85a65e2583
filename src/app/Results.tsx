import { lazy, Suspense } from 'react';
import { metricsCsv } from '../metrics/toCsv';
import { Icon } from './icons';
import { download, runReport } from './runExport';
import { RunCaption } from './RunCaption';
import { Rollouts } from './rollouts/Rollouts';
import { useRun } from './runStore';
import { StatisticsSection } from './StatisticsSection';
import { Throughput } from './Throughput';

// Charts are the largest part of the page and not needed for the form.
const RunCharts = lazy(async () => ({ default: (await import('./RunCharts')).RunCharts }));
const PolicyCharts = lazy(async () => ({ default: (await import('./RunCharts')).PolicyCharts }));
const ChosenChart = lazy(async () => ({ default: (await import('./RunCharts')).ChosenChart }));

/** The effect: charts, the table of the arms, episodes. */
export function Results() {
  return (
    <section className="results" id="results" tabIndex={-1} aria-label="Results">
      <RunCaption />
      <Suspense fallback={<div className="charts charts-loading" />}>
        <RunCharts />
      </Suspense>
      <Downloads />
      <StatisticsSection />
      <Throughput />
      <Suspense fallback={null}>
        <PolicyCharts />
        <ChosenChart />
      </Suspense>
      <Rollouts />
    </section>
  );
}

function Downloads() {
  const isEmpty = useRun((state) => state.revision === 0);
  return (
    <div className="downloads">
      <button
        type="button"
        disabled={isEmpty}
        onClick={() =>
          download('marlbook-metrics.csv', 'text/csv', metricsCsv(useRun.getState().series))
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
            JSON.stringify(runReport(useRun.getState()), null, 2),
          )
        }
      >
        <Icon name="download" />
        Summary, JSON
      </button>
    </div>
  );
}
