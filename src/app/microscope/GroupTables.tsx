import { formatNumber } from '../../metrics/format';
import { agentColor } from '../charts/lineStyle';
import { formatSigned } from '../rollouts/episodeText';
import type { GroupView } from './groupView';
import { scoresText } from './microscopeText';

interface GroupTableProps {
  readonly view: GroupView;
  /** Of the run, in the order of their colours. */
  readonly agents: readonly string[];
}

/** Rows beyond this are not drawn. */
const maxRows = 400;

/** What scrolls has to be reachable by keyboard. */
const reachable = { tabIndex: 0 };

/** Rollouts × agents: the scores of each agent's steps. */
export function RolloutsTable({ view, agents }: GroupTableProps) {
  const rows = view.rollouts.slice(0, maxRows);
  return (
    <section
      className="microscope-table microscope-tall"
      aria-label="Scores by rollout and agent"
      {...reachable}
    >
      <table>
        <caption>Scores of the steps, rollout by rollout</caption>
        <thead>
          <tr>
            <th scope="col">Rollout</th>
            {view.agents.map(({ agent }) => (
              <th key={agent} scope="col">
                <span className="agent-dot" style={{ background: agentColor(agents, agent) }} />
                {agent}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ rollout, scores }) => (
            <tr key={rollout}>
              <th scope="row">{rollout}</th>
              {view.agents.map(({ agent }, index) => (
                <td key={agent}>{scoresText(scores[index]!)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Rest numRows={view.rollouts.length} what="rollouts" />
    </section>
  );
}

/** Every step with what each normalizer gives it. */
export function StepsTable({ view, agents }: GroupTableProps) {
  const rows = view.steps.slice(0, maxRows);
  const hasWeights = view.steps.some(({ weight }) => weight !== 1);
  return (
    <section
      className="microscope-table microscope-tall"
      aria-label="Advantages by step"
      {...reachable}
    >
      <table>
        <caption>Advantage of every step under each normalizer</caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Score</th>
            {hasWeights && <th scope="col">Weight</th>}
            {view.columns.map(({ id, label, formula, isInUse }) => (
              <th key={id} scope="col" title={formula} data-used={isInUse}>
                {label}
                {isInUse && id !== 'inUse' && <span className="in-use">in use</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ rollout, turnIndex, agent, score, weight, isLearned }, step) => (
            <tr key={`${rollout} ${turnIndex} ${agent}`} data-unlearned={!isLearned}>
              <th scope="row">
                <span className="agent-dot" style={{ background: agentColor(agents, agent) }} />
                {agent}, rollout {rollout}, turn {turnIndex + 1}
                {!isLearned && <span className="muted"> not learned from</span>}
              </th>
              <td>{formatNumber(score)}</td>
              {hasWeights && <td>{formatNumber(weight)}</td>}
              {view.columns.map(({ id, isInUse, advantages }) => (
                <td key={id} data-used={isInUse}>
                  {formatSigned(advantages[step]!)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Rest numRows={view.steps.length} what="steps" />
    </section>
  );
}

function Rest({ numRows, what }: { readonly numRows: number; readonly what: string }) {
  if (numRows <= maxRows) return null;
  return (
    <p className="muted small">
      The first {maxRows} of {numRows} {what}; statistics and picture are of all.
    </p>
  );
}
