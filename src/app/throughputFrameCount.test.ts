import { expect, test } from 'vitest';
import { countFrames, noFrames, type FrameCount } from './throughputFrameCount';

/** Frames and visibility as the test plays them. */
function fakePage() {
  let waiting: ((nowMs: number) => void) | null = null;
  let isHidden = false;
  let onVisibility: (() => void) | null = null;
  return {
    world: {
      requestFrame: (callback: (nowMs: number) => void) => {
        waiting = callback;
        return 1;
      },
      cancelFrame: () => {
        waiting = null;
      },
      isHidden: () => isHidden,
      onVisibility: (callback: () => void) => {
        onVisibility = callback;
        return () => {
          onVisibility = null;
        };
      },
    },
    frameAt: (nowMs: number): void => {
      const callback = waiting;
      waiting = null;
      callback?.(nowMs);
    },
    setHidden: (next: boolean): void => {
      isHidden = next;
      onVisibility?.();
    },
    isIdle: () => waiting === null && onVisibility === null,
  };
}

function counted(play: (page: ReturnType<typeof fakePage>) => void, start = noFrames): FrameCount {
  const page = fakePage();
  let last: FrameCount | null = null;
  const end = countFrames(page.world, start, (count) => {
    last = count;
  });
  play(page);
  end();
  expect(page.isIdle()).toBe(true);
  return last ?? noFrames;
}

test('a frame is long when more than 50 ms passed since the one before', () => {
  const count = counted(({ frameAt }) => [0, 16, 66, 117, 133].forEach(frameAt));
  // Intervals 16, 50, 51, 16: one is longer than 50.
  expect(count).toEqual({ numShown: 4, numLong: 1 });
});

test('one frame alone has no length', () => {
  expect(counted(({ frameAt }) => frameAt(7))).toEqual(noFrames);
});

test('the time in a hidden tab is no frame', () => {
  const count = counted(({ frameAt, setHidden }) => {
    [0, 16].forEach(frameAt);
    setHidden(true);
    setHidden(false);
    [90_000, 90_016].forEach(frameAt);
  });
  expect(count).toEqual({ numShown: 2, numLong: 0 });
});

test('counting goes on from where a pause ended it', () => {
  const count = counted(({ frameAt }) => [0, 100].forEach(frameAt), { numShown: 9, numLong: 2 });
  expect(count).toEqual({ numShown: 10, numLong: 3 });
});

test('the count is published at most four times a second, and once more at the end', () => {
  const page = fakePage();
  const published: number[] = [];
  const end = countFrames(page.world, noFrames, ({ numShown }) => published.push(numShown));
  for (let nowMs = 0; nowMs <= 990; nowMs += 10) page.frameAt(nowMs);
  // At 0, 250, 500 and 750 ms.
  expect(published).toEqual([0, 25, 50, 75]);
  end();
  expect(published.at(-1)).toBe(99);
});
