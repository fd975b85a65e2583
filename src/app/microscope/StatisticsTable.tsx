import { formatNumber } from '../../metrics/format';
import { highlightAgent, useAgentHighlight } from '../agentHighlight';
import { agentColor } from '../charts/lineStyle';
import type { AgentView, GroupView, Moments } from './groupView';
import type { LoggedMoments } from './logged';
import { definedText } from './microscopeText';

interface StatisticsTableProps {
  readonly view: GroupView;
  /** Of the run, in the order of their colours. */
  readonly agents: readonly string[];
  /** [agents of the view] of the whole iteration. */
  readonly logged: readonly LoggedMoments[];
}

/** The group's statistics, and for each agent the inflation that they predict beside what each normalizer gives. */
export function StatisticsTable({ view, agents, logged }: StatisticsTableProps) {
  return (
    <section className="microscope-table" aria-label="Statistics of the group" {...reachable}>
      <table>
        <StatisticsHead view={view} />
        <tbody>
          <GlobalRow label="Trajectories: μ, σ" moments={view.trajectory} />
          <GlobalRow label="Steps" moments={view.step} />
          {view.agents.map((agent, index) => (
            <AgentRow
              key={agent.agent}
              agent={agent}
              view={view}
              agents={agents}
              logged={logged[index]!}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What scrolls has to be reachable by keyboard. */
const reachable = { tabIndex: 0 };

function StatisticsHead({ view: { columns } }: Pick<StatisticsTableProps, 'view'>) {
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={2}>
          <span className="visually-hidden">Over</span>
        </th>
        <th scope="colgroup" colSpan={4}>
          Scores
        </th>
        <th scope="colgroup" colSpan={columns.length + 1}>
          Second moment E[A²], this group
        </th>
        <th scope="colgroup" colSpan={2}>
          Whole iteration, logged
        </th>
      </tr>
      <tr>
        <th scope="col" title="Trajectories, or steps of the agent">
          n
        </th>
        <th scope="col">mean</th>
        <th scope="col">std</th>
        <th scope="col" title="μₖ − μ, μ over trajectories">
          μₖ − μ
        </th>
        <th scope="col" title="(σₖ² + (μₖ − μ)²)/σ², population stds (Dr. MAS, Lemma 4.2)">
          predicted
        </th>
        {columns.map(({ id, label, formula, isInUse }) => (
          <th key={id} scope="col" title={formula} data-used={isInUse}>
            {label}
            {isInUse && id !== 'inUse' && <span className="in-use">in use</span>}
          </th>
        ))}
        <th scope="col">predicted</th>
        <th scope="col" title="Of the advantages in use">
          measured
        </th>
      </tr>
    </thead>
  );
}

interface GlobalRowProps {
  readonly label: string;
  readonly moments: Moments;
}

function GlobalRow({ label, moments: { numSamples, mean, std } }: GlobalRowProps) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{numSamples}</td>
      <td>{definedText(mean)}</td>
      <td>{definedText(std)}</td>
    </tr>
  );
}

interface AgentRowProps {
  readonly agent: AgentView;
  readonly view: GroupView;
  readonly agents: readonly string[];
  readonly logged: LoggedMoments;
}

function AgentRow({ agent: own, view, agents, logged }: AgentRowProps) {
  const { agent, numSamples, mean, std, predicted, secondMoments } = own;
  const highlighted = useAgentHighlight((state) => state.agent);
  return (
    <tr
      data-dimmed={highlighted !== null && highlighted !== agent}
      onPointerEnter={() => highlightAgent(agent)}
      onPointerLeave={() => highlightAgent(null)}
    >
      <th scope="row">
        <span className="agent-dot" style={{ background: agentColor(agents, agent) }} />
        {agent}
      </th>
      <td>{numSamples}</td>
      <td>{definedText(mean)}</td>
      <td>{definedText(std)}</td>
      <td>{definedText(mean - view.trajectory.mean)}</td>
      <td>{definedText(predicted)}</td>
      {view.columns.map(({ id, isInUse }, column) => (
        <td key={id} data-used={isInUse}>
          {definedText(secondMoments[column]!)}
        </td>
      ))}
      <td>{definedText(logged.predicted)}</td>
      <td>{Number.isNaN(logged.measured) ? '–' : formatNumber(logged.measured)}</td>
    </tr>
  );
}
