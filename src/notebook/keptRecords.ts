import { standingOf, type Told } from './keptTranscripts';

/**
 * Which group records the page remembers, and the browser's storage: those of the iterations whose episodes it remembers (the last
 * 20, and one in 10 or more of the older ones), and those of replicas in which an agent spiked. All of them together take at most
 * 48 MiB, some 1.8 million steps. Where they would take more, the oldest spaced ones go first, then the oldest with a spike, then the
 * oldest of the last 20; never those that have just come.
 */
export const maxKeptBytes = 48 * 2 ** 20;

interface Room<T> {
  /** Unit: bytes. */
  readonly bytesOf: (record: T) => number;
  readonly maxBytes: number;
}

/** What goes first has the lowest rank. */
function rankOf({ iteration, spikingAgents }: Told, latest: number): number {
  if (standingOf(iteration, latest) === 'recent') return 2;
  return spikingAgents.length > 0 ? 1 : 0;
}

/** The kept records after an iteration has sent `fresh`; oldest first. An iteration that sends none changes nothing. */
export function keepRecords<T extends Told>(
  kept: readonly T[],
  fresh: readonly T[],
  { bytesOf, maxBytes }: Room<T>,
): readonly T[] {
  const [first] = fresh;
  if (first === undefined) return kept;
  const latest = first.iteration;
  const old = kept.filter(
    ({ iteration, spikingAgents }) =>
      standingOf(iteration, latest) !== 'forgotten' || spikingAgents.length > 0,
  );
  let bytes = [...old, ...fresh].reduce((sum, record) => sum + bytesOf(record), 0);
  const dropped = new Set<T>();
  // `kept` is in the order of iterations and the sort is stable: the oldest of a rank comes first.
  for (const record of old.toSorted((a, b) => rankOf(a, latest) - rankOf(b, latest))) {
    if (bytes <= maxBytes) break;
    bytes -= bytesOf(record);
    dropped.add(record);
  }
  return [...old.filter((record) => !dropped.has(record)), ...fresh];
}
