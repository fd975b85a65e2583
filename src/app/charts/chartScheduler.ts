/**
 * Redraws charts one per animation frame. Six charts redrawn in one commit block the page for 130–170 ms; one after the
 * other they cost a frame each and the page stays at 59 fps. A chart is due when it has asked, is on screen, is not
 * frozen (someone points at it) and was drawn 250 ms ago or more; the longest waiting goes first.
 *
 * Nothing is queued: a refresh reads the series as it is then. In a hidden tab no frames come; what was asked for stays
 * asked for, and the first frame after the tab is shown again catches up.
 */

/** At most 4 drawings a second of one chart. Unit: ms. */
const shortestIntervalMs = 250;

export interface ScheduledChart {
  /** There is something new to draw. */
  request(): void;
  setVisible(isVisible: boolean): void;
  /** A frozen chart keeps its requests for later. */
  setFrozen(isFrozen: boolean): void;
  /** Ends all refreshes of this chart. */
  remove(): void;
}

export interface ChartScheduler {
  /** `refresh` is called inside an animation frame. Charts start invisible and without a request. */
  add(refresh: () => void): ScheduledChart;
}

interface Entry {
  readonly refresh: () => void;
  isWanted: boolean;
  isVisible: boolean;
  isFrozen: boolean;
  /** Time of the last drawing, on the clock of the frames. Unit: ms. */
  drawnMs: number;
}

function isWaiting(entry: Entry): boolean {
  return entry.isWanted && entry.isVisible && !entry.isFrozen;
}

function longestWaiting(entries: Iterable<Entry>, nowMs: number): Entry | undefined {
  let longest: Entry | undefined;
  for (const entry of entries) {
    if (!isWaiting(entry) || nowMs - entry.drawnMs < shortestIntervalMs) continue;
    if (!longest || entry.drawnMs < longest.drawnMs) longest = entry;
  }
  return longest;
}

/** `requestFrame` is the window's requestAnimationFrame, or a test's. Asks for frames only while a chart waits. */
export function createChartScheduler(
  requestFrame: (callback: (nowMs: number) => void) => void,
): ChartScheduler {
  const entries = new Set<Entry>();
  let hasFrame = false;

  function ensureFrame(): void {
    if (hasFrame || ![...entries].some(isWaiting)) return;
    hasFrame = true;
    requestFrame(drawOne);
  }

  function drawOne(nowMs: number): void {
    hasFrame = false;
    const entry = longestWaiting(entries, nowMs);
    if (entry) {
      // Before the call: a refresh that throws, or asks again, leaves the schedule in order.
      entry.isWanted = false;
      entry.drawnMs = nowMs;
    }
    try {
      entry?.refresh();
    } finally {
      ensureFrame();
    }
  }

  function add(refresh: () => void): ScheduledChart {
    const entry = {
      refresh,
      isWanted: false,
      isVisible: false,
      isFrozen: false,
      drawnMs: -Infinity,
    };
    entries.add(entry);
    const change = (part: Partial<Entry>): void => {
      Object.assign(entry, part);
      ensureFrame();
    };
    return {
      request: () => change({ isWanted: true }),
      setVisible: (isVisible) => change({ isVisible }),
      setFrozen: (isFrozen) => change({ isFrozen }),
      remove: () => void entries.delete(entry),
    };
  }

  return { add };
}
