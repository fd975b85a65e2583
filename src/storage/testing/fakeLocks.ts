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

export function createFakeLocks(): Locks {
  const held = new Set<Held>();
  const queue: Waiting[] = [];
  const isFree = (name: string, mode: LockMode): boolean =>
    [...held].every((lock) => lock.name !== name || (lock.mode === 'shared' && mode === 'shared'));
  const pump = (): void => {
    for (const waiting of [...queue]) {
      const isFirst = !queue.some(
        (other) => other.name === waiting.name && queue.indexOf(other) < queue.indexOf(waiting),
      );
      if (!isFirst || !isFree(waiting.name, waiting.mode)) continue;
      queue.splice(queue.indexOf(waiting), 1);
      waiting.grant();
    }
  };
  const hold = async (
    name: string,
    mode: LockMode,
    work: (lock: Lock | null) => unknown,
  ): Promise<unknown> => {
    let own: Held | null = null;
    const stolen = new Promise<never>((_, reject) => {
      own = { name, mode, steal: () => reject(abortError()) };
      held.add(own);
    });
    stolen.catch(() => undefined);
    try {
      return await Promise.race([work({ name, mode }), stolen]);
    } finally {
      if (own !== null) held.delete(own);
      queueMicrotask(pump);
    }
  };
  const request = async (
    name: string,
    options: LockOptions,
    work: (lock: Lock | null) => unknown,
  ): Promise<unknown> => {
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
  return {
    request: request as Locks['request'],
    query: () =>
      Promise.resolve({ held: [...held].map(({ name, mode }) => ({ name, mode })), pending: [] }),
  };
}
