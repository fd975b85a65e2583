import { useCallback, useMemo } from 'react';
import { create } from 'zustand';
import { useAgentHighlight } from './agentHighlight';
import { ChartsToolbar } from './charts/ChartsToolbar';
import type { ChartSettings } from './charts/chartView';
import { MetricChart, type MetricBounds } from './charts/MetricChart';
import { SummaryTable } from './charts/SummaryTable';
import { useRun } from './runStore';
import { useShownScope, useShownSpec } from './runScope';

const syncId = 'iteration';

const plain = {
  agents: 'all',
  x: { kind: 'iteration' },
  smoothing: 0,
  band: 'minMax',
  hasOutlierClip: false,
  pairedBaseline: null,
  height: 178,
  width: 'full',
} as const;

/** How the charts of the page are shown, until they are cells of a document. */
const useChartSettings = create<Readonly<Record<string, ChartSettings>>>(() => ({
  norms: { ...plain, metrics: ['gradNorm'], yScale: 'log' },
  success: { ...plain, metrics: ['success'], yScale: 'linear', width: 'third' },
  moments: {
    ...plain,
    metrics: ['advSecondMoment', 'advSecondMomentPredicted'],
    yScale: 'log',
    width: 'half',
  },
  entropy: { ...plain, metrics: ['entropy'], yScale: 'linear', height: 150 },
  kl: { ...plain, metrics: ['approxKl'], yScale: 'log', height: 150 },
  clipFraction: { ...plain, metrics: ['clipFraction'], yScale: 'linear', height: 150 },
  chosen: { ...plain, metrics: ['numTurns'], yScale: 'linear', height: 160 },
}));

function changeSettings(name: string, change: Partial<ChartSettings>): void {
  useChartSettings.setState((charts) => ({ [name]: { ...charts[name]!, ...change } }));
}

function changeAll(change: Partial<ChartSettings>): void {
  for (const name of Object.keys(useChartSettings.getState())) changeSettings(name, change);
}

/**
 * N − 1, the most that global normalization can inflate an agent's second moment when the team shares one outcome reward. Where
 * invocations are samples of their own, a task has more samples than rollouts and the bound is another in every task: none is drawn.
 */
function useBounds(): MetricBounds {
  const { groups, environment } = useShownSpec();
  const { groupSize } = groups;
  const hasBound = environment.kind !== 'planExecute';
  return useMemo(
    () =>
      hasBound
        ? { advSecondMoment: [{ value: groupSize - 1, label: `N − 1 = ${groupSize - 1}` }] }
        : {},
    [groupSize, hasBound],
  );
}

function RunChart({ name }: { readonly name: string }) {
  const settings = useChartSettings((charts) => charts[name]!);
  const series = useRun((state) => state.series);
  const revision = useRun((state) => state.revision);
  const isRunning = useRun((state) => state.phase === 'training');
  const emphasizedAgent = useAgentHighlight((state) => state.agent);
  const scope = useShownScope();
  const { iterations } = useShownSpec();
  const bounds = useBounds();
  const onChange = useCallback(
    (change: Partial<ChartSettings>) => changeSettings(name, change),
    [name],
  );
  return (
    <div className="chart-cell" data-width={settings.width}>
      <MetricChart
        settings={settings}
        onChange={onChange}
        series={series}
        revision={revision}
        isRunning={isRunning}
        scope={scope}
        plannedIterations={iterations}
        bounds={bounds}
        emphasizedAgent={emphasizedAgent}
        syncId={syncId}
      />
    </div>
  );
}

function Arms() {
  const series = useRun((state) => state.series);
  const revision = useRun((state) => state.revision);
  const emphasizedAgent = useAgentHighlight((state) => state.agent);
  return (
    <SummaryTable
      series={series}
      revision={revision}
      scope={useShownScope()}
      emphasizedAgent={emphasizedAgent}
    />
  );
}

/** The effect: norms per agent over success and over the second moment that explains the norms. */
export function RunCharts() {
  const settings = useChartSettings();
  return (
    <div className="charts">
      <ChartsToolbar settings={Object.values(settings)} onChangeAll={changeAll} />
      <RunChart name="norms" />
      <RunChart name="success" />
      <RunChart name="moments" />
      <Arms />
    </div>
  );
}

/** What explains the rest: how undecided, how fast, how often clipped. */
export function PolicyCharts() {
  return (
    <section className="policy-charts" aria-label="Policy charts">
      <RunChart name="entropy" />
      <RunChart name="kl" />
      <RunChart name="clipFraction" />
    </section>
  );
}

/** Any metric of the catalog, chosen under View. */
export function ChosenChart() {
  return (
    <section className="chosen" aria-label="Another metric">
      <h2>Another metric</h2>
      <RunChart name="chosen" />
    </section>
  );
}
