import type { Locks } from '../claims';

/** Web Locks of one browser, in memory: all tabs that use them see the same. */

interface Held {
  readonly name: string;
  readonly mode: LockMode;
  /** Ends the holder's request without waiting for its work. */
  readonly steal: () => void;
}

interface Waiting {
  readonly name: string;
  readonly mode: LockMode;
  readonly grant: () => void;
}

function abortError(): DOMException {
  return new DOMException('The request was given up, or the lock stolen.', 'AbortError');
}

type Work = (lock: Lock | null) => Promise<void>;

export function createFakeLocks(): Locks {
  const held = new Set<Held>();
  const queue: Waiting[] = [];
  const isFree = (name: string, mode: LockMode): boolean =>
    [...held].every((lock) => lock.name !== name || (lock.mode === 'shared' && mode === 'shared'));
  const pump = (): void => {
    const passed = new Set<string>();
    for (const waiting of queue.slice()) {
      if (passed.has(waiting.name)) continue;
      if (isFree(waiting.name, waiting.mode)) {
        queue.splice(queue.indexOf(waiting), 1);
        waiting.grant();
      } else passed.add(waiting.name);
    }
  };
  const hold = async (name: string, mode: LockMode, work: Work): Promise<void> => {
    const theft = new AbortController();
    const stolen = new Promise<never>((_, reject) => {
      theft.signal.addEventListener('abort', () => reject(abortError()));
    });
    stolen.catch(() => undefined);
    const own = { name, mode, steal: () => theft.abort() };
    held.add(own);
    try {
      await Promise.race([work({ name, mode }), stolen]);
    } finally {
      held.delete(own);
      queueMicrotask(pump);
    }
  };
  const request = async (name: string, options: LockOptions, work: Work): Promise<void> => {
    const { mode = 'exclusive', ifAvailable = false, steal = false, signal } = options;
    await Promise.resolve();
    if (steal)
      for (const lock of held)
        if (lock.name === name) {
          held.delete(lock);
          lock.steal();
        }
    const isWaitedFor = queue.some((waiting) => waiting.name === name);
    if (steal || (isFree(name, mode) && !isWaitedFor)) return hold(name, mode, work);
    if (ifAvailable) return work(null);
    return new Promise((resolve, reject) => {
      // Held from the moment that it is granted: nobody slips in between.
      const waiting = { name, mode, grant: () => resolve(hold(name, mode, work)) };
      queue.push(waiting);
      signal?.addEventListener('abort', () => {
        if (!queue.includes(waiting)) return;
        queue.splice(queue.indexOf(waiting), 1);
        reject(abortError());
      });
    });
  };
  const query = (): Promise<LockManagerSnapshot> =>
    Promise.resolve({ held: [...held].map(({ name, mode }) => ({ name, mode })), pending: [] });
  return { request, query };
}
