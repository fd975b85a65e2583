import { create } from 'zustand';
import { allDesks, watchRuns, type Desk } from './desks';
import { isActive } from './runState';

/** The experiment whose run is at work, one at most: they would share one GPU and slow each other down. */
export function activeDesk(): Desk | null {
  return allDesks().find(({ run }) => isActive(run.getState().phase)) ?? null;
}

/** Its id; null while nothing runs. */
export const useActiveExperiment = create<{ readonly id: string | null }>(() => ({ id: null }));

watchRuns(() => {
  const id = activeDesk()?.id ?? null;
  if (useActiveExperiment.getState().id !== id) useActiveExperiment.setState({ id });
});
