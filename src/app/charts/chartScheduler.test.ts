import { expect, test } from 'vitest';
import { createChartScheduler, type ChartScheduler } from './chartScheduler';

/** Animation frames by hand: `frame(ms)` runs the one that was asked for, if any, and says whether there was one. */
function handFrames(): { scheduler: ChartScheduler; frame: (nowMs: number) => boolean } {
  let asked: ((nowMs: number) => void) | null = null;
  const scheduler = createChartScheduler((callback) => {
    asked = callback;
  });
  const frame = (nowMs: number): boolean => {
    const callback = asked;
    asked = null;
    callback?.(nowMs);
    return callback !== null;
  };
  return { scheduler, frame };
}

function visibleChart(scheduler: ChartScheduler, drawings: string[], name: string) {
  const chart = scheduler.add(() => drawings.push(name));
  chart.setVisible(true);
  return chart;
}

test('one chart is drawn per frame, and no frame is asked for when nothing waits', () => {
  const { scheduler, frame } = handFrames();
  const drawings: string[] = [];
  const charts = ['a', 'b', 'c'].map((name) => visibleChart(scheduler, drawings, name));
  expect(frame(0)).toBe(false);
  for (const chart of charts) chart.request();
  frame(16);
  expect(drawings).toEqual(['a']);
  frame(32);
  frame(48);
  expect(drawings).toEqual(['a', 'b', 'c']);
  expect(frame(64)).toBe(false);
});

test('a chart is drawn at most every 250 ms, and the last request is not lost', () => {
  const { scheduler, frame } = handFrames();
  const drawings: string[] = [];
  const chart = visibleChart(scheduler, drawings, 'a');
  for (let ms = 0; ms <= 1000; ms += 10) {
    chart.request();
    frame(ms);
  }
  // at 0 (the request before it was made at 0), 250, 500, 750 and 1000 ms
  expect(drawings).toHaveLength(5);
  chart.request();
  for (let ms = 1010; ms <= 1250; ms += 10) frame(ms);
  expect(drawings).toHaveLength(6);
});

test('of the due charts the one drawn longest ago goes first', () => {
  const { scheduler, frame } = handFrames();
  const drawings: string[] = [];
  const [first, second] = ['a', 'b'].map((name) => visibleChart(scheduler, drawings, name));
  first?.request();
  second?.request();
  frame(0);
  frame(16);
  second?.request();
  first?.request();
  frame(300);
  expect(drawings).toEqual(['a', 'b', 'a']);
});

test('a chart off screen or frozen keeps its request until it is back', () => {
  const { scheduler, frame } = handFrames();
  const drawings: string[] = [];
  const chart = visibleChart(scheduler, drawings, 'a');
  chart.setVisible(false);
  chart.request();
  expect(frame(0)).toBe(false);
  chart.setVisible(true);
  frame(300);
  chart.setFrozen(true);
  chart.request();
  expect(frame(600)).toBe(false);
  expect(drawings).toEqual(['a']);
  chart.setFrozen(false);
  frame(900);
  expect(drawings).toEqual(['a', 'a']);
});

test('requests made while no frames come (a hidden tab) are answered by the first frame', () => {
  const { scheduler, frame } = handFrames();
  const drawings: string[] = [];
  const chart = visibleChart(scheduler, drawings, 'a');
  for (let iteration = 0; iteration < 100; iteration++) chart.request();
  frame(60_000);
  expect(drawings).toEqual(['a']);
});

test('a removed chart is not drawn, and a refresh that throws does not stop the others', () => {
  const { scheduler, frame } = handFrames();
  const drawings: string[] = [];
  const removed = visibleChart(scheduler, drawings, 'removed');
  const broken = scheduler.add(() => {
    throw new Error('broken chart');
  });
  broken.setVisible(true);
  const sound = visibleChart(scheduler, drawings, 'sound');
  for (const chart of [removed, broken, sound]) chart.request();
  removed.remove();
  expect(() => frame(0)).toThrow('broken chart');
  frame(16);
  expect(drawings).toEqual(['sound']);
});
