import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb';

/**
 * What the database holds. Values are unknown until they are parsed: another version may have written them, or a disk have lost a
 * part. Keys stand beside the values, so that a damaged value can still be named and deleted.
 */
export interface Schema extends DBSchema {
  /** Id of the run → head and progress. */
  runs: { key: string; value: unknown };
  /** [run, number from 0] → what one batch brought. */
  chunks: { key: [string, number]; value: unknown };
  /** [run, iteration, place in the iteration, agents that it was told for] → one episode. */
  transcripts: { key: [string, number, number, number]; value: unknown };
  /** [run, iteration, place in the iteration, agents that spiked, bytes] → one group record. */
  groups: { key: [string, number, number, number, number]; value: unknown };
  /** [run, iteration] → which file, how long, and its checksum. */
  checkpoints: { key: [string, number]; value: unknown };
  /** Id of the notebook → its text. */
  notebooks: { key: string; value: unknown };
}

export const storeNames = [
  'runs',
  'chunks',
  'transcripts',
  'groups',
  'checkpoints',
  'notebooks',
] as const;

export type StoreName = (typeof storeNames)[number];

/** May wait for requests of the transaction only. */
export type Upgrade = (
  database: IDBPDatabase<Schema>,
  transaction: IDBPTransaction<Schema, StoreName[], 'versionchange'>,
) => Promise<void> | void;

/**
 * Entry v leads from version v to version v + 1, and stays as it is for ever: the newest version is their number. A database that
 * was saved by each of them is in `golden`.
 */
export const databaseUpgrades: readonly Upgrade[] = [
  (database) => {
    for (const name of [
      'runs',
      'chunks',
      'transcripts',
      'groups',
      'checkpoints',
      'notebooks',
    ] as const)
      database.createObjectStore(name);
  },
];
