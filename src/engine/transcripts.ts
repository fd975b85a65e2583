import { describeTokens, tokenNames } from '../envs/transcript';
import type { EpisodeBlame, Transcript, TranscriptTurn } from '../protocol/trainerApi';
import type { ReplicaPlan } from './cohorts';
import { isSolved, type Trajectory } from './experience';
import { learnedSteps } from './itemsToLearn';
import type { ReplicaBatch } from './learning';
import { streamKey } from './randomStreams';

/** Episodes as people read them: a bounded sample of what an iteration learned from, and those behind its spikes. */

/** Most episodes an iteration, all replicas together: some hundred kB of the page's memory in twenty iterations. */
export const maxTranscripts = 24;

type Batch = Pick<ReplicaBatch, 'replica' | 'scored'>;

/**
 * Episodes that a replica may show. Where there are more replicas than places they take turns, iteration by iteration, so
 * that every arm and seed is seen.
 */
export function placesOf(replica: number, numReplicas: number, iteration: number): number {
  if (numReplicas <= maxTranscripts) return Math.floor(maxTranscripts / numReplicas);
  const position = (replica + (iteration - 1) * maxTranscripts) % numReplicas;
  // Places are dealt in a circle, so those of this iteration lie next to those of the last.
  return position < maxTranscripts ? 1 : 0;
}

/**
 * `places` indices into one replica's trajectories, in their order: half of them successes and half failures, or what there is.
 * The odd one is a success in even iterations and a failure in odd ones.
 */
export function chosenEpisodes(
  trajectories: readonly Pick<Trajectory, 'teamReward'>[],
  places: number,
  iteration: number,
): number[] {
  const indices = [...trajectories.keys()];
  const solved = indices.filter((index) => isSolved(trajectories[index]!));
  const failed = indices.filter((index) => !isSolved(trajectories[index]!));
  const half = iteration % 2 === 0 ? Math.ceil(places / 2) : Math.floor(places / 2);
  const numSolved = Math.min(solved.length, Math.max(half, places - failed.length));
  return [...solved.slice(0, numSolved), ...failed.slice(0, places - numSolved)].toSorted(
    (a, b) => a - b,
  );
}

/** The start of a task in words, from the world itself: in a tree no single trajectory need begin there. */
function taskStart({ workflow, seed }: ReplicaPlan, { batch, task }: Trajectory): string {
  const state = workflow.reset(streamKey(seed, 'trainingTask', batch, task));
  const [call] = workflow.pending(state);
  return call === undefined ? '' : describeTokens(workflow.spec, workflow.stateTokens(state, call));
}

/** [trajectories] of the steps' first index. */
function firstSteps(trajectories: readonly Trajectory[]): number[] {
  let next = 0;
  return trajectories.map(({ turns }) => {
    next += turns.length;
    return next - turns.length;
  });
}

function turnsOf(
  { replica, scored }: Batch,
  isLearned: readonly boolean[],
  steps: readonly number[],
): TranscriptTurn[] {
  const { spec } = replica.workflow;
  return steps.map((step) => {
    const turn = scored.turns[step]!;
    return {
      agent: spec.agents[turn.agent]!,
      turnIndex: turn.turnIndex,
      invocation: turn.invocation,
      promptTokens: tokenNames(
        spec,
        turn.promptTokens.filter((token) => token !== 0),
      ),
      actionTokens: tokenNames(spec, turn.actionTokens),
      rolloutLogprobs: [...turn.rolloutLogprobs],
      isValid: turn.isValid,
      penalty: turn.penalty,
      reward: scored.scores.rewards[step]!,
      advantage: scored.advantages[step]!,
      isLearned: isLearned[step]!,
    };
  });
}

/** Where an episode comes from, and why it is told. */
interface Told {
  /** Indices of trajectories, each with the agents whose spike it is told for. */
  readonly forSpikes: ReadonlyMap<number, readonly number[]>;
  /** By index of trajectory, of those that were measured. */
  readonly blames: ReadonlyMap<number, EpisodeBlame>;
  /** In the plain sample. */
  readonly places: number;
}

function transcriptsOf(
  batch: Batch,
  { places, forSpikes, blames }: Told,
  iteration: number,
): Transcript[] {
  const { replica, scored } = batch;
  const { trajectories } = scored;
  const isLearned = learnedSteps(batch);
  const starts = firstSteps(trajectories);
  const sample = chosenEpisodes(trajectories, places, iteration);
  const chosen = [...new Set([...sample, ...forSpikes.keys()])].toSorted((a, b) => a - b);
  return chosen.map((index) => {
    const trajectory = trajectories[index]!;
    const { task, teamReward, turns } = trajectory;
    const before = trajectories.slice(0, index);
    return {
      arm: replica.arm,
      seed: replica.seed,
      iteration,
      task,
      taskStart: taskStart(replica, trajectory),
      rollout: before.filter((other) => other.task === task).length,
      turns: turnsOf(
        batch,
        isLearned,
        turns.map((_, place) => starts[index]! + place),
      ),
      teamReward,
      isSolved: isSolved(trajectory),
      spikingAgents: (forSpikes.get(index) ?? []).map(
        (agent) => replica.workflow.spec.agents[agent]!,
      ),
      blame: blames.get(index) ?? null,
    };
  });
}

/**
 * At most `maxTranscripts` episodes of an iteration, by a rule without chance, and those that stand behind spikes.
 * @param replicas all of the experiment, also those whose batches come from elsewhere
 * @param measured spiking trajectories by batch, as `spikeEpisodes` gives them; and blame by replica index
 */
export function sampleTranscripts(
  replicas: readonly ReplicaPlan[],
  batches: readonly Batch[],
  iteration: number,
  measured: {
    readonly forSpikes: readonly ReadonlyMap<number, readonly number[]>[];
    readonly blames: ReadonlyMap<number, ReadonlyMap<number, EpisodeBlame>>;
  },
): Transcript[] {
  return batches.flatMap((batch, index) => {
    const places = placesOf(batch.replica.index, replicas.length, iteration);
    const blames = measured.blames.get(batch.replica.index) ?? new Map<number, EpisodeBlame>();
    const told = { places, forSpikes: measured.forSpikes[index]!, blames };
    return places === 0 && told.forSpikes.size === 0 ? [] : transcriptsOf(batch, told, iteration);
  });
}
