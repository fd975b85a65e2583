import type { NotebookWriter } from './runKeeper';
import { requestWriterLock, type WriterLock } from './writerLock';

interface WriterLocks {
  readonly writerOf: (id: string) => NotebookWriter;
  /** Asks for the lock of a notebook, once. */
  readonly need: (id: string) => void;
  readonly takeOver: (id: string) => void;
  /** Gives all others back. */
  readonly keepOnly: (ids: readonly string[]) => void;
}

/** The locks of the notebooks that this tab has to do with: the one on the page and the one before it. */
export function createWriterLocks(onChange: (id: string) => void): WriterLocks {
  const locks = new Map<string, WriterLock>();
  const known = new Map<string, NotebookWriter>();
  return {
    writerOf: (id) => known.get(id) ?? 'unknown',
    need(id) {
      if (known.has(id)) return;
      known.set(id, 'unknown');
      const lock = requestWriterLock(id, (isHeld) => {
        known.set(id, isHeld ? 'thisTab' : 'otherTab');
        onChange(id);
      });
      locks.set(id, lock);
    },
    takeOver: (id) => locks.get(id)?.takeOver(),
    keepOnly(ids) {
      for (const [id, lock] of locks) {
        if (ids.includes(id)) continue;
        lock.release();
        locks.delete(id);
        known.delete(id);
      }
    },
  };
}
