import { groupIndices, pairIndices } from './groupIndices';

/**
 * Loss weights that let every (task, agent) count equally, however often the agent acted: w ∝ 1/n_(task, agent), mean 1.
 * Dr. MAS repository (langfengQ/DrMAS, `balance_loss_by_agent_freq`). Both ids [S], weights [S], no unit.
 * Throws a RangeError on unequal lengths. No steps, no weights.
 */
export function lossBalanceWeights(taskIds: Int32Array, agentIds: Int32Array): Float64Array {
  if (taskIds.length !== agentIds.length)
    throw new RangeError(
      `taskIds has ${taskIds.length} entries, agentIds ${agentIds.length}: give one of each per step.`,
    );
  const { indices, numGroups } = pairIndices(groupIndices(taskIds), groupIndices(agentIds));
  const counts = new Int32Array(numGroups);
  for (const group of indices) counts[group]!++;
  // Σ over steps of 1/n is the number of groups, so the mean of 1/n is numGroups/S.
  const scale = taskIds.length / numGroups;
  return Float64Array.from(indices, (group) => scale / counts[group]!);
}
