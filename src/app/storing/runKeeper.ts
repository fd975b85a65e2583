import type { RunSeries } from '../../metrics/runSeries';
import type {
  KeptEvent,
  RunBatch,
  RunStanding,
  RunWrite,
  WriteRefusal,
} from '../../storage/storageApi';
import { isActive, type RunState } from '../runState';
import type { NotKeptReason, RunKeeping } from './keeping';
import { createPump } from './pump';
import type { HeardEvent } from './runEvents';
import { isKept, nextBatch, withEvent } from './waitingEvents';

/** Where a run is kept. */
export interface KeptRun {
  readonly runId: string;
  /** Id of the notebook that it was made in. */
  readonly notebookId: string;
  /** Id of its experiment cell. */
  readonly experiment: string;
}

export type NotebookWriter = 'thisTab' | 'otherTab' | 'unknown';

export interface KeeperWorld {
  /** Makes the row of the run, and stores its notebook. */
  readonly create: (kept: KeptRun, run: RunState) => Promise<RunWrite>;
  readonly append: (runId: string, batch: RunBatch) => Promise<RunWrite>;
  /** Lets writes of a run through that were refused for want of space. */
  readonly allow: (runId: string) => void;
  /** Who keeps the notebook; `unknown` until the browser has said. */
  readonly writerOf: (notebookId: string) => NotebookWriter;
  readonly freshId: () => string;
  readonly nowMs: () => number;
  /** Of an end of a run. Unit: ms since 1970. */
  readonly dateOf: (pageMs: number) => number;
  readonly later: (callback: () => void, delayMs: number) => void;
  /** Calls back when the page has nothing better to do, soon at the latest; at once in a hidden tab. */
  readonly whenIdle: (callback: () => void) => void;
  readonly reasonOf: (refusal: WriteRefusal) => Promise<NotKeptReason>;
  readonly note: (series: RunSeries, keeping: RunKeeping) => void;
}

interface RunKeeper {
  /** A trainer has told something. */
  readonly heard: (heard: HeardEvent) => void;
  /** The run of an experiment has changed. */
  readonly seen: (run: RunState, at: Pick<KeptRun, 'notebookId' | 'experiment'>) => void;
  /** Writes what there is now, whatever was refused before. Resolves when that is done. */
  readonly flush: () => Promise<void>;
  /** The numbers of a run that this page has made. */
  readonly seriesOf: (runId: string) => RunSeries | undefined;
}

/** What was refused is tried again by itself this often: room may have been made. Unit: ms. */
const retryMs = 30_000;

interface Entry {
  readonly series: RunSeries;
  waiting: readonly KeptEvent[];
  /** Null until the page has shown the run. */
  latest: RunState | null;
  kept: KeptRun | null;
  isCreated: boolean;
  /** The last iteration that is stored; null before the first. */
  stored: number | null;
  /** As last written. */
  standing: RunStanding | null;
  /** Why the last write was refused; nothing more is tried until it is cleared. */
  refused: NotKeptReason | null;
}

/** Hands what the runs of the page tell on to the storage, one batch at a time, in the order in which it came. */
export function createRunKeeper(world: KeeperWorld): RunKeeper {
  const entries = new Map<RunSeries, Entry>();
  /** Over and written to the end, or deleted: nothing more comes of them. */
  const done = new WeakSet<RunSeries>();
  /** Weakly: a run that has left the page is no longer held for this. */
  const made = new Map<string, WeakRef<RunSeries>>();
  const end = ({ series }: Entry): void => {
    entries.delete(series);
    done.add(series);
  };
  const writeAll = async (): Promise<void> => {
    for (const entry of entries.values()) {
      while (isDue(entry, world)) await writeNext(entry, world, retry);
      if (isComplete(entry, world)) end(entry);
    }
  };
  const pump = createPump(world, writeAll, () =>
    [...entries.values()].some((entry) => isDue(entry, world)),
  );
  const retry = (): void => {
    for (const entry of entries.values()) {
      if (entry.refused !== null && entry.kept !== null) world.allow(entry.kept.runId);
      entry.refused = null;
    }
    pump.schedule();
  };
  const entryOf = (series: RunSeries): Entry => {
    const entry = entries.get(series) ?? newEntry(series);
    entries.set(series, entry);
    return entry;
  };
  return {
    heard({ series, event }) {
      if (done.has(series) || !isKept(event)) return;
      const entry = entryOf(series);
      entry.waiting = withEvent(entry.waiting, event);
      if (isDue(entry, world)) pump.schedule();
    },
    seen(run, at) {
      if (run.spec === null || run.recorded !== null || done.has(run.series)) return;
      const entry = entryOf(run.series);
      entry.latest = run;
      if (entry.kept === null) {
        entry.kept = { ...at, runId: world.freshId() };
        made.set(entry.kept.runId, new WeakRef(run.series));
      }
      if (world.writerOf(entry.kept.notebookId) === 'otherTab' && run.revision > 0)
        world.note(run.series, refusal(entry, { kind: 'otherTab' }));
      else if (isDue(entry, world)) pump.schedule();
    },
    async flush() {
      await pump.running();
      retry();
      await pump.run();
    },
    seriesOf: (runId) => made.get(runId)?.deref(),
  };
}

function newEntry(series: RunSeries): Entry {
  return {
    series,
    waiting: [],
    latest: null,
    kept: null,
    isCreated: false,
    stored: null,
    standing: null,
    refused: null,
  };
}

async function writeNext(entry: Entry, world: KeeperWorld, retry: () => void): Promise<void> {
  const { kept, latest } = entry;
  if (kept === null || latest === null) return;
  const events = nextBatch(entry.waiting);
  const standing = standingOf(latest, world);
  const outcome = entry.isCreated
    ? await world.append(kept.runId, { events, standing })
    : await world.create(kept, latest);
  if (outcome.ok && entry.isCreated) {
    entry.waiting = withoutFirst(entry.waiting, events);
    entry.standing = standing;
    entry.stored = outcome.lastSavedIteration;
    if (entry.stored !== null) world.note(entry.series, { kind: 'kept', iteration: entry.stored });
  } else if (outcome.ok) entry.isCreated = true;
  else {
    entry.refused = await world.reasonOf(outcome);
    world.note(entry.series, refusal(entry, entry.refused));
    world.later(retry, retryMs);
  }
}

/** More may have come while the first were written; thinning replaces events but keeps their number. */
function withoutFirst(
  waiting: readonly KeptEvent[],
  written: readonly KeptEvent[],
): readonly KeptEvent[] {
  return waiting.slice(written.length);
}

function standingOf({ phase, message, endedAtMs }: RunState, world: KeeperWorld): RunStanding {
  if (phase === 'idle') throw new Error('A run that was never started has nothing to store.');
  return { phase, message, endedAt: endedAtMs === null ? null : world.dateOf(endedAtMs) };
}

/** Something of it is not written yet, and may be. A run is stored from its first iteration on. */
function isDue(entry: Entry, world: KeeperWorld): boolean {
  const { kept, latest, refused } = entry;
  if (kept === null || latest === null || refused !== null || latest.revision === 0) return false;
  return world.writerOf(kept.notebookId) === 'thisTab' && isBehind(entry, world);
}

/** Over, and everything of it is written; or over before there was anything to write. */
function isComplete(entry: Entry, world: KeeperWorld): boolean {
  const { latest } = entry;
  if (latest === null || isActive(latest.phase)) return false;
  return latest.revision === 0 || !isBehind(entry, world);
}

function isBehind({ waiting, standing, latest }: Entry, world: KeeperWorld): boolean {
  if (waiting.length > 0 || standing === null || latest === null) return true;
  const now = standingOf(latest, world);
  // Which phase of being at work it is, is not worth a write of its own.
  return isActive(now.phase) !== isActive(standing.phase) || now.message !== standing.message;
}

function refusal({ stored }: Entry, reason: NotKeptReason): RunKeeping {
  return { kind: 'notKept', reason, iteration: stored };
}
