import type { PolicyApi } from '../protocol/policyApi';
import type { Key } from '../rl/rng';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import type { Trajectory, Turn } from './experience';
import { sampleWave, takeTurn, type WaitingCall } from './turnTaking';

/** What an episode starts from. */
export interface EpisodeStart {
  readonly replica: number;
  /** See `Trajectory.batch`. */
  readonly batch: number;
  readonly task: number;
  readonly taskKey: Key;
  readonly noiseKey: Key;
}

interface Episode {
  readonly start: EpisodeStart;
  readonly plan: ReplicaPlan;
  readonly turns: Turn[];
  state: unknown;
}

function begin({ replicas }: ExperimentPlan, starts: readonly EpisodeStart[]): Episode[] {
  return starts.map((start) => {
    const plan = replicas[start.replica]!;
    return { start, plan, turns: [], state: plan.workflow.reset(start.taskKey) };
  });
}

function toTrajectory({ start, plan, turns, state }: Episode): Trajectory {
  const { replica, batch, task } = start;
  const { workflow } = plan;
  const rewards = workflow.rewards?.(state) ?? null;
  return { replica, batch, task, turns, teamReward: workflow.teamReward(state), rewards };
}

function pendingCalls(episodes: Iterable<Episode>): WaitingCall<Episode>[] {
  return [...episodes].flatMap((owner) => {
    const { plan, state, start } = owner;
    return plan.workflow.pending(state).map((call) => {
      const { cohort, slot } = plan.seats[call.agent]!;
      return { owner, call, noiseKey: start.noiseKey, cohort, slot };
    });
  });
}

/**
 * Plays all episodes together, side by side. The result depends on each episode's keys alone, not on who plays beside it.
 * @returns in the order of `starts`
 */
export async function playEpisodes(
  plan: ExperimentPlan,
  policies: readonly PolicyApi[],
  starts: readonly EpisodeStart[],
  greedy: boolean,
): Promise<Trajectory[]> {
  const episodes = begin(plan, starts);
  for (let waiting = pendingCalls(episodes); waiting.length > 0;) {
    const answers = await sampleWave(policies, waiting, greedy);
    for (const { waiting: asked, written } of answers) {
      const { owner, call } = asked;
      const { state, turn } = takeTurn(owner.plan, owner.state, call, written);
      owner.state = state;
      owner.turns.push(turn);
    }
    waiting = pendingCalls(new Set(answers.map((answer) => answer.waiting.owner)));
  }
  return episodes.map(toTrajectory);
}

/** Plays all episodes by the world's scripted expert. Their logprobs are 0: a supervised update reads none. */
export function demonstrateEpisodes(
  plan: ExperimentPlan,
  starts: readonly EpisodeStart[],
): Trajectory[] {
  return begin(plan, starts).map((episode) => {
    const { workflow } = episode.plan;
    for (let calls = workflow.pending(episode.state); calls.length > 0;) {
      for (const call of calls) {
        const actionTokens = workflow.demonstrate(episode.state, call);
        const rolloutLogprobs = new Float32Array(actionTokens.length);
        const written = { actionTokens, rolloutLogprobs };
        const { state, turn } = takeTurn(episode.plan, episode.state, call, written);
        episode.state = state;
        episode.turns.push(turn);
      }
      calls = workflow.pending(episode.state);
    }
    return toTrajectory(episode);
  });
}
