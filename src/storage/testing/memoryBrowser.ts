import { IDBFactory } from 'fake-indexeddb';
import { openStorage, type StorageWorld } from '../openStorage';
import type { RunStorage } from '../storageApi';
import { createFakeLocks } from './fakeLocks';
import { defineDatabaseGlobals, followFaults } from './fakeDatabase';
import { createFaults, type Faults } from './faults';
import { createMemoryFiles, type MemoryFiles } from './memoryFiles';

/** One browser with its disk, in memory. Every `open` is a tab. */
export interface MemoryBrowser {
  readonly factory: IDBFactory;
  readonly files: MemoryFiles;
  readonly faults: Faults;
  world(changes?: Partial<StorageWorld>): StorageWorld;
  open(changes?: Partial<StorageWorld>): Promise<RunStorage>;
  /** To be called when the test is over. */
  end(): Promise<void>;
}

let numBrowsers = 0;

export function createMemoryBrowser(): MemoryBrowser {
  defineDatabaseGlobals();
  const factory = new IDBFactory();
  const faults = createFaults();
  const files = createMemoryFiles(faults);
  const locks = createFakeLocks();
  const channelName = `marlbook.test.${numBrowsers++}`;
  const follow = followFaults(faults);
  const tabs: RunStorage[] = [];
  let nowMs = 1_700_000_000_000;
  let nextId = 0;
  const world = (changes: Partial<StorageWorld> = {}): StorageWorld => ({
    factory: () => factory,
    later: (callback, delayMs) => setTimeout(callback, delayMs),
    files,
    locks,
    channel: () => new BroadcastChannel(channelName),
    space: null,
    now: () => nowMs++,
    freshId: () => `id${nextId++}`,
    ...changes,
  });
  return {
    factory,
    files,
    faults,
    world,
    async open(changes) {
      const opened = await openStorage(world(changes));
      if (!opened.ok) throw new Error(opened.message);
      tabs.push(opened.storage);
      return opened.storage;
    },
    async end() {
      faults.disarm();
      await Promise.all(tabs.map((tab) => tab.close()));
      follow();
    },
  };
}
