import { groupIndices, pairIndices } from './groupIndices';

/**
 * Loss weights that let every (task, agent) count equally, however often the agent acted: w ∝ 1/n_(task, agent), mean 1.
 * Dr. MAS repository (langfengQ/DrMAS, `balance_loss_by_agent_freq`). Both ids [S], weights [S], no unit.
 * A step of count c is c equal steps: n is the sum of the counts, and the mean counts them too. Ours; 1 each in the repository.
 * @param counts [S] > 0
 * Throws a RangeError on unequal lengths. No steps, no weights.
 */
export function lossBalanceWeights(
  taskIds: Int32Array,
  agentIds: Int32Array,
  counts: Float64Array = new Float64Array(taskIds.length).fill(1),
): Float64Array {
  if (taskIds.length !== agentIds.length)
    throw new RangeError(
      `taskIds has ${taskIds.length} entries, agentIds ${agentIds.length}: give one of each per step.`,
    );
  if (counts.length !== taskIds.length)
    throw new RangeError(
      `counts has ${counts.length} entries, taskIds ${taskIds.length}: give one of each per step.`,
    );
  const { indices, numGroups } = pairIndices(groupIndices(taskIds), groupIndices(agentIds));
  const totals = new Float64Array(numGroups);
  for (const [step, group] of indices.entries()) totals[group]! += counts[step]!;
  // Σ over steps of count/n is the number of groups, so the mean of 1/n is numGroups/Σ counts.
  const scale = totals.reduce((sum, total) => sum + total, 0) / numGroups;
  return Float64Array.from(indices, (group) => scale / totals[group]!);
}
