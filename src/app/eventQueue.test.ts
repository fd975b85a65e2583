import { expect, test } from 'vitest';
import { createEventQueue, type StampedEvent } from './eventQueue';
import type { RunEvent } from './runState';

function notice(message: string): RunEvent {
  return { kind: 'notice', message };
}

function queueUnderTest() {
  const batches: (readonly StampedEvent[])[] = [];
  const callbacks: (() => void)[] = [];
  let nowMs = 0;
  const queue = createEventQueue((batch) => batches.push(batch), {
    nowMs: () => (nowMs += 10),
    later: (callback) => callbacks.push(callback),
  });
  return { batches, callbacks, queue };
}

test('events that come together are handed over together, in order, each with its own time', () => {
  const { batches, callbacks, queue } = queueUnderTest();
  queue.push(notice('a'));
  queue.push(notice('b'));
  expect(batches).toEqual([]);
  expect(callbacks).toHaveLength(1);
  callbacks[0]?.();
  expect(batches).toEqual([
    [
      { event: notice('a'), atMs: 10 },
      { event: notice('b'), atMs: 20 },
    ],
  ]);
});

test('a batch schedules the next one anew', () => {
  const { batches, callbacks, queue } = queueUnderTest();
  queue.push(notice('a'));
  callbacks[0]?.();
  queue.push(notice('b'));
  expect(callbacks).toHaveLength(2);
  callbacks[1]?.();
  expect(batches.map((batch) => batch.length)).toEqual([1, 1]);
});

test('the end of a run does not wait for the timer and takes along what came before', () => {
  const { batches, queue } = queueUnderTest();
  queue.push(notice('a'));
  queue.push({ kind: 'finished', iteration: 3, reason: 'completed' });
  expect(batches.map((batch) => batch.map(({ event }) => event.kind))).toEqual([
    ['notice', 'finished'],
  ]);
});
