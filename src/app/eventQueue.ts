import type { RunEvent } from './runState';

/** An event and when it reached the page. Unit: ms on the clock of the caller. */
export interface StampedEvent {
  readonly event: RunEvent;
  readonly atMs: number;
}

interface EventQueue {
  readonly push: (event: RunEvent) => void;
}

interface Clock {
  readonly nowMs: () => number;
  /** Calls back once, later. A timer, not an animation frame: a hidden tab has no frames. */
  readonly later: (callback: () => void) => void;
}

/**
 * Collects events and hands them over in one batch at most once per `clock.later`, so that a fast trainer
 * costs the page one render per batch and not one per event. The end of a run is handed over at once.
 */
export function createEventQueue(
  deliver: (batch: readonly StampedEvent[]) => void,
  clock: Clock,
): EventQueue {
  let waiting: StampedEvent[] = [];
  let isScheduled = false;
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) deliver(batch);
  };
  const push = (event: RunEvent): void => {
    waiting.push({ event, atMs: clock.nowMs() });
    if (event.kind === 'finished' || event.kind === 'failed' || event.kind === 'crashed') flush();
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    clock.later(() => {
      isScheduled = false;
      flush();
    });
  };
  return { push };
}
