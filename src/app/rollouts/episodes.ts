import type { Transcript } from '../../protocol/trainerApi';

/** Which of the remembered episodes are listed, and which of them tell of the same task. */

export interface EpisodeFilters {
  readonly outcome: 'any' | 'solved' | 'failed';
  /** Took at least one turn; null = any. */
  readonly agent: string | null;
  readonly arm: string | null;
  readonly seed: number | null;
  readonly iteration: 'latest' | 'any' | number;
}

export const initialFilters: EpisodeFilters = {
  outcome: 'any',
  agent: null,
  arm: null,
  seed: null,
  iteration: 'latest',
};

/** Names an episode among those of a run. */
export function episodeKey({ arm, seed, iteration, task, rollout }: Transcript): string {
  return `${iteration}/${seed}/${task}/${rollout}/${arm}`;
}

/** The iterations with episodes, newest first. `episodes`: oldest first. */
export function iterationsOf(episodes: readonly Transcript[]): number[] {
  return [...new Set(episodes.map(({ iteration }) => iteration))].toReversed();
}

/** Newest iteration with episodes; null without any. */
export function latestIteration(episodes: readonly Transcript[]): number | null {
  return episodes.at(-1)?.iteration ?? null;
}

function hasOutcome({ isSolved }: Transcript, outcome: EpisodeFilters['outcome']): boolean {
  return outcome === 'any' || isSolved === (outcome === 'solved');
}

/** The episodes that pass the filters: newest iteration first, within it in the order they came. `episodes`: oldest first. */
export function matchingEpisodes(
  episodes: readonly Transcript[],
  { outcome, agent, arm, seed, iteration }: EpisodeFilters,
): Transcript[] {
  const wanted = iteration === 'latest' ? latestIteration(episodes) : iteration;
  return episodes
    .filter(
      (episode) =>
        (wanted === 'any' || episode.iteration === wanted) &&
        (arm === null || episode.arm === arm) &&
        (seed === null || episode.seed === seed) &&
        (agent === null || episode.turns.some((turn) => turn.agent === agent)) &&
        hasOutcome(episode, outcome),
    )
    .toSorted((a, b) => b.iteration - a.iteration);
}

/**
 * Episodes of the same task in other iterations: those of the same arm and seed first, then newest first. Iterations draw their
 * tasks anew, so two meet in a task when both happen to draw it.
 */
export function sameTaskElsewhere(
  episodes: readonly Transcript[],
  episode: Transcript,
): Transcript[] {
  const isStranger = ({ arm, seed }: Transcript): number =>
    arm === episode.arm && seed === episode.seed ? 0 : 1;
  return episodes
    .filter(
      ({ taskStart, iteration }) =>
        taskStart === episode.taskStart && iteration !== episode.iteration,
    )
    .toSorted((a, b) => isStranger(a) - isStranger(b) || b.iteration - a.iteration);
}
