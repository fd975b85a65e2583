import { formatCount, formatNumber } from '../../metrics/format';
import type { TeamAgent, TeamEdge, TeamModel } from './teamModel';
import type { AgentNumbers } from './teamNumbers';

/** A team and its numbers in words and figures. */

/** Number of parameters by policy; without those that are not known. */
export type ParameterCounts = ReadonlyMap<string, number>;

/** Who calls whom and who shares what: the graph for those who do not see it. */
export function teamDescription(team: TeamModel, parameters: ParameterCounts): string {
  const calls = team.agents.map(({ agent }) => callsText(team, agent));
  const policies = team.groups.map(
    ({ policyId, agents, isFrozen }) =>
      `${listText(agents)} share ${policyText(policyId, isFrozen, parameters)}.`,
  );
  const shared = new Set(team.groups.flatMap(({ agents }) => agents));
  const own = team.agents
    .filter(({ agent }) => !shared.has(agent))
    .map(
      ({ agent, policyId, isFrozen }) =>
        `${agent} has ${policyText(policyId, isFrozen, parameters)} for itself.`,
    );
  return [`${team.firstAgent} begins.`, ...calls, ...policies, ...own]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** One agent’s part of it: whom it calls, who calls it, which policy it has. */
export function agentText(team: TeamModel, { agent, policyId, isFrozen }: TeamAgent): string {
  const callers = team.edges.filter(({ to }) => to === agent).map(({ from }) => from);
  const group = team.groups.find(({ agents }) => agents.includes(agent));
  const others = group?.agents.filter((member) => member !== agent) ?? [];
  const sharing = others.length > 0 ? `, shared with ${listText(others)}` : '';
  return [
    agent === team.firstAgent ? `${agent} begins.` : '',
    callsText(team, agent),
    callers.length > 0 ? `Called by ${listText(callers)}.` : '',
    `Its policy is ${policyId}${sharing}${isFrozen ? ', frozen' : ''}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function callsText({ edges, continuing }: TeamModel, agent: string): string {
  const calls = edges
    .filter(({ from }) => from === agent)
    .map(({ to, message }) => `${to} (${message})`);
  const alone = continuing.includes(agent) ? ['may go on alone'] : [];
  const parts = [...(calls.length > 0 ? [`hands over to ${listText(calls)}`] : []), ...alone];
  return parts.length > 0 ? `${agent} ${listText(parts)}.` : '';
}

function policyText(policyId: string, isFrozen: boolean, parameters: ParameterCounts): string {
  const count = parameters.get(policyId);
  const size = count === undefined ? '' : ` with ${formatCount(count)} parameters`;
  return `${isFrozen ? 'the frozen policy' : 'the policy'} ${policyId}${size}`;
}

function listText(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`;
}

/** Name over an outline, as short as one node is wide: `frozen policy search · 3.95k`, the last its number of parameters. */
export function groupLabel(
  { policyId, isFrozen }: Pick<TeamAgent, 'policyId' | 'isFrozen'>,
  parameters: ParameterCounts,
): string {
  const name = `${isFrozen ? 'frozen policy' : 'policy'} ${policyId}`;
  const count = parameters.get(policyId);
  return count === undefined ? name : `${name} · ${formatCount(count)}`;
}

/** What stands in a node where no norm does. */
export function policyNote(agent: TeamAgent, { groups }: TeamModel): string {
  if (agent.isFrozen) return 'frozen policy';
  if (groups.some(({ agents }) => agents.includes(agent.agent))) return 'shared policy';
  return agent.policyId === agent.agent ? 'own policy' : `policy ${agent.policyId}`;
}

/** A mean count as four characters, so that figures keep their place: 0.81, 12.3; then whole. */
export function formatPerEpisode(rate: number): string {
  if (rate < 9.995) return rate.toFixed(2);
  return rate < 99.95 ? rate.toFixed(1) : rate.toFixed(0);
}

/** The numbers of a node in words: what they are and over what they were taken. */
export function numbersText(numbers: AgentNumbers, arm: string, numSeeds: number): string {
  const { gradNorm, numSpikes, turnsPerEpisode } = numbers;
  const over = numSeeds === 1 ? 'its one seed' : `its ${numSeeds} seeds`;
  const parts = [
    gradNorm !== null &&
      `gradient norm ${formatNumber(gradNorm)} in the last iteration, median over ${over}`,
    numSpikes !== null && `${numSpikes} ${numSpikes === 1 ? 'spike' : 'spikes'} in all seeds`,
    turnsPerEpisode !== null && `${formatPerEpisode(turnsPerEpisode)} turns per episode`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? `Arm ${arm}: ${parts.join('; ')}.` : '';
}

/** What an edge means: `search to router, result: 0.81 per episode of arm global.` */
export function edgeText(
  { from, to, message }: TeamEdge,
  rate: number | null,
  arm: string,
): string {
  const use = rate === null ? '' : `: ${formatPerEpisode(rate)} per episode of arm ${arm}`;
  return `${from} to ${to}, ${message}${use}`;
}
