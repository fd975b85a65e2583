import { announce } from '../announcement';
import { allDesks, watchRuns, type Desk } from '../desks';
import { presentNotebook } from '../document/documentStore';
import { recordedHere } from '../notebookFile';
import { useLeftNotebook } from '../openDocument';
import { isActive, type RunState } from '../runState';
import { createDatabase } from './database';
import { noteKeeping, useKeeping, type RunKeeping } from './keeping';
import { keepingText } from './keepingText';
import { useKept, type KeptActions } from './kept';
import { createNotebookSaver } from './notebookSaver';
import { indexedDatabases, notKeptReason, storageSpace } from './notKeptReason';
import { openKept } from './openKept';
import { freshId, usePageNotebook } from './pageNotebook';
import { createRunKeeper } from './runKeeper';
import { createRunWriter } from './runWriter';
import { createShelf } from './shelf';
import { listed, offerOf } from './storedListing';
import { leftNotebooks, notebookOfTab, rememberLeft, rememberNotebook } from './tabMemory';
import { lockedNotebooks } from './writerLock';
import { createWriterLocks } from './writerLocks';

const shelf = createShelf(createDatabase(indexedDatabases));

const locks = createWriterLocks((id) => {
  if (id === pageId()) showWriter();
  // A run that may be written now is; one that may no longer be says so.
  for (const desk of allDesks()) see(desk.run.getState(), desk);
  if (locks.writerOf(id) === 'thisTab') flush();
});

const saver = createNotebookSaver(async (record) => {
  locks.need(record.id);
  if (locks.writerOf(record.id) !== 'thisTab') return false;
  try {
    await shelf.saveNotebook(record);
    rememberNotebook(record.id);
    return true;
  } catch {
    // Told as soon as a run is not kept either; the address still holds the notebook.
    return false;
  }
});

const writer = createRunWriter({
  shelf,
  unsavedNotebook: saver.unsaved,
  noteSaved: (record) => {
    saver.noteSaved(record);
    rememberNotebook(record.id);
  },
  here: recordedHere,
  nowMs: () => performance.now(),
});

const keeper = createRunKeeper({
  write: writer.write,
  writerOf: locks.writerOf,
  freshId,
  nowMs: () => performance.now(),
  later: (callback, delayMs) => setTimeout(callback, delayMs),
  whenIdle: (callback) => {
    // A hidden tab is idle and is given no idle time.
    if (document.hidden || !('requestIdleCallback' in window)) callback();
    else requestIdleCallback(callback, { timeout: 500 });
  },
  reasonOf: notKeptReason,
  note: (series, keeping) => {
    const before = useKeeping.getState().runs.get(series);
    noteKeeping(series, keeping);
    if (before?.kind !== keeping.kind) announceProblem(keeping);
  },
});

function announceProblem(keeping: RunKeeping): void {
  const isRunning = allDesks().some(({ run }) => isActive(run.getState().phase));
  const { full, isProblem } = keepingText(keeping, isRunning);
  if (isProblem) announce(full);
}

function pageId(): string {
  return usePageNotebook.getState().id;
}

function showWriter(): void {
  useKept.setState({ isElsewhere: locks.writerOf(pageId()) === 'otherTab' });
}

function see(run: RunState, desk: Desk): void {
  if (run.recorded !== null || run.revision === 0) return;
  locks.need(pageId());
  keeper.seen(run, { notebookId: pageId(), experiment: desk.id });
}

/** Stores everything there is, at once, whatever was refused before. */
function flush(): void {
  saver.flush();
  // What is refused is told run by run.
  void keeper.flush();
}

const actions: KeptActions = {
  async open(id, runId) {
    saver.flush();
    const isElsewhere = await isOpenElsewhere(id);
    if (!(await openKept(shelf, { id, runId, isElsewhere }))) return;
    saver.noteSaved({ id, notebook: presentNotebook(), savedAt: '' });
    rememberNotebook(id);
    useKept.setState({ offer: null });
    locks.need(id);
  },
  leave(id) {
    rememberLeft(id);
    useKept.setState({ offer: null });
    announce('It was left where it is: among the stored runs.');
  },
  keepHere: () => locks.takeOver(pageId()),
  async list() {
    const [contents, locked, space] = await Promise.all([
      shelf.contents(),
      lockedNotebooks(),
      storageSpace(),
    ]);
    return {
      notebooks: listed(contents, (id) => {
        if (id === pageId()) return 'here';
        return locked.has(id) && locks.writerOf(id) !== 'thisTab' ? 'elsewhere' : 'nowhere';
      }),
      damages: contents.damages,
      ...space,
      isPersistent: await isPersistent(),
    };
  },
  async deleteRun(runId) {
    await shelf.deleteRun(runId);
    const series = writer.seriesOf(runId) ?? seriesOnPage(runId);
    if (series !== undefined) noteKeeping(series, { kind: 'deleted' });
    // There is room again.
    flush();
  },
  async deleteNotebook(id) {
    await shelf.deleteNotebook(id);
    flush();
  },
  async persist() {
    return navigator.storage.persist();
  },
};

function seriesOnPage(runId: string): RunState['series'] | undefined {
  const states = allDesks().map(({ run }) => run.getState());
  return states.find(({ kept }) => kept?.runId === runId)?.series;
}

async function isOpenElsewhere(id: string): Promise<boolean> {
  return (await lockedNotebooks()).has(id) && locks.writerOf(id) !== 'thisTab';
}

async function isPersistent(): Promise<boolean | null> {
  try {
    return await navigator.storage.persisted();
  } catch {
    return null;
  }
}

/** Offers what an earlier visit has left, or says that it cannot be read. */
async function offer(): Promise<void> {
  try {
    const [contents, locked] = await Promise.all([shelf.contents(), lockedNotebooks()]);
    const excluded = new Set([...locked, ...leftNotebooks(), pageId()]);
    useKept.setState({
      offer: offerOf(contents, { shown: presentNotebook(), before: notebookOfTab(), excluded }),
      damage: contents.damages[0] ?? null,
    });
  } catch (error) {
    const reason = await notKeptReason(error);
    // A window that may not store has nothing to offer, and says so when there is something to keep.
    if (reason.kind !== 'failed') return;
    useKept.setState({ damage: `Nothing is offered and nothing may be kept: ${reason.message}` });
  }
}

/** Gives back the locks of notebooks that are gone from the page, once their runs are written to the end. */
async function letGo(id: string): Promise<void> {
  await keeper.flush();
  const { left } = useLeftNotebook.getState();
  if (id === pageId()) locks.keepOnly(left === null ? [id] : [id, left.keptAs]);
}

/** Begins to keep what is on the page, and offers what was kept. Called once. */
export function startSession(): void {
  useKept.setState({ actions });
  useKeeping.setState({ tryAgain: flush });
  watchRuns((run, _before, desk) => see(run, desk));
  for (const desk of allDesks()) see(desk.run.getState(), desk);
  usePageNotebook.subscribe(({ id }) => {
    showWriter();
    void letGo(id);
  });
  addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) flush();
  });
  // Its failure is shown on the page.
  void offer();
}
