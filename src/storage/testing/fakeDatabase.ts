import * as fake from 'fake-indexeddb';
import { errorOf, type Faults } from './faults';

/** A database in memory, with the rules of a browser's. */

/** What code finds by these names in a browser. */
export function defineDatabaseGlobals(): void {
  const { IDBCursor, IDBCursorWithValue, IDBDatabase, IDBFactory, IDBIndex, IDBKeyRange } = fake;
  const { IDBObjectStore, IDBOpenDBRequest, IDBRequest, IDBTransaction } = fake;
  const { IDBVersionChangeEvent } = fake;
  Object.assign(globalThis, {
    IDBCursor,
    IDBCursorWithValue,
    IDBDatabase,
    IDBFactory,
    IDBIndex,
    IDBKeyRange,
    IDBObjectStore,
    IDBOpenDBRequest,
    IDBRequest,
    IDBTransaction,
    IDBVersionChangeEvent,
  });
}

/** Makes every database in memory follow `faults`, until the function that it returns is called. */
export function followFaults(faults: Faults): () => void {
  const stores = fake.IDBObjectStore.prototype;
  const databases = fake.IDBDatabase.prototype;
  const before = { put: stores.put, delete: stores.delete, transaction: databases.transaction };
  const step = (store: IDBObjectStore, kind: 'write' | 'remove'): void => {
    const fault = faults.next(kind);
    if (fault !== null) undo(store.transaction, errorOf(fault).name);
  };
  stores.put = function put(this: IDBObjectStore, ...args) {
    const request = before.put.apply(this, args);
    step(this, 'write');
    return request;
  };
  stores.delete = function remove(this: IDBObjectStore, ...args) {
    const request = before.delete.apply(this, args);
    step(this, 'remove');
    return request;
  };
  databases.transaction = function transaction(this: IDBDatabase, ...args) {
    if (faults.isCrashed()) throw errorOf('crash');
    return before.transaction.apply(this, args);
  };
  return () => {
    stores.put = before.put;
    stores.delete = before.delete;
    databases.transaction = before.transaction;
  };
}

/** As a browser does that has no space left: the transaction is undone, and has the reason. */
function undo(transaction: IDBTransaction, reason: string): void {
  const abort: unknown = Reflect.get(transaction, '_abort');
  if (typeof abort !== 'function') throw new TypeError('The stand-in of the database has changed.');
  if (transaction.error === null) Reflect.apply(abort, transaction, [reason]);
}

/** A database as plain data: store → [key, value], in the order of keys. */
export type DatabaseDump = Readonly<Record<string, readonly (readonly [IDBValidKey, unknown])[]>>;

export async function dumpOf(factory: IDBFactory, name: string): Promise<DatabaseDump> {
  const database = await answerOf(factory.open(name));
  const names = [...database.objectStoreNames];
  const transaction = database.transaction(names, 'readonly');
  const entries = await Promise.all(
    names.map(async (store) => {
      const keys = await answerOf(transaction.objectStore(store).getAllKeys());
      const values = await answerOf<unknown[]>(transaction.objectStore(store).getAll());
      return [store, keys.map((key, i) => [key, values[i]] as const)] as const;
    }),
  );
  database.close();
  return Object.fromEntries(entries);
}

/** Writes rows into a database that has its stores; `create` makes them where there is no such database yet. */
export async function loadDump(
  factory: IDBFactory,
  [name, version]: readonly [string, number],
  dump: DatabaseDump,
): Promise<void> {
  const request = factory.open(name, version);
  request.addEventListener('upgradeneeded', () => {
    for (const store of Object.keys(dump))
      if (!request.result.objectStoreNames.contains(store)) request.result.createObjectStore(store);
  });
  const database = await answerOf(request);
  const transaction = database.transaction(Object.keys(dump), 'readwrite');
  await Promise.all(
    Object.entries(dump).flatMap(([store, rows]) => {
      const into = transaction.objectStore(store);
      return [
        answerOf(into.clear()),
        ...rows.map(([key, value]) => answerOf(into.put(value, key))),
      ];
    }),
  );
  database.close();
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('No reason.')));
  });
}
