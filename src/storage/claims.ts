import type { NotebookClaim } from './storageApi';

/** The part of the browser's Web Locks that is used here. */
export type Locks = Pick<LockManager, 'request' | 'query'>;

const prefix = 'marlbook.notebook.';

/**
 * One writer a notebook: the tab that holds its lock. The browser frees the lock of a tab that is closed or has crashed, and gives it
 * to the next that waits. Where a browser has no locks, every tab writes.
 */
export async function claimNotebook(
  locks: Locks | null,
  notebookId: string,
): Promise<NotebookClaim> {
  if (locks === null) return alone;
  const listeners = new Set<(isWriter: boolean) => void>();
  const state = { isWriter: false, isWaiting: false, isOver: false, free: (): void => undefined };
  const change = (isWriter: boolean): void => {
    if (state.isWriter === isWriter || state.isOver) return;
    state.isWriter = isWriter;
    for (const listener of listeners) listener(isWriter);
  };
  const hold = (): Promise<void> => {
    if (state.isOver) return Promise.resolve();
    change(true);
    return new Promise((resolve) => (state.free = resolve));
  };
  const waiting = new AbortController();
  const wait = (): void => {
    if (state.isOver || state.isWaiting) return;
    state.isWaiting = true;
    const granted = (): Promise<void> => {
      state.isWaiting = false;
      return hold();
    };
    locks.request(prefix + notebookId, { signal: waiting.signal }, granted).catch(lost);
  };
  /** Taken over by another tab, or given up while waiting. Anything else means that there are no locks to be had. */
  const lost = (error: unknown): void => {
    const isTaken = error instanceof Error && error.name === 'AbortError';
    change(!isTaken);
    if (isTaken) wait();
  };
  await new Promise<void>((resolve) => {
    const first = (lock: Lock | null): Promise<void> => {
      const held = lock === null ? Promise.resolve() : hold();
      resolve();
      return held;
    };
    locks
      .request(prefix + notebookId, { ifAvailable: true }, first)
      .then(() => wait())
      .catch((error: unknown) => {
        lost(error);
        resolve();
      });
  });
  return {
    isWriter: () => state.isWriter,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    takeOver() {
      if (state.isWriter || state.isOver) return;
      locks.request(prefix + notebookId, { steal: true }, hold).catch(lost);
    },
    release() {
      state.isOver = true;
      state.isWriter = false;
      waiting.abort();
      state.free();
    },
  };
}

const alone: NotebookClaim = {
  isWriter: () => true,
  onChange: () => () => undefined,
  takeOver: () => undefined,
  release: () => undefined,
};

/** Ids of the notebooks that some tab writes, this one or another. */
export async function claimedNotebooks(locks: Locks | null): Promise<ReadonlySet<string>> {
  const held = (await locks?.query())?.held ?? [];
  const names = held.flatMap(({ name }) => (name?.startsWith(prefix) === true ? [name] : []));
  return new Set(names.map((name) => name.slice(prefix.length)));
}
