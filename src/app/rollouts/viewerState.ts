import type { Transcript } from '../../protocol/trainerApi';
import {
  initialFilters,
  iterationsOf,
  latestIteration,
  matchingEpisodes,
  sameTaskElsewhere,
  type EpisodeFilters,
} from './episodes';

/**
 * What the reader of episodes has chosen. Until it is touched it follows the run; from then on it holds still, whatever the run
 * brings, and counts what is newer.
 */
export interface ViewerState {
  readonly filters: EpisodeFilters;
  /** What the run had brought when the viewer was touched; null = it follows the run. */
  readonly held: readonly Transcript[] | null;
  /** Null = the first one listed, or of the latest iteration where none is. */
  readonly chosen: Transcript | null;
  /** The same task in another iteration, read beside the chosen one. */
  readonly beside: Transcript | null;
  /** 0-based turn up to which the episode is shown; null = all of it. */
  readonly step: number | null;
}

export const initialViewer: ViewerState = {
  filters: initialFilters,
  held: null,
  chosen: null,
  beside: null,
  step: null,
};

export type ViewerAction =
  | { readonly kind: 'touched'; readonly live: readonly Transcript[] }
  | { readonly kind: 'filtered'; readonly filters: EpisodeFilters }
  | { readonly kind: 'chosen'; readonly episode: Transcript }
  | { readonly kind: 'compared'; readonly episode: Transcript | null }
  | { readonly kind: 'stepped'; readonly step: number | null }
  /** The newest is asked for: what was chosen is left. */
  | { readonly kind: 'refreshed'; readonly live: readonly Transcript[] };

export function applyViewerAction(state: ViewerState, action: ViewerAction): ViewerState {
  switch (action.kind) {
    case 'touched':
      return state.held === null && action.live.length > 0
        ? { ...state, held: action.live, chosen: viewOf(state, action.live).episode }
        : state;
    case 'filtered':
      return { ...state, filters: action.filters };
    case 'chosen':
      return {
        ...state,
        chosen: action.episode,
        beside: null,
        step: state.step === null ? null : 0,
      };
    case 'compared':
      return { ...state, beside: action.episode };
    case 'stepped':
      return { ...state, step: action.step };
    case 'refreshed': {
      const { iteration } = state.filters;
      const filters: EpisodeFilters = {
        ...state.filters,
        iteration: typeof iteration === 'number' ? 'latest' : iteration,
      };
      const fresh = { ...initialViewer, filters, held: action.live };
      return { ...fresh, chosen: viewOf(fresh, action.live).episode };
    }
  }
}

/** What is on show. */
export interface View {
  /** Newest first: what can be filtered by. */
  readonly iterations: readonly number[];
  readonly listed: readonly Transcript[];
  /** Null only before the first episode. */
  readonly episode: Transcript | null;
  readonly comparable: readonly Transcript[];
  /** Iterations of the run that brought episodes since the viewer holds still, counted by their numbers. */
  readonly numNewer: number;
}

export function viewOf({ filters, held, chosen }: ViewerState, live: readonly Transcript[]): View {
  const shown = held ?? live;
  const listed = matchingEpisodes(shown, filters);
  // Filters that nothing passes empty the list, not the page.
  const episode = chosen ?? listed[0] ?? matchingEpisodes(shown, initialFilters)[0] ?? null;
  return {
    iterations: iterationsOf(shown),
    listed,
    episode,
    comparable: episode === null ? [] : sameTaskElsewhere(shown, episode),
    numNewer: (latestIteration(live) ?? 0) - (latestIteration(shown) ?? 0),
  };
}

/**
 * Where a key leads in an episode of `numTurns` turns; null = back to all of it, undefined = the key means nothing here.
 * Forward from the whole begins at the first turn, back from it takes the last turn away.
 */
export function stepAfter(
  key: string,
  step: number | null,
  numTurns: number,
): number | null | undefined {
  const last = Math.max(0, numTurns - 1);
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return step === null ? 0 : Math.min(last, step + 1);
    case 'ArrowLeft':
    case 'ArrowUp':
      return Math.max(0, (step ?? last) - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'Escape':
      return null;
    default:
      return undefined;
  }
}
