import { squareShares, type WeightedAdvantages } from '../rl/squareShares';
import { learnedSteps } from './itemsToLearn';
import type { ReplicaBatch } from './learning';

/** Which episodes stand behind the spikes of an iteration. */

/** Most episodes for one spike, and for all spikes of the replicas that learn together; of every spike one at least. */
export const maxEpisodesPerSpike = 8;
export const maxSpikeEpisodes = 24;

/** One replica's batch, and the agents whose norm spiked on it. */
export interface SpikingBatch {
  readonly batch: Pick<ReplicaBatch, 'replica' | 'scored'>;
  /** Indices. */
  readonly agents: readonly number[];
}

/**
 * Trajectories of the task that has the largest part of the agent's Σ w·A², those with the largest part of it first. The share is a
 * proxy for the share of the gradient, see `squareShares`. Empty where no advantage differs from 0.
 */
function contributingTrajectories({ batch }: SpikingBatch, agent: number): number[] {
  const { scored } = batch;
  const { trajectories, trajectoryOf, turns, advantages, weights } = scored;
  const steps: WeightedAdvantages = {
    advantages,
    weights,
    agentIds: turns.map((turn) => turn.agent),
    isLearned: Uint8Array.from(learnedSteps(batch), Number),
  };
  const taskOf = Array.from(trajectoryOf, (trajectory) => trajectories[trajectory]!.task);
  const [first] = squareShares(steps, taskOf, agent);
  return squareShares(steps, trajectoryOf, agent)
    .filter(({ id, squares }) => trajectories[id]!.task === first?.id && squares > 0)
    .map(({ id }) => id);
}

/**
 * For each batch the trajectories to tell because of a spike, each with the agents that it is told for. Places are dealt in rounds:
 * first the trajectory with the largest share of every spike, then the second one of each, and so on.
 */
export function spikeEpisodes(batches: readonly SpikingBatch[]): Map<number, number[]>[] {
  const chosen = batches.map(() => new Map<number, number[]>());
  const queues = batches.flatMap((spiking, index) =>
    spiking.agents.map((agent) => ({
      agent,
      of: chosen[index]!,
      trajectories: contributingTrajectories(spiking, agent),
    })),
  );
  let numTold = 0;
  for (let round = 0; round < maxEpisodesPerSpike; round++)
    for (const { agent, of, trajectories } of queues) {
      const trajectory = trajectories[round];
      if (trajectory === undefined || (round > 0 && numTold >= maxSpikeEpisodes)) continue;
      if (!of.has(trajectory)) numTold += 1;
      of.set(trajectory, [...(of.get(trajectory) ?? []), agent]);
    }
  return chosen;
}
