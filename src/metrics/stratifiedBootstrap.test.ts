import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normal, foldIn, keyFromSeed } from '../rl/rng';
import { mismatch } from '../rl/golden/mismatch';
import { anyScores, reordered } from './golden/arbitraries';
import { everyDraw, seededDraws, weyl } from './golden/draws';
import { loadDrawn, loadListed, tolerance } from './golden/statistics';
import { interquartileMean, meanOfTaskMeans, optimalityGap } from './iqm';
import { stratifiedBootstrap, type Estimate } from './stratifiedBootstrap';
import type { TaskScores } from './taskScores';

const statistics = {
  iqm: interquartileMean,
  mean: meanOfTaskMeans,
  gap: (scores: TaskScores): number => optimalityGap(scores),
} as const;

describe.each(['iqm', 'mean', 'gap'] as const)('%s', (name) => {
  const { scores, intervals } = loadListed(name);
  test.each(intervals)('over every draw, at level $level', ({ level, low, high }) => {
    const draws = everyDraw(scores.map(({ length }) => length));
    const { interval } = stratifiedBootstrap(scores, statistics[name], { level, ...draws });
    expect(mismatch([interval!.low, interval!.high], [low, high], tolerance)).toBeNull();
  });
});

test('over the same drawn sequence, counter by counter', () => {
  const { scores, numResamples, level, low, high } = loadDrawn();
  const { interval } = stratifiedBootstrap(scores, interquartileMean, {
    level,
    numResamples,
    uniform: weyl,
  });
  expect(mismatch([interval!.low, interval!.high], [low, high], tolerance)).toBeNull();
});

test('two tasks of two seeds: the sixteen means of means, by hand', () => {
  // Task means: 0, 2, 2, 4 and 0, 4, 4, 8. Their means: 0 1 1 2 | 2 3 3 4 twice | 4 5 5 6.
  // Sorted 0 1 1 2 2 2 3 3 3 3 4 4 4 5 5 6; a tail of 0.1 is position 1.5, between 1 and 1; a tail of 0.2 is 3: 2.
  const options = everyDraw([2, 2]);
  const at = (level: number): Estimate =>
    stratifiedBootstrap(
      [
        [0, 4],
        [8, 0],
      ],
      meanOfTaskMeans,
      { level, ...options },
    );
  expect(at(0.8).interval!.low).toBeCloseTo(1, 12);
  expect(at(0.6).interval!.low).toBeCloseTo(2, 12);
  expect(at(0.6).interval!.high).toBeCloseTo(4, 12);
  expect(at(0.6).estimate).toBe(3);
});

test('tasks far apart add no width: they are not resampled', () => {
  const scores = [
    [0, 0, 0],
    [1000, 1000, 1000],
  ];
  const { estimate, interval } = stratifiedBootstrap(scores, meanOfTaskMeans, {
    level: 0.95,
    ...seededDraws(1, 100),
  });
  expect(estimate).toBe(500);
  expect(interval).toEqual({ low: 500, high: 500 });
});

function bootstrapped(scores: TaskScores, level: number, seed: number = 3): Estimate {
  return stratifiedBootstrap(scores, interquartileMean, { level, ...seededDraws(seed, 100) });
}

test('a seed of the draws gives the same interval again to the last bit, another seed another one', () => {
  const scores = [
    [0.11, 0.52, 0.93, 0.34, 0.75],
    [1.2, 2.3, 0.4],
  ];
  expect(bootstrapped(scores, 0.9)).toEqual(bootstrapped(scores, 0.9));
  expect(bootstrapped(scores, 0.9).interval).not.toEqual(bootstrapped(scores, 0.9, 4).interval);
});

test('the order in which seeds are listed changes nothing, to the last bit', () => {
  fc.assert(
    fc.property(anyScores(1), fc.nat(6), (scores, turn) => {
      expect(bootstrapped(reordered(scores, turn), 0.9)).toEqual(bootstrapped(scores, 0.9));
    }),
  );
});

test('estimate and interval follow a shift and a scale, and a higher level contains a lower', () => {
  fc.assert(
    fc.property(anyScores(2), fc.integer({ min: -9, max: 9 }), (scores, shift) => {
      const before = bootstrapped(scores, 0.8);
      const after = bootstrapped(
        scores.map((values) => values.map((score) => 4 * score + shift)),
        0.8,
      );
      expect(after.estimate).toBeCloseTo(4 * before.estimate + shift, 10);
      expect(after.interval!.low).toBeCloseTo(4 * before.interval!.low + shift, 10);
      expect(after.interval!.high).toBeCloseTo(4 * before.interval!.high + shift, 10);
      const wide = bootstrapped(scores, 0.95);
      expect(wide.interval!.low).toBeLessThanOrEqual(before.interval!.low + 1e-12);
      expect(wide.interval!.high).toBeGreaterThanOrEqual(before.interval!.high - 1e-12);
    }),
  );
});

test('symmetric scores: the interval contains the estimate, which is the centre', () => {
  fc.assert(
    fc.property(anyScores(2), (scores) => {
      const symmetric = scores.map((values) => values.flatMap((score) => [3 - score, 3 + score]));
      const { estimate, interval } = bootstrapped(symmetric, 0.95);
      expect(estimate).toBeCloseTo(3, 10);
      expect(interval!.low).toBeLessThanOrEqual(estimate + 1e-12);
      expect(interval!.high).toBeGreaterThanOrEqual(estimate - 1e-12);
    }),
  );
});

test('symmetric scores: over every draw the interval is symmetric too', () => {
  const { estimate, interval } = stratifiedBootstrap(
    [
      [-1, 0, 1],
      [5, 9],
    ],
    interquartileMean,
    {
      level: 0.7,
      ...everyDraw([3, 2]),
    },
  );
  // ⌊5/4⌋ = 1: of −1 0 1 5 9 the middle three are left.
  expect(estimate).toBe(2);
  expect(interval!.low).toBeLessThan(2);
  expect(interval!.high).toBeGreaterThan(2);
});

test('one seed gives an estimate without an interval, also if only one task has a single seed', () => {
  for (const scores of [[[0.4]], [[0.4, 0.5, 0.6], [0.4]]]) {
    const { interval, numSeeds, isFewSeeds, numTasks } = bootstrapped(scores, 0.95);
    expect(interval).toBeNull();
    expect([numSeeds, isFewSeeds, numTasks]).toEqual([1, true, scores.length]);
  }
  expect(bootstrapped([[0.4]], 0.95).estimate).toBe(0.4);
});

test('N, its warning, level and resamples come with the result', () => {
  const five = bootstrapped(
    [
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5, 6],
    ],
    0.95,
  );
  expect(five).toMatchObject({ numSeeds: 5, numTasks: 2, isFewSeeds: false });
  expect(five).toMatchObject({ level: 0.95, numResamples: 100 });
  expect(bootstrapped([[1, 2, 3, 4]], 0.95).isFewSeeds).toBe(true);
});

test('it covers the true mean of 10 normal seeds as often as the mean alone would', () => {
  // The percentile interval of a mean is about mean ± 1.96·s·√(9/10)/√10, so it covers with P(|t₉| < 1.96·√0.9 = 1.859) = 0.904.
  // With 400 data sets the share has a standard error of 0.015.
  let covered = 0;
  for (let set = 0; set < 400; set++) {
    const key = foldIn(keyFromSeed(21), set);
    const scores = [Array.from({ length: 10 }, (_, seed) => 2 + normal(key, seed))];
    const { interval } = stratifiedBootstrap(scores, meanOfTaskMeans, {
      level: 0.95,
      ...seededDraws(2000 + set, 400),
    });
    if (interval!.low <= 2 && 2 <= interval!.high) covered++;
  }
  expect(Math.abs(covered / 400 - 0.904)).toBeLessThan(3 * 0.015);
});

test('no scores, scores or statistics that are not finite, and options out of range are refused', () => {
  const draws = { level: 0.95, ...seededDraws(0, 10) };
  expect(() => bootstrapped([], 0.95)).toThrow('scores has no tasks');
  expect(() => bootstrapped([[1], []], 0.95)).toThrow('scores has no scores for task 1');
  expect(() => bootstrapped([[1, NaN]], 0.95)).toThrow('scores of task 0 is NaN at position 1');
  expect(() => bootstrapped([[1]], 1)).toThrow('level is 1');
  expect(() =>
    stratifiedBootstrap([[1, 2]], interquartileMean, { ...draws, numResamples: 0 }),
  ).toThrow('numResamples is 0');
  expect(() => stratifiedBootstrap([[1, 2]], () => NaN, draws)).toThrow(
    'The statistic of resample 0 is NaN',
  );
});
