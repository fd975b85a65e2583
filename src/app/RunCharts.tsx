import { useId, useMemo, useState } from 'react';
import { metricCatalog, type MetricKey } from '../metrics/catalog';
import { useAgentHighlight } from './agentHighlight';
import { ChartsToolbar } from './charts/ChartsToolbar';
import { MetricChart } from './charts/MetricChart';
import { SummaryTable } from './charts/SummaryTable';
import { useRun } from './runStore';
import { useShownScope, useShownSpec } from './runScope';

const syncId = 'iteration';

// Charts compare these by identity, so they are made once.
const normMetrics = ['gradNorm'] as const;
const successMetrics = ['success'] as const;
const entropyMetrics = ['entropy'] as const;
const klMetrics = ['approxKl'] as const;
const clipMetrics = ['clipFraction'] as const;
const momentMetrics = ['advSecondMoment', 'advSecondMomentPredicted'] as const;
const share = [0, 1] as const;
const zero = [0] as const;

function useChartProps() {
  const series = useRun((state) => state.series);
  const revision = useRun((state) => state.revision);
  const emphasizedAgent = useAgentHighlight((state) => state.agent);
  const scope = useShownScope();
  const { iterations } = useShownSpec();
  return { series, revision, scope, emphasizedAgent, plannedIterations: iterations, syncId };
}

/**
 * N − 1, the most that global normalization can inflate an agent's second moment when the team shares one outcome reward. Where
 * invocations are samples of their own, a task has more samples than rollouts and the bound is another in every task: none is drawn.
 */
function useInflationBound() {
  const { groups, environment } = useShownSpec();
  const { groupSize } = groups;
  const hasBound = environment.kind !== 'planExecute';
  return useMemo(
    () => (hasBound ? [{ value: groupSize - 1, label: `N − 1 = ${groupSize - 1}` }] : []),
    [groupSize, hasBound],
  );
}

/** The effect: norms per agent over success and over the second moment that explains the norms. */
export function RunCharts() {
  const props = useChartProps();
  const bounds = useInflationBound();
  return (
    <div className="charts">
      <ChartsToolbar />
      <div className="chart-cell chart-norms">
        <MetricChart
          {...props}
          title="Gradient norm"
          metrics={normMetrics}
          scale="log"
          hasSpikeMarks
        />
      </div>
      <div className="chart-cell chart-success">
        <MetricChart
          {...props}
          title="Success"
          metrics={successMetrics}
          scale="linear"
          axisValues={share}
        />
      </div>
      <div className="chart-cell chart-moment">
        <MetricChart
          {...props}
          title="Advantage second moment"
          metrics={momentMetrics}
          scale="log"
          bounds={bounds}
        />
      </div>
      <SummaryTable
        series={props.series}
        revision={props.revision}
        scope={props.scope}
        emphasizedAgent={props.emphasizedAgent}
      />
    </div>
  );
}

/** What explains the rest: how undecided, how fast, how often clipped. */
export function PolicyCharts() {
  const props = useChartProps();
  return (
    <section className="policy-charts" aria-label="Policy charts">
      <MetricChart
        {...props}
        title="Entropy"
        metrics={entropyMetrics}
        scale="linear"
        axisValues={zero}
      />
      <MetricChart {...props} title="KL to the old policy" metrics={klMetrics} scale="log" />
      <MetricChart
        {...props}
        title="Clip fraction"
        metrics={clipMetrics}
        scale="linear"
        axisValues={zero}
      />
    </section>
  );
}

const otherMetrics = Object.keys(metricCatalog).filter(isMetricKey);

function isMetricKey(text: string): text is MetricKey {
  return Object.hasOwn(metricCatalog, text);
}

/** Any one metric of the catalog, chosen by the reader. */
export function ChosenChart() {
  const id = useId();
  const props = useChartProps();
  const [metric, setMetric] = useState<MetricKey>('numTurns');
  const metrics = useMemo(() => [metric], [metric]);
  return (
    <section className="chosen" aria-label="Another metric">
      <label htmlFor={id}>
        <h2>Another metric</h2>
      </label>
      <select
        id={id}
        value={metric}
        onChange={(event) => {
          if (isMetricKey(event.target.value)) setMetric(event.target.value);
        }}
      >
        {otherMetrics.map((key) => (
          <option key={key} value={key}>
            {metricCatalog[key].label}
          </option>
        ))}
      </select>
      <div className="chart-cell">
        <MetricChart
          {...props}
          title={metricCatalog[metric].label}
          metrics={metrics}
          scale="linear"
        />
      </div>
    </section>
  );
}
