import { wrap, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { reasonOf, refusalOfClosed } from './refusals';
import type { OpenRefusal, WriteRefusal } from './storageApi';
import {
  databaseUpgrades,
  storeNames,
  type Schema,
  type StoreName,
  type Upgrade,
} from './upgrades';

/** The database under everything but checkpoints: opened, upgraded, closed, and one way to do something in it as a whole. */

export const databaseName = 'marlbook';

/** Time that an older tab is given to let go of the data. Unit: ms. */
const patienceMs = 3000;

export type Transaction = IDBPTransaction<Schema, StoreName[], 'readonly' | 'readwrite'>;
export type WriteTransaction = IDBPTransaction<Schema, StoreName[], 'readwrite'>;

export interface Database {
  /** Does `work` in one transaction. `work` may wait for requests of this transaction only. Rejects with what the browser says. */
  read<T>(stores: readonly StoreName[], work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Likewise; all of it or nothing is stored. Resolves once it is, rejects once it is undone. */
  write<T>(
    stores: readonly StoreName[],
    work: (transaction: WriteTransaction) => Promise<T>,
  ): Promise<T>;
  /** Why nothing can be read or written any more; null while it can. */
  closed(): WriteRefusal | null;
  /** Calls back once, should it be closed by anything but `close`. Returns how to end that. */
  onClosed(listener: (refusal: WriteRefusal) => void): () => void;
  close(): void;
}

export type OpenedDatabase = { readonly ok: true; readonly database: Database } | OpenRefusal;

export interface DatabaseWorld {
  /** Asked for once, and may throw: a browser can refuse even the name. */
  readonly factory: () => IDBFactory;
  readonly later: (callback: () => void, delayMs: number) => void;
}

/** @param upgrades from every version that was ever saved to this one */
export async function openDatabase(
  { factory, later }: DatabaseWorld,
  upgrades: readonly Upgrade[] = databaseUpgrades,
): Promise<OpenedDatabase> {
  let request: IDBOpenDBRequest;
  try {
    request = factory().open(databaseName, upgrades.length);
  } catch (error) {
    return unavailable(error);
  }
  let isGivenUp = false;
  request.addEventListener('upgradeneeded', ({ oldVersion }) =>
    upgrade(request, upgrades.slice(oldVersion)),
  );
  const blocked = new Promise<OpenRefusal>((resolve) => {
    request.addEventListener('blocked', () =>
      later(() => {
        isGivenUp = true;
        resolve(blockedRefusal);
      }, patienceMs),
    );
  });
  const opened = wrap(request).then(
    (connection): OpenedDatabase => {
      const database = connection as unknown as IDBPDatabase<Schema>;
      if (isGivenUp) database.close();
      return checked(database);
    },
    (error: unknown): OpenedDatabase => openRefusal(error),
  );
  return Promise.race([opened, blocked]);
}

const blockedRefusal: OpenRefusal = {
  ok: false,
  reason: 'blocked',
  message:
    'Another tab with an older Marlbook holds the saved notebooks open. Close it, then reload this page; until then nothing is saved here.',
};

function unavailable(error: unknown): OpenRefusal {
  return {
    ok: false,
    reason: 'unavailable',
    message: `This browser saves nothing for this page (a private window, or site data is blocked): ${reasonOf(error)} Runs and notebooks stay in memory until the page is closed.`,
  };
}

function openRefusal(error: unknown): OpenRefusal {
  if (!(error instanceof Error) || error.name !== 'VersionError') return unavailable(error);
  return {
    ok: false,
    reason: 'newerVersion',
    message:
      'The notebooks saved in this browser are of a newer Marlbook than this one. Nothing was touched. Reload the page to get the newer one; until then nothing is saved here.',
  };
}

/** A step that fails undoes the whole upgrade: the data stays as it was. */
function upgrade(request: IDBOpenDBRequest, upgrades: readonly Upgrade[]): void {
  const database = wrap(request.result) as unknown as IDBPDatabase<Schema>;
  const { transaction } = request;
  if (transaction === null) return;
  const takeSteps = async (): Promise<void> => {
    const wrapped = wrap(transaction) as unknown as IDBPTransaction<
      Schema,
      StoreName[],
      'versionchange'
    >;
    // How it ends is told by the request to open.
    wrapped.done.catch(() => undefined);
    for (const step of upgrades) await step(database, wrapped);
  };
  takeSteps().catch(() => abort(transaction));
}

function abort(transaction: Pick<IDBTransaction, 'abort'>): void {
  try {
    transaction.abort();
  } catch {
    // It is over already.
  }
}

/** Another page of this address may have a database of the same name. */
function checked(connection: IDBPDatabase<Schema>): OpenedDatabase {
  const missing = storeNames.filter((name) => !connection.objectStoreNames.contains(name));
  if (missing.length === 0) return { ok: true, database: databaseOf(connection) };
  connection.close();
  return unavailable(
    new Error(
      `The database ${databaseName} of this address has no ${missing.join(', ')}: something else wrote it. Delete it in the browser's site data.`,
    ),
  );
}

function databaseOf(connection: IDBPDatabase<Schema>): Database {
  let closed: WriteRefusal | null = null;
  const listeners = new Set<(refusal: WriteRefusal) => void>();
  const closeWith = (refusal: WriteRefusal): void => {
    if (closed !== null) return;
    closed = refusal;
    connection.close();
    for (const listener of listeners) listener(refusal);
  };
  connection.addEventListener('versionchange', ({ newVersion }) =>
    closeWith(
      refusalOfClosed(
        newVersion === null
          ? 'What is saved is being deleted in another tab. Reload this page to go on saving.'
          : 'A newer Marlbook was opened in another tab and has taken over what is saved. Reload this page to go on saving.',
      ),
    ),
  );
  connection.addEventListener('close', () =>
    closeWith(
      refusalOfClosed(
        'The browser has closed what is saved, as when site data is cleared. Reload this page to go on saving.',
      ),
    ),
  );
  return {
    read: (stores, work) => transact(connection.transaction([...stores], 'readonly'), work),
    write: (stores, work) => transact(connection.transaction([...stores], 'readwrite'), work),
    closed: () => closed,
    onClosed(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      listeners.clear();
      closeWith(refusalOfClosed('Saving was ended on this page.'));
    },
  };
}

async function transact<T, X extends Transaction | WriteTransaction>(
  transaction: X,
  work: (transaction: X) => Promise<T>,
): Promise<T> {
  const done = transaction.done.then(
    () => null,
    (error: unknown) => ({ error }),
  );
  let result: T;
  try {
    result = await work(transaction);
  } catch (error) {
    abort(transaction);
    await done;
    // What undid the transaction says more than the request that was undone with it.
    throw transaction.error ?? error;
  }
  const failure = await done;
  if (failure !== null) throw transaction.error ?? failure.error;
  return result;
}

/**
 * Requests of one transaction, all at once. Where one throws at once, because the transaction has been undone, the others are still waited for:
 * a rejection that nobody takes would be an error of the page.
 */
export async function together(requests: Iterable<() => Promise<unknown>>): Promise<void> {
  await Promise.all(Array.from(requests, async (request) => request()));
}
