import { create } from 'zustand';
import { createRunner } from './runner';
import { initialRunState, type RunState } from './runState';
import { createTrainerClient } from './trainerClient';

/** The run as the components see it. Written only by the runner. */
export const useRun = create<RunState>(() => initialRunState);

export const runner = createRunner({
  store: useRun,
  createClient: createTrainerClient,
  nowMs: () => performance.now(),
  later: (callback, delayMs) => setTimeout(callback, delayMs),
});
