import { useDeferredValue, useId, useMemo } from 'react';
import {
  comparedArms,
  comparisonEstimates,
  type ArmEstimates,
  type ComparedArm,
} from '../../metrics/armComparison';
import { teamId, type RunScope } from '../../metrics/runSeries';
import { enoughSeeds } from '../../metrics/taskScores';
import { LineSample } from '../charts/LineSample';
import { agentColor } from '../charts/lineStyle';
import type { DrawnSeries } from '../charts/useScheduledRevision';
import { Icon } from '../icons';
import { pacedRevision } from '../statistics/pacedRevision';
import { tableIntervals } from '../statistics/statisticsText';
import {
  captionText,
  rowAgents,
  shownNumber,
  statisticLabels,
  statisticMeanings,
  type ComparisonStatistic,
  type MetricComparison,
} from './comparisonText';

interface ComparisonViewProps {
  /** A stable object. */
  readonly cell: MetricComparison;
  /** A new object when the numbers are to be worked out anew. */
  readonly drawn: DrawnSeries;
  /** Of the run. Stable object. */
  readonly scope: RunScope;
  /** Intervals then follow the run in steps of ten iterations. */
  readonly isTraining: boolean;
}

/** The arms side by side in one metric: where they end, how far they got, how sure that is. */
export function ComparisonView({ cell, drawn, scope, isTraining }: ComparisonViewProps) {
  const id = useId();
  const { metric, baseline } = cell;
  const request = useMemo(
    () => ({ metric, baseline, agents: rowAgents(metric, cell.agents, scope.agents) }),
    [metric, baseline, cell.agents, scope.agents],
  );
  const rows = useMemo(
    () => (drawn.revision > 0 ? comparedArms(drawn.series, scope, request) : []),
    [drawn, scope, request],
  );
  const estimates = useEstimates(cell, { drawn, scope, request, isTraining });
  if (rows.length === 0)
    return <p className="muted">The comparison begins with the first iteration.</p>;
  return (
    <div className="comparison">
      <p id={id} className="comparison-caption">
        {captionText(cell)}
        {!scope.arms.includes(baseline) && ` The run has no arm ${baseline}.`}
        <FewSeeds rows={rows} />
      </p>
      <section className="figures-table" aria-labelledby={id} {...reachable}>
        <table aria-labelledby={id}>
          <ComparisonHead statistics={cell.statistics} hasAgents={request.agents[0] !== teamId} />
          <tbody>
            {rows.map((row, index) => (
              <ComparisonRow
                key={`${row.agent}/${row.arm}`}
                row={row}
                estimates={estimates?.[index] ?? null}
                statistics={cell.statistics}
                scope={scope}
              />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

/** What scrolls has to be reachable by keyboard, although nothing in it can be pressed. */
const reachable = { tabIndex: 0 };

type Asked = Omit<ComparisonViewProps, 'cell'> & {
  readonly request: Parameters<typeof comparisonEstimates>[2];
};

/** In a task of their own, after the table; null while they belong to another table than the one on screen, or nobody asks. */
function useEstimates(
  { statistics }: MetricComparison,
  { drawn, scope, request, isTraining }: Asked,
): readonly ArmEstimates[] | null {
  const { series } = drawn;
  const revision = pacedRevision(drawn.revision, isTraining);
  const isAsked = statistics.includes('iqm') || statistics.includes('probabilityOfImprovement');
  const asked = useMemo(
    () => (isAsked && revision > 0 ? { series, revision, scope, request } : null),
    [series, revision, scope, request, isAsked],
  );
  const later = useDeferredValue(asked, null);
  const estimates = useMemo(
    () =>
      later === null
        ? null
        : comparisonEstimates(later.series, later.scope, later.request, tableIntervals),
    [later],
  );
  const isOfThisTable =
    later?.series === series && later.scope === scope && later.request === request;
  return isOfThisTable ? estimates : null;
}

/** Beside the caption, so that it is read whether or not N has a column. */
function FewSeeds({ rows }: { readonly rows: readonly ComparedArm[] }) {
  const fewest = Math.min(...rows.flatMap(({ numSeeds }) => (numSeeds > 0 ? [numSeeds] : [])));
  if (fewest >= enoughSeeds) return null;
  return (
    <span className="comparison-few">
      <Icon name="warning" />N = {fewest}, fewer than {enoughSeeds} seeds: differences may be
      chance.
    </span>
  );
}

interface HeadProps {
  readonly statistics: readonly ComparisonStatistic[];
  readonly hasAgents: boolean;
}

function ComparisonHead({ statistics, hasAgents }: HeadProps) {
  return (
    <thead>
      <tr>
        {hasAgents && <th scope="col">Agent</th>}
        <th scope="col" className="comparison-name">
          Arm
        </th>
        {statistics.map((statistic) => (
          <th scope="col" key={statistic} title={statisticMeanings[statistic]}>
            {statisticLabels[statistic]}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps {
  readonly row: ComparedArm;
  readonly estimates: ArmEstimates | null;
  readonly statistics: readonly ComparisonStatistic[];
  readonly scope: RunScope;
}

function ComparisonRow({ row, estimates, statistics, scope }: RowProps) {
  const { agent, arm } = row;
  return (
    <tr>
      {agent !== teamId && (
        <th scope="row">
          <span className="agent-dot" style={{ background: agentColor(scope.agents, agent) }} />
          {agent}
        </th>
      )}
      <th scope="row">
        <LineSample armIndex={scope.arms.indexOf(arm)} color="currentColor" /> {arm}
      </th>
      {statistics.map((statistic) => (
        <td key={statistic}>
          <Shown statistic={statistic} row={row} estimates={estimates} />
        </td>
      ))}
    </tr>
  );
}

type ShownProps = Pick<RowProps, 'row' | 'estimates'> & { readonly statistic: ComparisonStatistic };

function Shown({ statistic, row, estimates }: ShownProps) {
  const { text, iteration } = shownNumber(statistic, row, estimates);
  const { numSeeds, numLeftOut } = row;
  const hasNote = statistic === 'seeds' && numSeeds > 0 && numLeftOut > 0;
  return (
    <>
      {text}
      {iteration !== null && (
        <>
          {' '}
          <span className="summary-at">@{iteration}</span>
        </>
      )}
      {hasNote && (
        <span className="comparison-note" title={`${numLeftOut} without a finite value`}>
          {' '}
          ({numLeftOut} left out)
        </span>
      )}
    </>
  );
}
