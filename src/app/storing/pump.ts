/** Time between two rounds of work. What is lost when the browser crashes is this much of a run. Unit: ms. */
const gapMs = 1000;

interface PumpWorld {
  readonly nowMs: () => number;
  readonly later: (callback: () => void, delayMs: number) => void;
  /** Calls back when the page has nothing better to do. */
  readonly whenIdle: (callback: () => void) => void;
}

interface Pump {
  /** Does the work soon, no more often than once in `gapMs`. */
  readonly schedule: () => void;
  /** Does it now, or waits for the end of what is being done. */
  readonly run: () => Promise<void>;
  readonly running: () => Promise<void> | null;
}

/** Does some work again and again, while there is some, one round at a time and off the critical path. */
export function createPump(
  world: PumpWorld,
  work: () => Promise<void>,
  hasMore: () => boolean,
): Pump {
  let running: Promise<void> | null = null;
  let isScheduled = false;
  let nextAtMs = -Infinity;
  const run = (): Promise<void> => {
    running ??= work().finally(() => {
      running = null;
      nextAtMs = world.nowMs() + gapMs;
      if (hasMore()) schedule();
    });
    return running;
  };
  const start = (): void => {
    isScheduled = false;
    // What is refused is noted run by run.
    void run();
  };
  const schedule = (): void => {
    if (isScheduled || running !== null) return;
    isScheduled = true;
    const waitMs = nextAtMs - world.nowMs();
    if (waitMs <= 0) world.whenIdle(start);
    else world.later(() => world.whenIdle(start), waitMs);
  };
  return { schedule, run, running: () => running };
}
