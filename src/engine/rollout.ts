import type { Call, TrajectoryRewards } from '../envs/workflow';
import type { PolicyApi, SampleCalls, SampledTurns } from '../protocol/policyApi';
import type { Key } from '../rl/rng';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import { turnKey } from './randomStreams';

/** One agent's move in an episode: what it read, what it wrote. */
export interface Turn {
  readonly agent: number;
  readonly turnIndex: number;
  readonly promptTokens: Int32Array;
  readonly actionTokens: Int32Array;
  /** [action length] under the policy that sampled it. Unit: nats. */
  readonly rolloutLogprobs: Float32Array;
  readonly isValid: boolean;
  /** ≥ 0; subtracted from this step's score only. */
  readonly penalty: number;
  readonly anchor: number;
  /** Invocation of a sub-agent that the turn belongs to; null for the main trajectory. */
  readonly invocation: number | null;
}

/** One episode. Trajectories with equal (replica, task) form a group. */
export interface Trajectory {
  readonly replica: number;
  readonly task: number;
  readonly turns: readonly Turn[];
  /** Outcome shared by the team, without penalties. */
  readonly teamReward: number;
  /** What main trajectory and invocations earned, where they earn different rewards; null = every turn earns the outcome. */
  readonly rewards: TrajectoryRewards | null;
}

/** What an episode starts from. */
export interface EpisodeStart {
  readonly replica: number;
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

/** A call that waits for its policy. */
interface Waiting {
  readonly episode: Episode;
  readonly call: Call;
  readonly slot: number;
}

/** Packs the waiting calls of one cohort into the arrays that cross to its worker. */
function toSampleCalls(waiting: readonly Waiting[], greedy: boolean): SampleCalls {
  const promptWidth = waiting.reduce((w, { call }) => Math.max(w, call.promptTokens.length), 1);
  const calls = {
    replicas: new Int32Array(waiting.length),
    promptTokens: new Int32Array(waiting.length * promptWidth),
    promptLengths: new Int32Array(waiting.length),
    promptWidth,
    actionLengths: new Int32Array(waiting.length),
    noiseKeys: new Uint32Array(2 * waiting.length),
    greedy,
  };
  for (const [row, { episode, call, slot }] of waiting.entries()) {
    calls.replicas[row] = slot;
    calls.promptTokens.set(call.promptTokens, row * promptWidth);
    calls.promptLengths[row] = call.promptTokens.length;
    calls.actionLengths[row] = call.actionLength;
    calls.noiseKeys.set(turnKey(episode.start.noiseKey, call.turnIndex, call.agent), 2 * row);
  }
  return calls;
}

/** Writes the sampled turns of one cohort into their episodes. */
function applyTurns(waiting: readonly Waiting[], sampled: SampledTurns): void {
  const width = sampled.actionTokens.length / waiting.length;
  for (const [row, { episode, call }] of waiting.entries()) {
    const [from, to] = [row * width, row * width + call.actionLength];
    const actionTokens = sampled.actionTokens.subarray(from, to);
    const outcome = episode.plan.workflow.apply(episode.state, call, actionTokens);
    episode.state = outcome.state;
    episode.turns.push({
      agent: call.agent,
      turnIndex: call.turnIndex,
      promptTokens: call.promptTokens,
      actionTokens,
      rolloutLogprobs: sampled.rolloutLogprobs.subarray(from, to),
      isValid: outcome.isValid,
      penalty: outcome.penalty,
      anchor: call.anchor,
      invocation: call.invocation ?? null,
    });
  }
}

/** The pending calls of all episodes, by cohort. */
function pendingByCohort(episodes: readonly Episode[]): Map<number, Waiting[]> {
  const byCohort = new Map<number, Waiting[]>();
  for (const episode of episodes)
    for (const call of episode.plan.workflow.pending(episode.state)) {
      const { cohort, slot } = episode.plan.seats[call.agent]!;
      const waiting = byCohort.get(cohort) ?? [];
      byCohort.set(cohort, waiting);
      waiting.push({ episode, call, slot });
    }
  return byCohort;
}

function begin({ replicas }: ExperimentPlan, starts: readonly EpisodeStart[]): Episode[] {
  return starts.map((start) => {
    const plan = replicas[start.replica]!;
    return { start, plan, turns: [], state: plan.workflow.reset(start.taskKey) };
  });
}

function toTrajectory({ start, plan, turns, state }: Episode): Trajectory {
  const { replica, task } = start;
  const { workflow } = plan;
  const rewards = workflow.rewards?.(state) ?? null;
  return { replica, task, turns, teamReward: workflow.teamReward(state), rewards };
}

/**
 * Plays all episodes together: in each wave the pending calls of one policy form one batch, and different policies sample at the
 * same time. The result depends on each episode's keys alone, not on who plays beside it.
 */
export async function playEpisodes(
  plan: ExperimentPlan,
  policies: readonly PolicyApi[],
  starts: readonly EpisodeStart[],
  greedy: boolean,
): Promise<Trajectory[]> {
  const episodes = begin(plan, starts);
  let waves = pendingByCohort(episodes);
  while (waves.size > 0) {
    const sampled = await Promise.all(
      Array.from(waves, async ([cohort, waiting]) => ({
        waiting,
        turns: await policies[cohort]!.sample(toSampleCalls(waiting, greedy)),
      })),
    );
    for (const { waiting, turns } of sampled) applyTurns(waiting, turns);
    const touched = new Set(
      sampled.flatMap(({ waiting }) => waiting.map(({ episode }) => episode)),
    );
    waves = pendingByCohort([...touched]);
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
        applyTurns([{ episode, call, slot: 0 }], {
          actionTokens,
          rolloutLogprobs: new Float32Array(actionTokens.length),
        });
      }
      calls = workflow.pending(episode.state);
    }
    return toTrajectory(episode);
  });
}
