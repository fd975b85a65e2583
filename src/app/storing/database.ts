/** The browser's database, in promises. Opened when it is first needed; opened again after the browser has closed it. */

const databaseName = 'marlbook.notebooks';
const databaseVersion = 1;

/** `notebooks`: the documents; `runs`: what is told of a run beside its iterations; `rows` and `episodes`: those, by run. */
type StoreName = 'notebooks' | 'runs' | 'rows' | 'episodes';

export interface Database {
  /**
   * Does `work` in one transaction: all of it or nothing is stored. Resolves with what `work` resolves with, once it is stored. Rejects with
   * what the browser says. `work` may wait for requests of this transaction only.
   */
  readonly transact: <T>(
    stores: readonly StoreName[],
    mode: IDBTransactionMode,
    work: (transaction: IDBTransaction) => Promise<T> | T,
  ) => Promise<T>;
}

export function createDatabase(factory: () => IDBFactory): Database {
  let opened: IDBDatabase | null = null;
  let opening: Promise<IDBDatabase> | null = null;
  const open = (): Promise<IDBDatabase> => {
    opening ??= openDatabase(factory(), () => (opened = null))
      .then((database) => (opened = database))
      .finally(() => (opening = null));
    return opening;
  };
  return {
    async transact(stores, mode, work) {
      // Without a wait where it is open: a page that is being closed is given no second turn.
      const database = opened ?? (await open());
      const transaction = database.transaction(stores, mode);
      const done = finished(transaction);
      try {
        const result = await work(transaction);
        await done;
        return result;
      } catch (error) {
        // What went wrong first says more than that it was given up for it.
        done.catch(() => undefined);
        abort(transaction);
        throw transaction.error ?? error;
      }
    },
  };
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It is over already.
  }
}

function openDatabase(factory: IDBFactory, onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(databaseName, databaseVersion);
    request.addEventListener('upgradeneeded', () => createStores(request.result));
    request.addEventListener('success', () => {
      const database = request.result;
      database.addEventListener('close', onClose);
      // A newer page wants to change it: this one lets go, and opens it again when it next needs it.
      database.addEventListener('versionchange', () => {
        database.close();
        onClose();
      });
      resolve(database);
    });
    request.addEventListener('error', () => reject(errorOf(request.error)));
  });
}

function createStores(database: IDBDatabase): void {
  database.createObjectStore('notebooks', { keyPath: 'id' });
  database.createObjectStore('runs', { keyPath: 'id' });
  // Keyed by [id of the run, first iteration]: in the order of the run.
  database.createObjectStore('rows');
  database.createObjectStore('episodes');
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(errorOf(transaction.error)));
  });
}

/** The answer of one request. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(errorOf(request.error)));
  });
}

function errorOf(error: DOMException | null): Error {
  return error ?? new Error('The browser gave no reason.');
}

/** All keys of a run in `rows` and `episodes`. */
export function keysOfRun(runId: string): IDBKeyRange {
  return IDBKeyRange.bound([runId, -Infinity], [runId, Infinity]);
}
