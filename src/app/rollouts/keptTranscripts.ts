import type { Transcript } from '../../protocol/trainerApi';

/**
 * Which episodes the page remembers. An episode takes a few kB and an iteration brings at most 24, so a run of any length stays
 * under some 10 MB: the last 20 iterations, and of the older ones every 10th, or every 20th, 40th, … once there are many.
 */

const numRecent = 20;
const firstSpacing = 10;
const maxSpaced = 50;

/** Iterations between two that are kept for good: doubled until no more than `maxSpaced` remain. What it keeps, it kept before. */
function spacingAt(latest: number): number {
  let spacing = firstSpacing;
  while (latest / spacing > maxSpaced) spacing *= 2;
  return spacing;
}

/** The kept episodes after an iteration has sent `fresh`; oldest first. An iteration that sends none changes nothing. */
export function keepTranscripts(
  kept: readonly Transcript[],
  fresh: readonly Transcript[],
): readonly Transcript[] {
  const [first] = fresh;
  if (first === undefined) return kept;
  const latest = first.iteration;
  const spacing = spacingAt(latest);
  const stays = ({ iteration }: Transcript): boolean =>
    iteration > latest - numRecent || iteration % spacing === 0;
  return [...kept.filter(stays), ...fresh];
}
