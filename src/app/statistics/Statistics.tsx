import { useDeferredValue, useMemo, useState } from 'react';
import {
  armEfficiency,
  armProfile,
  armStatistics,
  type ArmStatistics,
  type StatisticsRequest,
} from '../../metrics/armStatistics';
import { metricCatalog } from '../../metrics/catalog';
import { counterUniform } from '../../metrics/counterUniform';
import { points, teamId, type RunScope, type RunSeries } from '../../metrics/runSeries';
import type { ScoreKind } from '../../metrics/seedScores';
import { enoughSeeds } from '../../metrics/taskScores';
import type { DrawnSeries } from '../charts/useScheduledRevision';
import { Choice, namedAsIs } from '../Choice';
import { HelpButton } from '../HelpButton';
import { Icon } from '../icons';
import { Curves, type Curve } from './Curves';
import {
  caption,
  columns,
  explainColumns,
  scoreNames,
  scores,
  tableIntervals,
} from './statisticsText';

/** Intervals of a curve are as wide as a line: fewer draws do. */
const curve = { level: 0.95, numResamples: 200, uniform: counterUniform(0) };

const metrics = ['evalSuccess', 'success'] as const;
type ScoredMetric = (typeof metrics)[number];

interface StatisticsProps {
  /** A new object when the numbers are to be worked out anew. */
  readonly drawn: DrawnSeries;
  readonly scope: RunScope;
}

function isLogged(series: RunSeries, { arms, seeds }: RunScope, metric: ScoredMetric): boolean {
  return arms.some((arm) =>
    seeds.some((seed) => points(series, { arm, seed, agent: teamId, metric }).values.length > 0),
  );
}

/** What a reader can choose; what is left open follows the run. */
interface Chosen {
  readonly metric: ScoredMetric | null;
  readonly score: ScoreKind;
  readonly baseline: string | null;
}

/** The arms as methods: aggregates over seeds with intervals, who is better, and how they get there. */
export function Statistics({ drawn, scope }: StatisticsProps) {
  const { series } = drawn;
  // In a task of their own, after the table.
  const later = useDeferredValue<DrawnSeries | null>(drawn, null);
  const [chosen, setChosen] = useState<Chosen>({ metric: null, score: 'last', baseline: null });
  const metric =
    chosen.metric ?? (isLogged(series, scope, 'evalSuccess') ? 'evalSuccess' : 'success');
  const isThere = chosen.baseline !== null && scope.arms.includes(chosen.baseline);
  const baseline = isThere ? chosen.baseline : scope.arms[0]!;
  const { score } = chosen;
  const request = useMemo(() => ({ metric, score, baseline }), [metric, score, baseline]);
  const rows = useMemo(
    () => (drawn.revision > 0 ? armStatistics(drawn.series, scope, request, tableIntervals) : []),
    [drawn, scope, request],
  );
  const change = (next: Partial<Chosen>): void => setChosen((before) => ({ ...before, ...next }));
  return (
    <div className="statistics">
      <div className="statistics-head">
        <Choice
          className="view-control"
          label="Score"
          value={metric}
          options={metrics.map((option) => [option, metricCatalog[option].label])}
          onChoose={(next) => change({ metric: next })}
        />
        <Choice
          className="view-control"
          label="Taken"
          value={score}
          options={scores.map((option) => [option, scoreNames[option]])}
          onChoose={(next) => change({ score: next })}
        />
        <Choice
          className="view-control"
          label="Compared with"
          value={baseline}
          options={namedAsIs(scope.arms)}
          onChoose={(next) => change({ baseline: next })}
        />
        <HelpButton subject="Statistics" text={explainColumns()} />
      </div>
      {rows.length === 0 ? (
        <p className="muted">Statistics begin with the first iteration.</p>
      ) : (
        <>
          <StatisticsTable rows={rows} />
          {later !== null && <ArmCurves drawn={later} scope={scope} request={request} />}
        </>
      )}
    </div>
  );
}

/** What scrolls has to be reachable by keyboard, although nothing in it can be pressed. */
const reachable = { tabIndex: 0 };

function StatisticsTable({ rows }: { readonly rows: readonly ArmStatistics[] }) {
  return (
    <section className="figures-table" aria-label="Table of Statistics" {...reachable}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Arm</th>
            <th scope="col">N</th>
            {columns.map(({ label, meaning }) => (
              <th scope="col" key={label} title={meaning}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.arm}>
              <th scope="row">{row.arm}</th>
              <td>
                <SeedCount row={row} />
              </td>
              {columns.map(({ label, of }) => (
                <td key={label}>{of(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** N, with what a reader has to know of it. */
function SeedCount({ row: { numSeeds, numLeftOut } }: { readonly row: ArmStatistics }) {
  const warnings = [
    numSeeds < enoughSeeds && `Fewer than ${enoughSeeds} seeds: the intervals say little.`,
    numLeftOut > 0 && `${numLeftOut} without a finite score are left out.`,
  ].filter((warning) => warning !== false);
  if (warnings.length === 0) return numSeeds;
  return (
    <span title={warnings.join(' ')}>
      {numSeeds} <Icon name="warning" />
      <span className="visually-hidden">{warnings.join(' ')}</span>
    </span>
  );
}

interface ArmCurvesProps extends StatisticsProps {
  readonly request: StatisticsRequest;
}

function ArmCurves({ drawn, scope, request }: ArmCurvesProps) {
  const { profiles, efficiencies } = useMemo(
    () => curvesOf(drawn.series, scope, request),
    [drawn, scope, request],
  );
  return (
    <div className="statistics-curves">
      <Curves name="Share of seeds that score above" xName="score" curves={profiles} />
      <Curves name="Interquartile mean over the run" xName="iteration" curves={efficiencies} />
    </div>
  );
}

function curvesOf(
  series: RunSeries,
  scope: RunScope,
  request: StatisticsRequest,
): { readonly profiles: readonly Curve[]; readonly efficiencies: readonly Curve[] } {
  const arms = [...scope.arms.entries()];
  const profiles = arms.flatMap(([armIndex, arm]): Curve[] => {
    const profile = armProfile(series, scope, { ...request, arm }, curve);
    if (profile === null) return [];
    const { taus: xs, shares: values, low, high } = profile;
    return [{ arm, armIndex, xs, values, low, high }];
  });
  const efficiencies = arms.map(([armIndex, arm]): Curve => {
    const { metric } = request;
    const {
      xs,
      estimates: values,
      low,
      high,
    } = armEfficiency(series, scope, { arm, metric }, curve);
    return { arm, armIndex, xs, values, low, high };
  });
  return { profiles, efficiencies };
}
