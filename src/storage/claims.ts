import type { NotebookClaim } from './storageApi';

/** The part of the browser's Web Locks that is used here. */
export interface Locks {
  /** Calls back with the lock, or with null where it is not to be had at once; the lock is held until that has ended. */
  request(
    name: string,
    options: LockOptions,
    callback: (lock: Lock | null) => Promise<void>,
  ): Promise<void>;
  query(): Promise<LockManagerSnapshot>;
}

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
  const name = prefix + notebookId;
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
    locks.request(name, { signal: waiting.signal }, granted).catch(lost);
  };
  /** Taken over by another tab, or given up while waiting. Anything else means that there are no locks to be had. */
  const lost = (error: unknown): void => {
    const isTaken = error instanceof Error && error.name === 'AbortError';
    change(!isTaken);
    if (isTaken) wait();
  };
  await firstAnswer(locks, name, { hold, wait, lost });
  return {
    isWriter: () => state.isWriter,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    takeOver() {
      if (state.isWriter || state.isOver) return;
      locks.request(name, { steal: true }, hold).catch(lost);
    },
    release() {
      state.isOver = true;
      state.isWriter = false;
      waiting.abort();
      state.free();
    },
  };
}

interface Steps {
  readonly hold: () => Promise<void>;
  readonly wait: () => void;
  readonly lost: (error: unknown) => void;
}

/** Resolves when it is known whether the lock was free. */
function firstAnswer(locks: Locks, name: string, { hold, wait, lost }: Steps): Promise<void> {
  return new Promise((resolve) => {
    const first = (lock: Lock | null): Promise<void> => {
      const held = lock === null ? Promise.resolve() : hold();
      resolve();
      return held;
    };
    locks
      .request(name, { ifAvailable: true }, first)
      .then(wait)
      .catch((error: unknown) => {
        lost(error);
        resolve();
      });
  });
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
