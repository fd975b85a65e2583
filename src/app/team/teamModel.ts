import type { TrainingSpec } from '../../config/experimentSpec';
import type { WorkflowSpec } from '../../envs/workflow';

/** A team as a graph: who there is, who is followed by whom, who shares a policy. Pure, without places or colours. */

export interface TeamAgent {
  readonly agent: string;
  readonly policyId: string;
  /** The policy stays as it is: no gradient, no updates. */
  readonly isFrozen: boolean;
}

export interface TeamEdge {
  readonly from: string;
  readonly to: string;
  /** What is handed over. */
  readonly message: string;
  /**
   * How often the edge was used in an episode follows from the turns of the agent it leads to: each of them came over this edge, but
   * for the first turn of the episode. Null where an agent is asked from several sides, so that its turns do not tell which one it was.
   */
  readonly count: { readonly turnsOf: string; readonly minusFirst: boolean } | null;
}

/** Agents that act and learn with the same weights. */
export interface PolicyGroup {
  readonly policyId: string;
  readonly isFrozen: boolean;
  /** At least two, in the order of the team. */
  readonly agents: readonly string[];
}

export interface TeamModel {
  readonly firstAgent: string;
  /** In the order of the experiment, which gives the colours. */
  readonly agents: readonly TeamAgent[];
  /** Between different agents. */
  readonly edges: readonly TeamEdge[];
  /** Agents that may take the next turn themselves. */
  readonly continuing: readonly string[];
  readonly groups: readonly PolicyGroup[];
}

type World = Pick<WorkflowSpec, 'agents' | 'firstAgent' | 'handovers'>;

/** The team of one training in its world. Throws RangeError where the world names an agent that the training does not have. */
export function teamModel(
  world: World,
  { agents: seats, policies }: Pick<TrainingSpec, 'agents' | 'policies'>,
): TeamModel {
  const agents = world.agents.map((agent): TeamAgent => {
    const policyId = seats[agent]?.policy;
    if (policyId === undefined)
      throw new RangeError(`Agent ${agent} has no policy: give it one under agents.${agent}.`);
    return { agent, policyId, isFrozen: policies[policyId]?.isFrozen ?? false };
  });
  const nameOf = (index: number): string => world.agents[index]!;
  return {
    firstAgent: nameOf(world.firstAgent),
    agents,
    edges: world.handovers
      .filter(({ from, to }) => from !== to)
      .map(({ from, to, message }) => ({
        from: nameOf(from),
        to: nameOf(to),
        message,
        count: isOnlyWayTo(world, to)
          ? { turnsOf: nameOf(to), minusFirst: to === world.firstAgent }
          : null,
      })),
    continuing: world.handovers.filter(({ from, to }) => from === to).map(({ to }) => nameOf(to)),
    groups: groupsOf(agents),
  };
}

function isOnlyWayTo({ handovers }: World, agent: number): boolean {
  return handovers.filter(({ to }) => to === agent).length === 1;
}

function groupsOf(agents: readonly TeamAgent[]): readonly PolicyGroup[] {
  const policyIds = [...new Set(agents.map(({ policyId }) => policyId))];
  return policyIds.flatMap((policyId) => {
    const members = agents.filter((agent) => agent.policyId === policyId);
    const [first] = members;
    if (first === undefined || members.length < 2) return [];
    return { policyId, isFrozen: first.isFrozen, agents: members.map(({ agent }) => agent) };
  });
}

/** Agents that an edge joins with `agent`, in either direction, each once. */
export function neighbours({ edges }: TeamModel, agent: string): readonly string[] {
  const found = edges.flatMap(({ from, to }) => {
    if (from === agent) return to;
    return to === agent ? from : [];
  });
  return [...new Set(found)];
}
