/** A frame that took longer than this is one that people see stutter. Unit: ms. */
export const longFrameMs = 50;
/** How often the count is published. Unit: ms. */
const publishMs = 250;

/** Frames of the page while a run trained and the tab could be seen. */
export interface FrameCount {
  readonly numShown: number;
  readonly numLong: number;
}

export const noFrames: FrameCount = { numShown: 0, numLong: 0 };

/** Count after a frame that came `intervalMs` after the one before. */
function withFrame({ numShown, numLong }: FrameCount, intervalMs: number): FrameCount {
  return { numShown: numShown + 1, numLong: numLong + (intervalMs > longFrameMs ? 1 : 0) };
}

/** The window’s animation frames and the visibility of its tab, or a test’s. */
export interface FrameWorld {
  readonly requestFrame: (callback: (nowMs: number) => void) => number;
  readonly cancelFrame: (handle: number) => void;
  readonly isHidden: () => boolean;
  /** Calls back on every change of visibility; returns how to end that. */
  readonly onVisibility: (callback: () => void) => () => void;
}

/**
 * Counts frames on top of `start` until the returned function is called. A hidden tab has no frames, and the time it was hidden
 * is no frame either: counting begins anew with the first frame after it.
 */
export function countFrames(
  world: FrameWorld,
  start: FrameCount,
  publish: (count: FrameCount) => void,
): () => void {
  let count = start;
  let lastMs: number | null = null;
  let publishedMs = -Infinity;
  const onFrame = (nowMs: number): void => {
    if (lastMs !== null) count = withFrame(count, nowMs - lastMs);
    lastMs = nowMs;
    if (nowMs - publishedMs >= publishMs) {
      publishedMs = nowMs;
      publish(count);
    }
    handle = world.requestFrame(onFrame);
  };
  let handle = world.requestFrame(onFrame);
  const unwatch = world.onVisibility(() => {
    if (world.isHidden()) lastMs = null;
  });
  return () => {
    world.cancelFrame(handle);
    unwatch();
    publish(count);
  };
}
