import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyScores, reordered } from './golden/arbitraries';
import { mismatch } from '../rl/golden/mismatch';
import { loadAggregates, tolerance } from './golden/statistics';
import {
  interquartileMean,
  meanOfTaskMeans,
  medianOfScores,
  medianOfTaskMeans,
  optimalityGap,
} from './iqm';
import type { TaskScores } from './taskScores';

test.each(loadAggregates())('scores $scores agree with exact fractions', ({ scores, expected }) => {
  expect(
    mismatch(
      [
        interquartileMean(scores),
        meanOfTaskMeans(scores),
        medianOfTaskMeans(scores),
        medianOfScores(scores),
        optimalityGap(scores),
        optimalityGap(scores, 0.5),
      ],
      ['iqm', 'mean', 'median', 'median_of_scores', 'gap', 'gap_of_half'].map(expected),
      tolerance,
    ),
  ).toBeNull();
});

test('four scores lose one at each end, three lose none, seven lose one and eight two', () => {
  expect(interquartileMean([[100, 2, 4, -50]])).toBe(3);
  expect(interquartileMean([[100, 2, 0]])).toBe(34);
  // ⌊7/4⌋ = 1: 1 … 5 are left. ⌊8/4⌋ = 2: 2 … 5 are left.
  expect(interquartileMean([[0, 1, 2, 3, 4, 5, 99]])).toBe(3);
  expect(interquartileMean([[0, 1, 2, 3, 4, 5, 6, 99]])).toBe(3.5);
});

test('the quarters are those of all tasks together, not of each task', () => {
  // 0 1 10 11 12 13 without the first and the last; by task, 1, 0, 11 and 12 would be left.
  expect(
    interquartileMean([
      [0, 1],
      [10, 11, 12, 13],
    ]),
  ).toBe((1 + 10 + 11 + 12) / 4);
});

test('the median over tasks is of means, the median of scores is not', () => {
  // Means: 1, 4, 9. Scores sorted: 0 1 2 4 9.
  const scores = [[0, 2, 1], [4], [9]];
  expect(medianOfTaskMeans(scores)).toBe(4);
  expect(medianOfScores(scores)).toBe(2);
  expect(medianOfTaskMeans([[0, 0, 9]])).toBe(3);
});

test('beyond the target nothing is gained, and the gap is exactly 0 when all reach it', () => {
  // min(score, 1): 0.5, 1, 1 → gaps ½, 0, 0
  expect(optimalityGap([[0.5, 1, 7]])).toBeCloseTo(1 / 6, 15);
  expect(optimalityGap([[1, 1.1], [3]])).toBe(0);
  expect(() => optimalityGap([[1]], NaN)).toThrow('gamma is NaN');
});

const locations: Record<string, (scores: TaskScores) => number> = {
  interquartileMean,
  meanOfTaskMeans,
  medianOfTaskMeans,
  medianOfScores,
};

describe.each(Object.entries(locations))('%s', (_, statistic) => {
  test('follows a shift and a scale', () => {
    fc.assert(
      fc.property(anyScores(1), fc.integer({ min: -9, max: 9 }), (scores, shift) => {
        const moved = scores.map((values) => values.map((score) => 4 * score + shift));
        expect(statistic(moved)).toBeCloseTo(4 * statistic(scores) + shift, 10);
        const turned = scores.map((values) => values.map((score) => -score));
        expect(statistic(turned)).toBeCloseTo(-statistic(scores), 10);
      }),
    );
  });

  test('does not mind the order of seeds or tasks, and lies among the scores', () => {
    fc.assert(
      fc.property(anyScores(1), fc.nat(6), (scores, turn) => {
        const value = statistic(scores);
        expect(statistic(reordered(scores, turn).toReversed())).toBeCloseTo(value, 10);
        expect(value).toBeGreaterThanOrEqual(Math.min(...scores.flat()) - 1e-12);
        expect(value).toBeLessThanOrEqual(Math.max(...scores.flat()) + 1e-12);
      }),
    );
  });

  test('is the score itself when there is one, or when all are equal', () => {
    expect(statistic([[0.1]])).toBe(0.1);
    expect(statistic([[0.1, 0.1, 0.1], [0.1], [0.1, 0.1]])).toBe(0.1);
  });

  test('refuses no tasks, a task without scores, and scores that are not finite', () => {
    expect(() => statistic([])).toThrow(RangeError);
    expect(() => statistic([[]])).toThrow('scores has no scores for task 0');
    expect(() => statistic([[1, NaN]])).toThrow('scores of task 0 is NaN at position 1');
  });
});

test('the gap scales with target and scores', () => {
  fc.assert(
    fc.property(anyScores(1), fc.integer({ min: -9, max: 9 }), (scores, shift) => {
      const moved = scores.map((values) => values.map((score) => 4 * score + shift));
      expect(optimalityGap(moved, 4 + shift)).toBeCloseTo(4 * optimalityGap(scores), 10);
    }),
  );
});
