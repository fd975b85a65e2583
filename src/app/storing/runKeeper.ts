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
  refused: NotKeptReason | null;
}

/** Hands the runs of the page on to the storage, one write at a time, in the order in which they logged. */
export function createRunKeeper(world: KeeperWorld): RunKeeper {
  const entries = new Map<RunSeries, Entry>();
  /** Over and written to the end: nothing more comes of them. */
  const done = new WeakSet<RunSeries>();
  let writing: Promise<void> | null = null;
  let isScheduled = false;
  let nextAtMs = -Infinity;

  const writeNext = async (entry: Entry): Promise<void> => {
    const run = entry.latest;
    const next = freshPart(run, entry.given);
    try {
      await world.write(entry.kept, run, next?.part ?? null);
      entry.given = next?.given ?? entry.given;
      entry.written = run;
      world.note(run.series, { kind: 'kept', iteration: entry.given.iteration });
      if (isActive(run.phase) || isDue(entry, world)) return;
      entries.delete(run.series);
      done.add(run.series);
    } catch (error) {
      entry.refused = await world.reasonOf(error);
      world.note(run.series, refusal(entry, entry.refused));
      world.later(retry, retryMs);
    }
  };
  const writeAll = async (): Promise<void> => {
    for (const entry of entries.values())
      while (isDue(entry, world) && entry.refused === null) await writeNext(entry);
  };
  const pump = (): Promise<void> => {
    writing ??= writeAll().finally(() => {
      writing = null;
      nextAtMs = world.nowMs() + gapMs;
      if ([...entries.values()].some((entry) => isDue(entry, world) && entry.refused === null))
        schedule();
    });
    return writing;
  };
  const schedule = (): void => {
    if (isScheduled || writing !== null) return;
    isScheduled = true;
    const start = (): void => {
      isScheduled = false;
      // What goes wrong is noted entry by entry.
      void pump();
    };
    const waitMs = nextAtMs - world.nowMs();
    if (waitMs <= 0) world.whenIdle(start);
    else world.later(() => world.whenIdle(start), waitMs);
  };
  const retry = (): void => {
    for (const entry of entries.values()) entry.refused = null;
    schedule();
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
      };
      entries.set(run.series, entry);
      entry.latest = run;
      if (world.writerOf(entry.kept.notebookId) === 'otherTab')
        world.note(run.series, refusal(entry, { kind: 'otherTab' }));
      else if (isDue(entry, world) && entry.refused === null) schedule();
    },
    async flush() {
      await writing;
      retry();
      await pump();
    },
  };
}

/** A run of this page that has logged something. */
function isToBeKept({ spec, recorded, revision }: RunState): boolean {
  return spec !== null && recorded === null && revision > 0;
}

/** Something of it is not written yet, and may be. */
function isDue({ latest, given, written, kept }: Entry, world: KeeperWorld): boolean {
  if (world.writerOf(kept.notebookId) !== 'thisTab') return false;
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
