import { dynamicSampling } from '../rl/dynamicSampling';
import { foldIn, threefry2x32, type Key } from '../rl/rng';
import type { ReplicaPlan } from './cohorts';
import { streamKey } from './randomStreams';
import type { Steps } from './steps';
import type { ReplicaBatch } from './learning';
import { lossFactors } from './lossFactors';
import { smallestStd } from './smallestStd';
import type { TurnToLearn } from './update';

/** [trajectories] minibatch of each: dealt in random order, so sizes differ by one at most. */
export function dealMinibatches(count: number, numMinibatches: number, key: Key): Int32Array {
  const rank = (trajectory: number): number => threefry2x32(foldIn(key, trajectory), [0, 0])[0];
  const order = Array.from({ length: count }, (_, trajectory) => trajectory).toSorted(
    (a, b) => rank(a) - rank(b) || a - b,
  );
  const minibatches = new Int32Array(count);
  for (const [position, trajectory] of order.entries())
    minibatches[trajectory] = position % numMinibatches;
  return minibatches;
}

/** [trajectories] 1 = takes part in the update. */
export function keptTrajectories({ training }: ReplicaPlan, { trajectories }: Steps): Uint8Array {
  const { loss, estimator } = training;
  if (!loss.dynamicSampling) return new Uint8Array(trajectories.length).fill(1);
  const rewards = Float64Array.from(trajectories, ({ teamReward }) => teamReward);
  const tasks = Int32Array.from(trajectories, ({ task }) => task);
  return dynamicSampling(rewards, tasks, smallestStd(estimator)).keep;
}

/** [agents] whether the agent's policy takes no steps. */
export function frozenAgents({ workflow, training }: ReplicaPlan): boolean[] {
  return workflow.spec.agents.map(
    (agent) => training.policies[training.agents[agent]!.policy]!.isFrozen,
  );
}

/** [S] whether the update learns from the step: neither dropped with its group or by an alignment, nor of a frozen agent. */
export function learnedSteps({
  replica,
  scored,
}: Pick<ReplicaBatch, 'replica' | 'scored'>): boolean[] {
  const kept = keptTrajectories(replica, scored);
  const isFrozen = frozenAgents(replica);
  return scored.turns.map(
    ({ agent }, step) =>
      kept[scored.trajectoryOf[step]!] !== 0 && !isFrozen[agent] && scored.weights[step] !== 0,
  );
}

/** Indices of the steps that the update learns from, ascending: the order of `itemsToLearn`. */
export function stepsToLearn(batch: Pick<ReplicaBatch, 'replica' | 'scored'>): number[] {
  const isLearned = learnedSteps(batch);
  return [...batch.scored.turns.keys()].filter((step) => isLearned[step]);
}

/** What one replica's policies learn from: its steps, less the groups that the loss drops, dealt into minibatches. */
export function itemsToLearn(batch: ReplicaBatch, iteration: number): TurnToLearn[] {
  const { replica, scored, oldLogprobs } = batch;
  const { numMinibatches } = replica.training.loss;
  const numTrajectories = scored.trajectories.length;
  const minibatches =
    numMinibatches === 1
      ? new Int32Array(numTrajectories)
      : dealMinibatches(
          numTrajectories,
          numMinibatches,
          streamKey(replica.seed, 'minibatches', iteration),
        );
  const steps = stepsToLearn(batch);
  const factors = lossFactors(batch, steps, minibatches);
  return steps.map((step, position) => ({
    replica: replica.index,
    turn: scored.turns[step]!,
    advantage: scored.advantages[step]!,
    minibatch: minibatches[scored.trajectoryOf[step]!]!,
    weight: scored.weights[step]!,
    oldLogprobs: oldLogprobs[step]!,
    lossFactors: factors[position]!,
  }));
}
