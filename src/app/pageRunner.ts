import type { StoreApi } from 'zustand';
import { createRunner, type Runner } from './runner';
import type { RunState } from './runState';
import { createTrainerClient } from './trainerClient';

/** A runner with the page’s own clock, timers and trainer workers. */
export function createPageRunner(store: StoreApi<RunState>): Runner {
  return createRunner({
    store,
    createClient: createTrainerClient,
    nowMs: () => performance.now(),
    later: (callback, delayMs) => setTimeout(callback, delayMs),
  });
}
