import { describeTokens } from '../envs/transcript';
import type { Transcript } from '../protocol/trainerApi';
import type { ExperimentPlan } from './cohorts';
import type { Trajectory } from './experience';

/** A few episodes per arm as people read them: of the arm's first seed, one solved and one failed where there are both. */
export function sampleTranscripts(
  { replicas }: ExperimentPlan,
  trajectories: readonly Trajectory[],
  iteration: number,
): Transcript[] {
  const firstOfArm = new Map(replicas.toReversed().map((replica) => [replica.arm, replica]));
  return replicas
    .filter((replica) => firstOfArm.get(replica.arm) === replica)
    .flatMap(({ index, arm, seed, workflow: { spec } }) => {
      const own = trajectories.filter(({ replica }) => replica === index);
      const solved = own.find(({ teamReward }) => teamReward === 1);
      const failed = own.find(({ teamReward }) => teamReward !== 1);
      return [solved, failed].flatMap((trajectory) =>
        trajectory === undefined
          ? []
          : [
              {
                arm,
                seed,
                iteration,
                reward: trajectory.teamReward,
                turns: trajectory.turns.map((turn) => ({
                  agent: spec.agents[turn.agent]!,
                  prompt: describeTokens(spec, turn.promptTokens),
                  action: describeTokens(spec, turn.actionTokens),
                  isValid: turn.isValid,
                })),
              },
            ],
      );
    });
}
