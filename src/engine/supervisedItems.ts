import type { Trajectory } from './experience';
import type { TurnToLearn } from './update';

/** Turns to imitate: a supervised update reads no advantage and no old log-probability. */
export function supervisedItems(trajectories: readonly Trajectory[]): TurnToLearn[] {
  return trajectories.flatMap(({ replica, turns }) =>
    turns.map((turn) => ({
      replica,
      turn,
      advantage: 0,
      minibatch: 0,
      weight: 1,
      oldLogprobs: turn.rolloutLogprobs,
      lossFactors: null,
    })),
  );
}
