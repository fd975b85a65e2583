import type { StoreApi } from 'zustand';
import type { RunSeries } from '../../metrics/runSeries';
import type { TrainerEvent, TrainerListener } from '../../protocol/trainerApi';
import type { RunState } from '../runState';

/** What the trainers tell, on its way to the page: storage keeps it as it came. */

export interface HeardEvent {
  /** Of the run that it belongs to: its own from its start to its end. */
  readonly series: RunSeries;
  readonly event: TrainerEvent;
}

/** Heard before storing has started, which is soon after the page has. */
let early: HeardEvent[] = [];
let hear = (heard: HeardEvent): void => {
  early.push(heard);
};

/** The listener of a trainer whose run is in `store`, overheard. */
export function overheard(
  store: Pick<StoreApi<RunState>, 'getState'>,
  listener: TrainerListener,
): TrainerListener {
  return (event) => {
    hear({ series: store.getState().series, event });
    listener(event);
  };
}

/** Gives everything that is heard to `listener`, what came before first. */
export function listenToRuns(listener: (heard: HeardEvent) => void): void {
  hear = listener;
  const before = early;
  early = [];
  for (const heard of before) listener(heard);
}
