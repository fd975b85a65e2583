import { useStore } from 'zustand';
import { useDesk } from './desks';
import type { RunState } from './runState';

/** The run of the experiment that this part of the page speaks of. */
export function useRun<T>(selector: (run: RunState) => T): T {
  return useStore(useDesk().run, selector);
}
