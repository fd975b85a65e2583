import { expect, test } from 'vitest';
import { mismatch } from '../rl/golden/mismatch';
import { seededDraws, weyl } from './golden/draws';
import { loadEfficiency, tolerance } from './golden/statistics';
import { interquartileMean } from './iqm';
import { sampleEfficiency, type SampleEfficiency } from './sampleEfficiency';
import type { ScoreLine } from './scoreLine';
import { stratifiedBootstrap } from './stratifiedBootstrap';

test('seeds of two tasks that end, skip and fail agree with exact fractions', () => {
  const { tasks, level, numResamples, rows } = loadEfficiency();
  const curve = sampleEfficiency(tasks, { level, numResamples, uniform: weyl });
  expect([...curve.xs]).toEqual(rows.map(({ x }) => x));
  expect([...curve.numSeeds]).toEqual(rows.map(({ numSeeds }) => numSeeds));
  expect([...curve.numNotFinite]).toEqual(rows.map(({ numNotFinite }) => numNotFinite));
  expect(
    mismatch(
      curve.estimates,
      rows.map(({ estimate }) => estimate),
      tolerance,
    ),
  ).toBeNull();
  const low = rows.map(({ interval }) => interval?.low ?? NaN);
  const high = rows.map(({ interval }) => interval?.high ?? NaN);
  expect(mismatch(curve.low, low, tolerance)).toBeNull();
  expect(mismatch(curve.high, high, tolerance)).toBeNull();
});

const options = { level: 0.9, ...seededDraws(4, 80) };

function curveOf(tasks: readonly (readonly ScoreLine[])[]): SampleEfficiency {
  return sampleEfficiency(tasks, options);
}

function line(...values: number[]): ScoreLine {
  return { xs: values.map((_, index) => 10 * index), values };
}

test('a seed that has ended takes no part beyond its end, and N says so', () => {
  const { xs, estimates, low, high, numSeeds } = curveOf([[line(0, 1, 2, 3), line(2, 3), line(4)]]);
  expect([...xs]).toEqual([0, 10, 20, 30]);
  expect([...numSeeds]).toEqual([3, 2, 1, 1]);
  // Fewer than four: plain means of {0, 2, 4}, {1, 3}, {2}, {3}.
  expect([...estimates]).toEqual([2, 2, 2, 3]);
  expect([...low].map(Number.isFinite)).toEqual([true, true, false, false]);
  expect([...high].map(Number.isFinite)).toEqual([true, true, false, false]);
});

test('each x has the interval of its scores alone, drawn from the same counters', () => {
  const lines = [line(0.1, 0.4, 0.9), line(0.3, 0.2), line(0.2, 0.8, 0.7), line(0, 0.5, 1)];
  const { estimates, low, high } = curveOf([lines]);
  for (const row of [0, 1, 2]) {
    const scores = lines.flatMap(({ values }) => values[row] ?? []);
    const alone = stratifiedBootstrap([scores], interquartileMean, options);
    expect(estimates[row]).toBe(alone.estimate);
    expect({ low: low[row], high: high[row] }).toEqual(alone.interval);
  }
});

test('where a task has no score there is no estimate, and scores that are not finite are counted', () => {
  const { estimates, numSeeds, numNotFinite } = curveOf([
    [line(1, NaN, 3), line(1, Infinity, 5)],
    [line(0, 0), line(2, 2)],
  ]);
  expect([...numSeeds]).toEqual([2, 0, 0]);
  expect([...numNotFinite]).toEqual([0, 2, 0]);
  expect([...estimates]).toEqual([1, NaN, NaN]);
});

test('the order of seeds changes nothing, and neither does a shift of x', () => {
  const lines = [line(0.1, 0.4, 0.9), line(0.3, 0.2), line(0.2, 0.8, 0.7)];
  expect(curveOf([lines.toReversed()])).toEqual(curveOf([lines]));
  const later = lines.map(({ xs, values }) => ({ xs: Array.from(xs, (x) => x + 0.5), values }));
  const { xs, ...rest } = curveOf([later]);
  expect([...xs]).toEqual([0.5, 10.5, 20.5]);
  expect(rest).toEqual({ ...curveOf([lines]), xs: undefined });
});

test('estimates and band follow a shift and a scale of the scores', () => {
  const lines = [line(0.1, 0.4), line(0.3, 0.2), line(0.2, 0.8)];
  const moved = lines.map(({ xs, values }) => ({
    xs,
    values: Array.from(values, (value) => 3 * value - 2),
  }));
  const [before, after] = [curveOf([lines]), curveOf([moved])];
  for (const part of ['estimates', 'low', 'high'] as const)
    expect(
      mismatch(
        after[part],
        before[part].map((value) => 3 * value - 2),
        1e-12,
      ),
    ).toBeNull();
});

test('fewer than five seeds at any x is few', () => {
  const five = [line(1, 2), line(1, 2), line(1, 2), line(1, 2), line(1, 2)];
  expect(curveOf([five]).isFewSeeds).toBe(false);
  expect(curveOf([[...five.slice(1), line(1)]]).isFewSeeds).toBe(true);
  expect(curveOf([five])).toMatchObject({ numTasks: 1, level: 0.9, numResamples: 80 });
});

test('seeds that have logged nothing yet give an empty curve', () => {
  const curve = curveOf([[line(), line()]]);
  expect([curve.xs.length, curve.estimates.length, curve.isFewSeeds]).toEqual([0, 0, false]);
});

test('no tasks, a task without lines, and xs that do not increase are refused', () => {
  expect(() => curveOf([])).toThrow('tasks is empty');
  expect(() => curveOf([[line(1)], []])).toThrow('Task 1 has no lines');
  expect(() => curveOf([[line(1), { xs: [2, 1], values: [0, 0] }]])).toThrow(
    'Line 1 of task 0 has x 1 at position 1',
  );
  expect(() => sampleEfficiency([[line(1)]], { ...options, level: 2 })).toThrow('level is 2');
});
