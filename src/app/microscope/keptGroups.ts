import { columnBytes } from '../../metrics/columnBytes';
import type { GroupRecord } from '../../protocol/trainerApi';
import { standingOf } from '../rollouts/keptTranscripts';

/**
 * Which group records the page remembers: those of the iterations whose episodes it remembers (the last 20, and one in 10 or more of
 * the older ones), and those of replicas in which an agent spiked. All of them together take at most 48 MiB, some 1.8 million
 * steps. Where they would take more, the oldest spaced ones go first, then the oldest with a spike, then the oldest of the last 20;
 * never those that have just come.
 */
const maxKeptBytes = 48 * 2 ** 20;

/** What goes first has the lowest rank. */
function rankOf({ iteration, spikingAgents }: GroupRecord, latest: number): number {
  if (standingOf(iteration, latest) === 'recent') return 2;
  return spikingAgents.length > 0 ? 1 : 0;
}

/** The kept records after an iteration has sent `fresh`; oldest first. An iteration that sends none changes nothing. */
export function keepGroups(
  kept: readonly GroupRecord[],
  fresh: readonly GroupRecord[],
  maxBytes: number = maxKeptBytes,
): readonly GroupRecord[] {
  const [first] = fresh;
  if (first === undefined) return kept;
  const latest = first.iteration;
  const old = kept.filter(
    ({ iteration, spikingAgents }) =>
      standingOf(iteration, latest) !== 'forgotten' || spikingAgents.length > 0,
  );
  let bytes = [...old, ...fresh].reduce((sum, record) => sum + columnBytes(record), 0);
  const dropped = new Set<GroupRecord>();
  // `kept` is in the order of iterations and the sort is stable: the oldest of a rank comes first.
  for (const record of old.toSorted((a, b) => rankOf(a, latest) - rankOf(b, latest))) {
    if (bytes <= maxBytes) break;
    bytes -= columnBytes(record);
    dropped.add(record);
  }
  return [...old.filter((record) => !dropped.has(record)), ...fresh];
}

/** The record of one replica's iteration; undefined where it is not kept. */
export function recordAt(
  groups: readonly GroupRecord[],
  at: Pick<GroupRecord, 'arm' | 'seed' | 'iteration'>,
): GroupRecord | undefined {
  return groups.find(
    ({ arm, seed, iteration }) => arm === at.arm && seed === at.seed && iteration === at.iteration,
  );
}

/** Iterations of one replica that are kept, increasing. */
export function keptIterations(
  groups: readonly GroupRecord[],
  of: Pick<GroupRecord, 'arm' | 'seed'>,
): number[] {
  return groups
    .filter(({ arm, seed }) => arm === of.arm && seed === of.seed)
    .map(({ iteration }) => iteration);
}

/** The one of `iterations` that lies nearest, the earlier of two; null without any. `iterations`: increasing. */
export function nearestIteration(iterations: readonly number[], to: number): number | null {
  return iterations.reduce<number | null>(
    (nearest, iteration) =>
      nearest === null || Math.abs(iteration - to) < Math.abs(nearest - to) ? iteration : nearest,
    null,
  );
}
