/**
 * Which episodes the page remembers, and the browser's storage. An episode takes a few kB and an iteration brings at most 24, so a run of any length stays
 * under some 10 MB: the last 20 iterations, and of the older ones every 10th, or every 20th, 40th, … once there are many. Beside
 * them the latest 400 episodes that were told for a spike: what made it should be found whenever it is looked for.
 */

/** What the rule looks at: of an episode, or of the key under which one is stored. */
export interface Told {
  readonly iteration: number;
  /** Agents that it was told for because their gradient norm spiked. */
  readonly spikingAgents: { readonly length: number };
}

const numRecent = 20;
const firstSpacing = 10;
const maxSpaced = 50;
const maxForSpikes = 400;

/** Iterations between two that are kept for good: doubled until no more than `maxSpaced` remain. What it keeps, it kept before. */
function spacingAt(latest: number): number {
  let spacing = firstSpacing;
  while (latest / spacing > maxSpaced) spacing *= 2;
  return spacing;
}

/** How an iteration is remembered when `latest` is the newest: as one of the last ones, as one in so many, or not at all. */
export function standingOf(iteration: number, latest: number): 'recent' | 'spaced' | 'forgotten' {
  if (iteration > latest - numRecent) return 'recent';
  return iteration % spacingAt(latest) === 0 ? 'spaced' : 'forgotten';
}

/** The kept episodes after an iteration has sent `fresh`; oldest first. An iteration that sends none changes nothing. */
export function keepTranscripts<T extends Told>(
  kept: readonly T[],
  fresh: readonly T[],
): readonly T[] {
  const [first] = fresh;
  if (first === undefined) return kept;
  const latest = first.iteration;
  const isOld = ({ iteration }: T): boolean => standingOf(iteration, latest) === 'forgotten';
  const forSpikes = kept.filter((old) => isOld(old) && old.spikingAgents.length > 0);
  const stays = new Set(forSpikes.slice(-maxForSpikes));
  return [...kept.filter((old) => !isOld(old) || stays.has(old)), ...fresh];
}
