import type { NotKeptReason } from './keeping';

/** Names of what browsers throw where a window may not store: private windows, blocked sites. */
const forbidden: ReadonlySet<string> = new Set(['SecurityError', 'InvalidStateError']);

/** Why the database refused, for the reader. */
export async function notKeptReason(error: unknown): Promise<NotKeptReason> {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  if (name === 'QuotaExceededError') return { kind: 'full', ...(await storageSpace()) };
  if (forbidden.has(name)) return { kind: 'forbidden' };
  return { kind: 'failed', message: `the browser could not store it (${message}).` };
}

/** What the browser says of the room for this site. Unit: bytes; null where it does not say. */
export async function storageSpace(): Promise<{
  readonly usage: number | null;
  readonly quota: number | null;
}> {
  try {
    const { usage, quota } = await navigator.storage.estimate();
    return { usage: usage ?? null, quota: quota ?? null };
  } catch {
    return { usage: null, quota: null };
  }
}

/** The browser's database; throws where there is none. */
export function indexedDatabases(): IDBFactory {
  // Missing in some private windows, whatever the types say.
  const factory: IDBFactory | undefined = globalThis.indexedDB;
  if (factory === undefined) throw new DOMException('There is no IndexedDB.', 'SecurityError');
  return factory;
}
