/**
 * One tab at a time keeps a notebook: the one that holds its lock. The browser frees the lock of a tab that is closed or has
 * crashed, and gives it to the next that waits. Where a browser has no locks, every tab keeps.
 */

export interface WriterLock {
  /** Takes the lock from whichever tab holds it; that tab then waits. */
  readonly takeOver: () => void;
  /** Gives it back, and waits no longer. */
  readonly release: () => void;
}

const prefix = 'marlbook.notebook.';

/**
 * Asks for the lock of a notebook, at once if it is free, else as soon as it is.
 * @param onChange called when it is known who holds the lock, and whenever that changes
 */
export function requestWriterLock(id: string, onChange: (isHeld: boolean) => void): WriterLock {
  const locks = lockManager();
  if (locks === null) {
    onChange(true);
    return { takeOver: () => undefined, release: () => undefined };
  }
  let isHeld = false;
  let isOver = false;
  let free: (() => void) | null = null;
  const waiting = new AbortController();
  const held = (): Promise<void> => {
    if (isOver) return Promise.resolve();
    isHeld = true;
    onChange(true);
    return new Promise((resolve) => (free = resolve));
  };
  const lost = (): void => {
    if (isOver) return;
    isHeld = false;
    onChange(false);
    locks.request(prefix + id, { signal: waiting.signal }, held).catch(rejected);
  };
  // Given up while it waited, taken over while it was held, or not to be had at all.
  const rejected = (error: unknown): void => {
    if (error instanceof DOMException && error.name === 'AbortError') lost();
    else if (!isOver) void held();
  };
  const steal = (): void => {
    locks.request(prefix + id, { steal: true }, held).catch(rejected);
  };
  locks
    .request(prefix + id, { ifAvailable: true }, (lock) => (lock === null ? lost() : held()))
    .catch(rejected);
  return {
    takeOver: () => {
      if (!isHeld && !isOver) steal();
    },
    release: () => {
      isOver = true;
      isHeld = false;
      waiting.abort();
      free?.();
    },
  };
}

/** Ids of the notebooks that some tab keeps, this one or another. */
export async function lockedNotebooks(): Promise<ReadonlySet<string>> {
  const state = await lockManager()?.query();
  const names = (state?.held ?? []).map(({ name }) => name ?? '');
  return new Set(
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
  );
}

/** Null on a page that is not secure: there the browser has none. */
function lockManager(): LockManager | null {
  return 'locks' in navigator ? navigator.locks : null;
}
