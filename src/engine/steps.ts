import { overlongPenalty } from '../rl/overlongPenalty';
import type { ReplicaPlan } from './cohorts';
import type { Trajectory, Turn } from './experience';

/** One replica's steps in the order of its trajectories. Axis S. */
export interface Steps {
  readonly trajectories: readonly Trajectory[];
  /** [trajectories] the team's reward, less what the episode loses for its length. Unit: reward. */
  readonly teamRewards: Float64Array;
  /** [S] */
  readonly turns: readonly Turn[];
  /** [S] index of the trajectory among `trajectories`. */
  readonly trajectoryOf: Int32Array;
  /** [S] main trajectories and invocations numbered alike, in order of first use: each is one sample of the unit `trajectory`. */
  readonly sampleOf: Int32Array;
  /** [S] what the step's sample earned, the step's own penalty not subtracted. Unit: reward. */
  readonly sampleRewards: Float64Array;
  /** [S] what the step itself costs: its penalty, and its part of a KL penalty in the reward. Unit: reward. */
  readonly stepCosts: Float64Array;
}

/** What a turn's sample earned. */
function rewardOf({ teamReward, rewards }: Trajectory, turn: Turn): number {
  if (turn.branchReward !== null) return turn.branchReward;
  if (rewards === null) return teamReward;
  if (turn.invocation === null) return rewards.main;
  const found = rewards.invocations.find(
    ({ agent, invocation }) => agent === turn.agent && invocation === turn.invocation,
  );
  if (found === undefined)
    throw new Error(
      `Invocation ${turn.invocation} of agent ${turn.agent} took a turn but earned no reward: the world must name one.`,
    );
  return found.reward;
}

/** Numbers samples in order of first use. */
function sampleNumbers(): (trajectory: number, turn: Turn) => number {
  const numbers = new Map<string, number>();
  return (trajectory, { agent, invocation }) => {
    const key = invocation === null ? `${trajectory}` : `${trajectory} ${agent} ${invocation}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  };
}

/** ≤ 0: what an episode loses for its length. Unit: reward. */
function overlongReward({ workflow, training: { loss } }: ReplicaPlan, numTurns: number): number {
  if (loss.overlongTurns === 0) return 0;
  return overlongPenalty(numTurns, {
    maxTokens: workflow.spec.maxTurns,
    cacheTokens: loss.overlongTurns,
    maxPenalty: loss.overlongPenalty,
  });
}

/** Flattens one replica's trajectories. */
export function stepsOf(plan: ReplicaPlan, trajectories: readonly Trajectory[]): Steps {
  const turns = trajectories.flatMap((trajectory) => trajectory.turns);
  const trajectoryOf = new Int32Array(turns.length);
  const sampleOf = new Int32Array(turns.length);
  const sampleRewards = new Float64Array(turns.length);
  const teamRewards = new Float64Array(trajectories.length);
  const numberOf = sampleNumbers();
  let step = 0;
  for (const [index, trajectory] of trajectories.entries()) {
    const overlong = overlongReward(plan, trajectory.turns.length);
    teamRewards[index] = trajectory.teamReward + overlong;
    for (const turn of trajectory.turns) {
      trajectoryOf[step] = index;
      sampleOf[step] = numberOf(index, turn);
      sampleRewards[step] = rewardOf(trajectory, turn) + overlong;
      step++;
    }
  }
  const stepCosts = Float64Array.from(turns, ({ penalty }) => penalty);
  return { trajectories, teamRewards, turns, trajectoryOf, sampleOf, sampleRewards, stepCosts };
}

/** The steps with what each costs on top, such as its part of a KL penalty. `costs`: [S]. */
export function withStepCosts(steps: Steps, costs: Float64Array): Steps {
  return { ...steps, stepCosts: steps.stepCosts.map((cost, step) => cost + costs[step]!) };
}

/**
 * [S] what each step itself brought: minus its own cost, and at the last step of its sample what the sample earned, so that the
 * steps of a sample sum to its return.
 */
export function ownRewards({ sampleOf, sampleRewards, stepCosts }: Steps): Float64Array {
  const rewards = stepCosts.map((cost) => 0 - cost);
  const lastOf = new Map<number, number>();
  for (const [step, sample] of sampleOf.entries()) lastOf.set(sample, step);
  for (const step of lastOf.values()) rewards[step]! += sampleRewards[step]!;
  return rewards;
}
