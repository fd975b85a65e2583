import { Fragment, useMemo, useRef, useState } from 'react';
import { metricCatalog } from '../../metrics/catalog';
import { formatNumber } from '../../metrics/format';
import type { RunScope, RunSeries } from '../../metrics/runSeries';
import {
  summarizeRun,
  type ArmSummary,
  type Extreme,
  type NormSummary,
  type SeedSummary,
  type Spread,
} from '../../metrics/summary';
import { enoughSeeds } from '../../metrics/taskScores';
import { Icon } from '../icons';
import { agentColor } from './lineStyle';
import { LineSample } from './LineSample';
import { useScheduledRevision } from './useScheduledRevision';

interface SummaryTableProps {
  readonly series: RunSeries;
  readonly revision: number;
  /** Stable object. */
  readonly scope: RunScope;
  /** Agent pointed at elsewhere on the page: the columns of the others step back. */
  readonly emphasizedAgent?: string | null;
}

/** The arms side by side: success at the end and at its best, and how each agent's gradients behaved. */
export function SummaryTable({ series, revision, scope, emphasizedAgent }: SummaryTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useScheduledRevision({ series, revision }, frame, false);
  const summary = useMemo(() => summarizeRun(drawn.series, scope), [drawn, scope]);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (arm: string): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(arm)) next.add(arm);
      return next;
    });
  return (
    <section className="summary-table" aria-label="Arms compared" ref={frame} {...reachable}>
      <table>
        <caption>
          Medians over seeds @ the iteration they stood in; spikes of all seeds together.
        </caption>
        <SummaryHead
          success={summary.arms.some(isEvaluated) ? 'Evaluation success' : 'Training success'}
          agents={scope.agents}
          emphasizedAgent={emphasizedAgent ?? null}
        />
        <tbody>
          {summary.arms.map((arm, armIndex) => (
            <Fragment key={arm.arm}>
              <ArmRow
                summary={arm}
                armIndex={armIndex}
                agents={scope.agents}
                emphasizedAgent={emphasizedAgent ?? null}
                isOpen={open.has(arm.arm)}
                onToggle={() => toggle(arm.arm)}
              />
              {open.has(arm.arm) &&
                arm.seeds.map((seed) => (
                  <SeedRow
                    key={seed.seed}
                    summary={seed}
                    agents={scope.agents}
                    emphasizedAgent={emphasizedAgent ?? null}
                  />
                ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What scrolls has to be reachable by keyboard. */
const reachable = { tabIndex: 0 };

const collapseText = `Seeds in which an agent has collapsed: ${metricCatalog.collapsed.formula}`;

interface SummaryHeadProps {
  readonly success: string;
  readonly agents: readonly string[];
  readonly emphasizedAgent: string | null;
}

function SummaryHead({ success, agents, emphasizedAgent }: SummaryHeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={2}>
          Arm
        </th>
        <th scope="col" rowSpan={2}>
          N
        </th>
        <th scope="colgroup" colSpan={2}>
          {success}
        </th>
        <th scope="col" rowSpan={2} title={collapseText}>
          Collapsed
        </th>
        {agents.map((agent) => (
          <th
            key={agent}
            scope="colgroup"
            colSpan={2}
            data-dimmed={stepsBack(emphasizedAgent, agent)}
          >
            <span className="agent-dot" style={{ background: agentColor(agents, agent) }} />
            {agent}
          </th>
        ))}
      </tr>
      <tr>
        <th scope="col">last</th>
        <th scope="col">best</th>
        {agents.map((agent) => (
          <Fragment key={agent}>
            <th scope="col" data-dimmed={stepsBack(emphasizedAgent, agent)}>
              peak norm
            </th>
            <th scope="col" data-dimmed={stepsBack(emphasizedAgent, agent)}>
              ▲ spikes
            </th>
          </Fragment>
        ))}
      </tr>
    </thead>
  );
}

/** Another agent stands out. */
function stepsBack(emphasizedAgent: string | null, agent: string): boolean {
  return emphasizedAgent !== null && emphasizedAgent !== agent;
}

interface ArmRowProps {
  readonly summary: ArmSummary;
  readonly armIndex: number;
  readonly agents: readonly string[];
  readonly emphasizedAgent: string | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function ArmRow(props: ArmRowProps) {
  const { summary, armIndex, agents, emphasizedAgent, isOpen, onToggle } = props;
  const { arm, numSeeds, agents: norms } = summary;
  const success = successOf(summary);
  return (
    <tr className="summary-arm">
      <th scope="row">
        <button type="button" aria-expanded={isOpen} onClick={onToggle}>
          <span className="summary-arrow" aria-hidden="true" />
          <LineSample armIndex={armIndex} color="currentColor" />
          {arm}
        </button>
      </th>
      <td>
        {numSeeds}
        {numSeeds > 0 && numSeeds < enoughSeeds && <FewSeeds numSeeds={numSeeds} />}
      </td>
      <SpreadCell spread={success.last} />
      <SpreadCell spread={success.best} />
      <td data-none={summary.numCollapsed === 0}>{summary.numCollapsed}</td>
      {agents.map((agent) => (
        <Fragment key={agent}>
          <SpreadCell
            spread={norms[agent]?.peak ?? null}
            isDimmed={stepsBack(emphasizedAgent, agent)}
          />
          <SpikesCell norms={norms[agent]} isDimmed={stepsBack(emphasizedAgent, agent)} />
        </Fragment>
      ))}
    </tr>
  );
}

function FewSeeds({ numSeeds }: { readonly numSeeds: number }) {
  const text = `Only ${numSeeds} of at least ${enoughSeeds} seeds: differences between arms may be chance.`;
  return (
    <span className="few-seeds" title={text}>
      <Icon name="warning" />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

/** Evaluation where there is one, training rollouts otherwise. */
function successOf<Success extends { last: unknown }>(summary: {
  success: Success;
  evalSuccess: Success;
}): Success {
  return isEvaluated(summary) ? summary.evalSuccess : summary.success;
}

function isEvaluated({ evalSuccess }: { evalSuccess: { last: unknown } }): boolean {
  return evalSuccess.last !== null;
}

interface SeedRowProps {
  readonly summary: SeedSummary;
  readonly agents: readonly string[];
  readonly emphasizedAgent: string | null;
}

function SeedRow({ summary, agents, emphasizedAgent }: SeedRowProps) {
  const success = successOf(summary);
  return (
    <tr className="summary-seed">
      <th scope="row" colSpan={2}>
        seed {summary.seed}
      </th>
      <ExtremeCell extreme={success.last} />
      <ExtremeCell extreme={success.best} />
      <td>{summary.collapsedAt === null ? '–' : `@${summary.collapsedAt}`}</td>
      {agents.map((agent) => (
        <Fragment key={agent}>
          <ExtremeCell
            extreme={summary.agents[agent]?.peak ?? null}
            isDimmed={stepsBack(emphasizedAgent, agent)}
          />
          <SpikesCell norms={summary.agents[agent]} isDimmed={stepsBack(emphasizedAgent, agent)} />
        </Fragment>
      ))}
    </tr>
  );
}

interface CellProps {
  /** Of an agent that steps back. */
  readonly isDimmed?: boolean;
}

function SpreadCell({ spread, isDimmed = false }: CellProps & { readonly spread: Spread | null }) {
  if (spread === null) return <td data-dimmed={isDimmed}>–</td>;
  const { median, min, max, numSeeds, iteration } = spread;
  const span =
    numSeeds > 1 ? `${formatNumber(min)} to ${formatNumber(max)} over ${numSeeds} seeds` : '';
  return (
    <td title={span} data-dimmed={isDimmed}>
      <ValueAt value={median} iteration={iteration} />
    </td>
  );
}

function ExtremeCell({
  extreme,
  isDimmed = false,
}: CellProps & { readonly extreme: Extreme | null }) {
  if (extreme === null) return <td data-dimmed={isDimmed}>–</td>;
  return (
    <td data-dimmed={isDimmed}>
      <ValueAt {...extreme} />
    </td>
  );
}

function ValueAt({ value, iteration }: Extreme) {
  return (
    <>
      {formatNumber(value)} <span className="summary-at">@{iteration}</span>
    </>
  );
}

type NormCounts = Pick<NormSummary, 'numSpikes' | 'numNotFinite'> & { readonly peak: unknown };

/** A dash where no norm was logged: no spike in nothing is not the same as no spike. */
function SpikesCell({
  norms,
  isDimmed = false,
}: CellProps & { readonly norms: NormCounts | undefined }) {
  if (!norms || (norms.peak === null && norms.numNotFinite === 0))
    return <td data-dimmed={isDimmed}>–</td>;
  return (
    <td data-none={norms.numSpikes === 0} data-dimmed={isDimmed}>
      {norms.numNotFinite > 0 && (
        <span className="summary-note">{norms.numNotFinite} not finite, </span>
      )}
      {norms.numSpikes}
    </td>
  );
}
