import { dynamicSampling } from '../rl/dynamicSampling';
import { foldIn, threefry2x32, type Key } from '../rl/rng';
import type { ScoredSteps } from './advantages';
import type { ReplicaPlan } from './cohorts';
import { streamKey } from './randomStreams';
import type { Trajectory } from './rollout';
import { smallestStd } from './smallestStd';
import type { TurnToLearn } from './update';

/** One replica's rollouts with their advantages. */
interface ReplicaRollouts {
  readonly replica: ReplicaPlan;
  readonly own: readonly Trajectory[];
  readonly scored: ScoredSteps;
}

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
function keptTrajectories({ replica, own }: ReplicaRollouts): Uint8Array {
  const { loss, estimator } = replica.training;
  if (!loss.dynamicSampling) return new Uint8Array(own.length).fill(1);
  const rewards = Float64Array.from(own, ({ teamReward }) => teamReward);
  const tasks = Int32Array.from(own, ({ task }) => task);
  return dynamicSampling(rewards, tasks, smallestStd(estimator)).keep;
}

/** [agents] whether the agent's policy takes no steps. */
function frozenAgents({ workflow, training }: ReplicaPlan): boolean[] {
  return workflow.spec.agents.map(
    (agent) => training.policies[training.agents[agent]!.policy]!.isFrozen,
  );
}

/** What one replica's policies learn from: its steps, less the groups that the loss drops, dealt into minibatches. */
export function itemsToLearn(rollouts: ReplicaRollouts, iteration: number): TurnToLearn[] {
  const { replica, own, scored } = rollouts;
  const kept = keptTrajectories(rollouts);
  const { numMinibatches } = replica.training.loss;
  const minibatches =
    numMinibatches === 1
      ? new Int32Array(own.length)
      : dealMinibatches(
          own.length,
          numMinibatches,
          streamKey(replica.seed, 'minibatches', iteration),
        );
  const isFrozen = frozenAgents(replica);
  return scored.turns.flatMap((turn, step) => {
    const trajectory = scored.trajectoryOf[step]!;
    const weight = scored.weights[step]!;
    if (kept[trajectory] === 0 || isFrozen[turn.agent] || weight === 0) return [];
    return [
      {
        replica: replica.index,
        turn,
        advantage: scored.result.advantages[step]!,
        minibatch: minibatches[trajectory]!,
        weight,
      },
    ];
  });
}
