import { browserFiles } from './checkpointFiles';
import { newsChannelName } from './news';
import { openStorage } from './openStorage';
import type { OpenedStorage } from './storageApi';

/** Opens what this browser keeps of runs and notebooks. To be called once a page. */
export function openBrowserStorage(): Promise<OpenedStorage> {
  // On a page that is not secure, browsers have neither locks nor files; some refuse the very names.
  const storage = 'storage' in navigator ? navigator.storage : null;
  return openStorage({
    factory: () => indexedDB,
    later: (callback, delayMs) => setTimeout(callback, delayMs),
    files: browserFiles(async () => {
      if (storage === null) throw new Error('This browser keeps no files for this page.');
      return storage.getDirectory();
    }),
    locks: 'locks' in navigator ? navigator.locks : null,
    channel: () =>
      'BroadcastChannel' in globalThis ? new BroadcastChannel(newsChannelName) : null,
    space: storage,
    now: () => Date.now(),
    freshId,
  });
}

/** 64 random bits in hexadecimal digits. Not `randomUUID`: that needs a secure page. */
function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
