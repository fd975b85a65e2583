import type { GroupAdvantages } from './groupAdvantages';
import { groupIndices, pairIndices, type GroupIndices } from './groupIndices';

/** How much signal the groups gave one agent. NaN where the agent has no group with a finite score. */
export interface AgentGroupFractions {
  /** 0..1: share of the agent's groups whose std is 0 or below `minStd`. */
  readonly zeroStdGroupFraction: number;
  /** 0..1: share of the agent's groups with one sample. */
  readonly singletonFraction: number;
}

/**
 * Shares of groups without signal, per agent. A group is an agent's if the agent has a step in it, so under scope `task` a group
 * belongs to several agents. Spread is judged on the groups behind the divisor, size on those behind the baseline.
 * `agentIds` [S] of 0 … numAgents − 1; throws a RangeError on any other id.
 */
export function agentGroupFractions(
  result: GroupAdvantages,
  agentIds: Int32Array,
  numAgents: number,
  minStd: number,
): AgentGroupFractions[] {
  assertAgentIds(agentIds, numAgents);
  const { stds } = result.scale;
  const { numSamples } = result.center;
  const isFlat = (group: number): boolean => stds[group] === 0 || stds[group]! < minStd;
  const zeroStd = shares(agentIds, numAgents, {
    groups: result.scale.groupIndices,
    isCounted: (group) => !Number.isNaN(stds[group]!),
    hasProperty: isFlat,
  });
  const singleton = shares(agentIds, numAgents, {
    groups: result.center.groupIndices,
    isCounted: (group) => numSamples[group]! > 0,
    hasProperty: (group) => numSamples[group] === 1,
  });
  return zeroStd.map((zeroStdGroupFraction, agent) => ({
    zeroStdGroupFraction,
    singletonFraction: singleton[agent]!,
  }));
}

/** Throws a RangeError unless every id is one of 0 … numAgents − 1. */
export function assertAgentIds(agentIds: Int32Array, numAgents: number): void {
  for (const id of agentIds)
    if (id < 0 || id >= numAgents)
      throw new RangeError(
        `agentIds holds ${id}, but there are ${numAgents} agents: number them from 0 to ${numAgents - 1}.`,
      );
}

interface Question {
  /** [S] */
  readonly groups: Int32Array;
  readonly isCounted: (group: number) => boolean;
  readonly hasProperty: (group: number) => boolean;
}

/** [numAgents] share of the agent's counted groups that have the property. */
function shares(agentIds: Int32Array, numAgents: number, question: Question): number[] {
  const pairs: GroupIndices = pairIndices(groupIndices(question.groups), groupIndices(agentIds));
  const counted = new Int32Array(numAgents);
  const having = new Int32Array(numAgents);
  let numSeen = 0;
  for (let step = 0; step < agentIds.length; step++) {
    // Pairs are numbered by first appearance: a new one has the next number.
    if (pairs.indices[step] !== numSeen) continue;
    numSeen++;
    const group = question.groups[step]!;
    if (!question.isCounted(group)) continue;
    counted[agentIds[step]!]!++;
    if (question.hasProperty(group)) having[agentIds[step]!]!++;
  }
  return Array.from(counted, (count, agent) => having[agent]! / count);
}
