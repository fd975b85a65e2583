import { standingOf } from '../../notebook/keptTranscripts';
import type { TrainerEvent } from '../../protocol/trainerApi';
import type { KeptEvent } from '../../storage/storageApi';

/** What a run has told and storage does not have yet, oldest first. */

/** A batch of this many rows costs the page a few milliseconds. Whole iterations only, so that one may exceed it alone. */
const maxRows = 2000;
/** From this many iterations on, those that wait lose the episodes and groups that the page has forgotten, too. */
const maxWhole = 40;

/** What storage keeps of a trainer's events. */
export function isKept(event: TrainerEvent): event is KeptEvent {
  return ['policies', 'iteration', 'throughput', 'notice'].includes(event.kind);
}

/** The events of the next batch: a beginning of those that wait. */
export function nextBatch(waiting: readonly KeptEvent[]): readonly KeptEvent[] {
  let rows = 0;
  for (const [index, event] of waiting.entries()) {
    if (event.kind !== 'iteration') continue;
    rows += event.rows.length;
    if (rows > maxRows && index > 0 && rows > event.rows.length) return waiting.slice(0, index);
  }
  return waiting;
}

/**
 * Those that wait and one more. While storage refuses they may wait for hours: then they take no more memory than what the page itself
 * remembers of a run, and its rows, which it holds in any case.
 */
export function withEvent(waiting: readonly KeptEvent[], event: KeptEvent): readonly KeptEvent[] {
  const all = [...waiting, event];
  if (event.kind !== 'iteration') return all;
  const iterations = all.filter((one) => one.kind === 'iteration');
  if (iterations.length <= maxWhole || iterations.length % maxWhole !== 0) return all;
  return all.map((one) => thinned(one, event.iteration));
}

/** Without the episodes and groups of an iteration that the page has forgotten. */
function thinned(event: KeptEvent, latest: number): KeptEvent {
  if (event.kind !== 'iteration' || standingOf(event.iteration, latest) !== 'forgotten')
    return event;
  const isBare = event.transcripts.length + event.groups.length === 0;
  return isBare ? event : { ...event, transcripts: [], groups: [] };
}

/** The last iteration among them; null where there is none. */
export function lastIteration(events: readonly KeptEvent[]): number | null {
  const last = events.findLast((event) => event.kind === 'iteration');
  return last?.iteration ?? null;
}
