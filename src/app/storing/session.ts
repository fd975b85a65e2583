import { openBrowserStorage } from '../../storage/browserStorage';
import type { RunStorage, WriteRefusal } from '../../storage/storageApi';
import { announce } from '../announcement';
import { allDesks, watchRuns, type Desk } from '../desks';
import { presentNotebook } from '../document/documentStore';
import { recordedHere } from '../notebookFile';
import { useLeftNotebook } from '../openDocument';
import { originOf } from '../recordedRun';
import { isActive, type RunState } from '../runState';
import { noteKeeping, useKeeping, type NotKeptReason, type RunKeeping } from './keeping';
import { keepingText } from './keepingText';
import { createKeptActions } from './keptActions';
import { useKept } from './kept';
import { createNotebookSaver, type NotebookSaver } from './notebookSaver';
import { freshId, usePageNotebook } from './pageNotebook';
import { listenToRuns } from './runEvents';
import { createRunKeeper, type KeeperWorld, type KeptRun } from './runKeeper';
import { readContents } from './storedContents';
import { offerOf } from './storedListing';
import { leftNotebooks, notebookOfTab, rememberNotebook } from './tabMemory';
import { createWriterClaims } from './writerClaims';

/** Begins to keep what is on the page, and offers what was kept. Called once. */
export async function startSession(): Promise<void> {
  const opened = await openBrowserStorage();
  if (opened.ok) keepAll(opened.storage);
  else {
    const { reason, message } = opened;
    keepNothing(reason === 'unavailable' ? { kind: 'forbidden' } : { kind: 'failed', message });
    // A window that may not store has nothing to offer, and says so when there is something to keep.
    if (reason !== 'unavailable') useKept.setState({ damage: message });
  }
}

/** Says of every run that it is not kept. */
function keepNothing(reason: NotKeptReason): void {
  listenToRuns(() => undefined);
  const tell = ({ series, recorded, revision }: RunState): void => {
    if (recorded === null && revision > 0)
      note(series, { kind: 'notKept', reason, iteration: null });
  };
  watchRuns(tell);
  for (const { run } of allDesks()) tell(run.getState());
  useKept.setState({
    unavailable: keepingText({ kind: 'notKept', reason, iteration: null }, false).full,
  });
}

function keepAll(storage: RunStorage): void {
  const claims = createWriterClaims(storage, (id) => {
    if (id === pageId()) showWriter();
    // A run that may be written now is; one that may no longer be says so.
    for (const desk of allDesks()) see(desk.run.getState(), desk);
    if (claims.writerOf(id) === 'thisTab') flush();
  });
  const saver = createNotebookSaver(async ({ id, notebook }) => {
    claims.need(id);
    if (claims.writerOf(id) !== 'thisTab') return false;
    const outcome = await storage.saveNotebook(id, notebook, Date.now());
    if (outcome.ok) rememberNotebook(id);
    return outcome.ok;
  });
  const keeper = createRunKeeper({
    create: (kept, run) => createStoredRun(storage, saver, kept, run),
    append: (runId, batch) => storage.appendToRun(runId, batch),
    allow: (runId) => storage.retryRun(runId),
    writerOf: claims.writerOf,
    freshId,
    nowMs: () => performance.now(),
    dateOf,
    later: (callback, delayMs) => setTimeout(callback, delayMs),
    whenIdle,
    reasonOf: (refusal) => reasonOf(storage, refusal),
    note,
  });
  const see = (run: RunState, desk: Desk): void => {
    if (run.recorded !== null || run.phase === 'idle') return;
    claims.need(pageId());
    keeper.seen(run, { notebookId: pageId(), experiment: desk.id });
  };
  const flush = (): void => {
    saver.flush();
    // What is refused is told run by run.
    void keeper.flush();
  };
  const showWriter = (): void =>
    useKept.setState({ isElsewhere: claims.writerOf(pageId()) === 'otherTab' });
  /** Gives up notebooks that are gone from the page, once their runs are written to the end. */
  const letGo = async (id: string): Promise<void> => {
    await keeper.flush();
    const { left } = useLeftNotebook.getState();
    if (id === pageId()) claims.keepOnly(left === null ? [id] : [id, left.keptAs]);
  };
  useKept.setState({ actions: createKeptActions({ storage, claims, saver, keeper, flush }) });
  useKeeping.setState({ tryAgain: flush });
  listenToRuns((heard) => keeper.heard(heard));
  watchRuns((run, _before, desk) => see(run, desk));
  for (const desk of allDesks()) see(desk.run.getState(), desk);
  usePageNotebook.subscribe(({ id }) => {
    showWriter();
    // Ends without an error: what is refused is told run by run.
    void letGo(id);
  });
  addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) flush();
  });
  storage.onClosed(({ message }) => useKept.setState({ damage: message }));
  // Its failure is shown on the page.
  void offer(storage);
}

/** With its notebook, where that is not stored as it is now: a run without its notebook could not be opened. */
async function createStoredRun(
  storage: RunStorage,
  saver: NotebookSaver,
  kept: KeptRun,
  run: RunState,
): ReturnType<KeeperWorld['create']> {
  const unsaved = saver.unsaved(kept.notebookId);
  if (unsaved !== null) {
    const saved = await storage.saveNotebook(unsaved.id, unsaved.notebook, Date.now());
    if (!saved.ok) return { ...saved, lastSavedIteration: null };
    saver.noteSaved(unsaved);
    rememberNotebook(unsaved.id);
  }
  return storage.createRun(newRun(kept, run));
}

/** Offers what an earlier visit has left, or says that it cannot be read. */
async function offer(storage: RunStorage): Promise<void> {
  try {
    const [contents, claimed] = await Promise.all([
      readContents(storage),
      storage.claimedNotebooks(),
    ]);
    const { documents, damaged } = contents;
    const excluded = new Set([...claimed, ...leftNotebooks(), pageId()]);
    const shown = presentNotebook();
    useKept.setState({
      offer: offerOf(contents, { shown, documents, before: notebookOfTab(), excluded }),
      damage: damaged[0]?.what ?? null,
    });
  } catch (error) {
    useKept.setState({ damage: error instanceof Error ? error.message : String(error) });
  }
}

function newRun(kept: KeptRun, run: RunState): Parameters<RunStorage['createRun']>[0] {
  if (run.spec === null) throw new Error('A run without a specification has nothing to store.');
  const { versions, device } = originOf(run, recordedHere());
  return {
    ...kept,
    spec: run.spec,
    startedAt: dateOf(run.startedAtMs ?? performance.now()),
    versions,
    userAgent: device.userAgent,
  };
}

async function reasonOf(storage: RunStorage, refusal: WriteRefusal): Promise<NotKeptReason> {
  if (refusal.reason !== 'quota') return { kind: 'failed', message: refusal.message };
  const space = await storage.estimateSpace();
  return { kind: 'full', usage: space?.usageBytes ?? null, quota: space?.quotaBytes ?? null };
}

/** Notes how far a run is kept, and says it where that is a new problem. */
function note(series: RunState['series'], keeping: RunKeeping): void {
  const before = useKeeping.getState().runs.get(series);
  noteKeeping(series, keeping);
  if (before?.kind === keeping.kind) return;
  const isRunning = allDesks().some(({ run }) => isActive(run.getState().phase));
  const { full, isProblem } = keepingText(keeping, isRunning);
  if (isProblem) announce(full);
}

function pageId(): string {
  return usePageNotebook.getState().id;
}

/** From the clock of the page. Both in ms, the result since 1970. */
function dateOf(pageMs: number): number {
  return performance.timeOrigin + pageMs;
}

function whenIdle(callback: () => void): void {
  // A hidden tab is idle and is given no idle time.
  if (document.hidden || !('requestIdleCallback' in window)) callback();
  else requestIdleCallback(callback, { timeout: 500 });
}
