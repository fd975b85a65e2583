import type { RunSeries } from '../../metrics/runSeries';
import { isActive, type RunState } from '../runState';
import { freshPart, nothingGiven, type Given, type RunPart } from './freshPart';
import type { NotKeptReason, RunKeeping } from './keeping';

/** A run and what the storage has of it. */
export interface KeptRun {
  readonly runId: string;
  /** Id of the notebook that it was made in. */
  readonly notebookId: string;
  /** Id of its experiment cell. */
  readonly experiment: string;
}

export type NotebookWriter = 'thisTab' | 'otherTab' | 'unknown';

export interface KeeperWorld {
  /** Writes what is new of a run, all or nothing; `part`: null where only its head has changed. */
  readonly write: (kept: KeptRun, run: RunState, part: RunPart | null) => Promise<void>;
  /** Who keeps the notebook; `unknown` until the browser has said. */
  readonly writerOf: (notebookId: string) => NotebookWriter;
  readonly freshId: () => string;
  readonly nowMs: () => number;
  readonly later: (callback: () => void, delayMs: number) => void;
  /** Calls back when the page has nothing better to do, soon at the latest; at once in a hidden tab. */
  readonly whenIdle: (callback: () => void) => void;
  readonly reasonOf: (error: unknown) => Promise<NotKeptReason>;
  readonly note: (series: RunSeries, keeping: RunKeeping) => void;
}

export interface RunKeeper {
  /** The run of an experiment has changed. */
  readonly seen: (run: RunState, at: Pick<KeptRun, 'notebookId' | 'experiment'>) => void;
  /** Writes what there is now, whatever went wrong before. Resolves when that is done. */
  readonly flush: () => Promise<void>;
}

/** Time between two writes. What is lost when the browser crashes is this much of a run. Unit: ms. */
const gapMs = 1000;
/** What was refused is tried again by itself this often: room may have been made. Unit: ms. */
const retryMs = 30_000;

interface Entry {
  readonly kept: KeptRun;
  latest: RunState;
  given: Given;
  /** As which the head was last written; null before. */
  written: RunState | null;
  /** Why the last write failed; nothing more is tried until it is cleared. */
  refused: NotKeptReason | null;
  readonly retry: () => void;
}

/** Hands the runs of the page on to the storage, one write at a time, in the order in which they logged. */
export function createRunKeeper(world: KeeperWorld): RunKeeper {
  const entries = new Map<RunSeries, Entry>();
  /** Over and written to the end: nothing more comes of them. */
  const done = new WeakSet<RunSeries>();
  const writeAll = async (): Promise<void> => {
    for (const entry of entries.values()) {
      while (isDue(entry, world)) await writeNext(entry, world);
      if (!isComplete(entry)) continue;
      entries.delete(entry.latest.series);
      done.add(entry.latest.series);
    }
  };
  const pump = createPump(world, writeAll, () =>
    [...entries.values()].some((entry) => isDue(entry, world)),
  );
  const retry = (): void => {
    for (const entry of entries.values()) entry.refused = null;
    pump.schedule();
  };
  return {
    seen(run, at) {
      if (!isToBeKept(run) || done.has(run.series)) return;
      const entry = entries.get(run.series) ?? {
        kept: { ...at, runId: world.freshId() },
        latest: run,
        given: nothingGiven,
        written: null,
        refused: null,
        retry,
      };
      entries.set(run.series, entry);
      entry.latest = run;
      if (world.writerOf(entry.kept.notebookId) === 'otherTab')
        world.note(run.series, refusal(entry, { kind: 'otherTab' }));
      else if (isDue(entry, world)) pump.schedule();
    },
    async flush() {
      await pump.running();
      retry();
      await pump.run();
    },
  };
}

interface Pump {
  /** Does the work soon, no more often than once in `gapMs`. */
  readonly schedule: () => void;
  /** Does it now, or waits for the end of what is being done. */
  readonly run: () => Promise<void>;
  readonly running: () => Promise<void> | null;
}

function createPump(
  world: Pick<KeeperWorld, 'nowMs' | 'later' | 'whenIdle'>,
  work: () => Promise<void>,
  hasMore: () => boolean,
): Pump {
  let running: Promise<void> | null = null;
  let isScheduled = false;
  let nextAtMs = -Infinity;
  const run = (): Promise<void> => {
    running ??= work().finally(() => {
      running = null;
      nextAtMs = world.nowMs() + gapMs;
      if (hasMore()) schedule();
    });
    return running;
  };
  const start = (): void => {
    isScheduled = false;
    // What goes wrong is noted run by run.
    void run();
  };
  const schedule = (): void => {
    if (isScheduled || running !== null) return;
    isScheduled = true;
    const waitMs = nextAtMs - world.nowMs();
    if (waitMs <= 0) world.whenIdle(start);
    else world.later(() => world.whenIdle(start), waitMs);
  };
  return { schedule, run, running: () => running };
}

async function writeNext(entry: Entry, world: KeeperWorld): Promise<void> {
  const run = entry.latest;
  const next = freshPart(run, entry.given);
  try {
    await world.write(entry.kept, run, next?.part ?? null);
    entry.given = next?.given ?? entry.given;
    entry.written = run;
    world.note(run.series, { kind: 'kept', iteration: entry.given.iteration });
  } catch (error) {
    entry.refused = await world.reasonOf(error);
    world.note(run.series, refusal(entry, entry.refused));
    world.later(entry.retry, retryMs);
  }
}

/** A run of this page that has logged something. */
function isToBeKept({ spec, recorded, revision }: RunState): boolean {
  return spec !== null && recorded === null && revision > 0;
}

/** Something of it is not written yet, and may be. */
function isDue(entry: Entry, world: KeeperWorld): boolean {
  const isAllowed = entry.refused === null && world.writerOf(entry.kept.notebookId) === 'thisTab';
  return isAllowed && isBehind(entry);
}

/** Over, and everything of it is written. */
function isComplete(entry: Entry): boolean {
  return !isActive(entry.latest.phase) && !isBehind(entry);
}

function isBehind({ latest, given, written }: Entry): boolean {
  return (
    given.numRows < latest.series.rows.length || written === null || hasNewHead(latest, written)
  );
}

/** What is told of a run beside its iterations, and is written whenever it has changed. */
function hasNewHead(run: RunState, written: RunState): boolean {
  return (
    isActive(run.phase) !== isActive(written.phase) ||
    run.message !== written.message ||
    run.notices !== written.notices
  );
}

function refusal({ given }: Entry, reason: NotKeptReason): RunKeeping {
  return { kind: 'notKept', reason, iteration: given.iteration < 0 ? null : given.iteration };
}
