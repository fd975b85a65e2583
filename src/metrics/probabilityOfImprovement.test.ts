import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mismatch } from '../rl/golden/mismatch';
import { anyScores, reordered } from './golden/arbitraries';
import { everyDraw, seededDraws } from './golden/draws';
import { loadImprovement, tolerance } from './golden/statistics';
import { probabilityOfImprovement, type MethodScores } from './probabilityOfImprovement';
import type { Estimate } from './stratifiedBootstrap';

const golden = loadImprovement();

test.each(golden.intervals)('over every draw, at level $level', ({ level, low, high }) => {
  const { candidate, baseline } = golden;
  const draws = everyDraw([...candidate, ...baseline].map(({ length }) => length));
  const { estimate, interval } = probabilityOfImprovement(
    { candidate, baseline },
    { level, ...draws },
  );
  expect(
    mismatch([estimate, interval!.low, interval!.high], [golden.estimate, low, high], tolerance),
  ).toBeNull();
});

function improvement(scores: MethodScores, seed: number = 5): Estimate {
  return probabilityOfImprovement(scores, { level: 0.9, ...seededDraws(seed, 60) });
}

test('pairs are counted, ties as half, and tasks weigh the same', () => {
  // Task 0: of six pairs 3>1, 3=3, 3>2, 1=1, 1<3, 1<2: (2 + 2·½) / 6 = ½. Task 1: 1 of 1. Mean ¾.
  const scores = {
    candidate: [[3, 1], [1]],
    baseline: [[1, 3, 2], [0]],
  };
  expect(improvement(scores).estimate).toBe(0.75);
});

test('equal arms stand at one half, and one that is better everywhere at 1 without width', () => {
  const arm = [
    [1, 2, 3],
    [5, 5, 6],
  ];
  expect(improvement({ candidate: arm, baseline: arm }).estimate).toBe(0.5);
  const better = arm.map((values) => values.map((score) => score + 10));
  const { estimate, interval } = improvement({ candidate: better, baseline: arm });
  expect(estimate).toBe(1);
  expect(interval).toEqual({ low: 1, high: 1 });
});

const anyMethods = fc
  .tuple(anyScores(2), anyScores(2))
  .map(([first, second]): { candidate: number[][]; baseline: number[][] } => {
    const numTasks = Math.min(first.length, second.length);
    return { candidate: first.slice(0, numTasks), baseline: second.slice(0, numTasks) };
  });

test('P(X > Y) and P(Y > X) sum to 1, and the interval lies in 0 … 1', () => {
  fc.assert(
    fc.property(anyMethods, ({ candidate, baseline }) => {
      const forth = improvement({ candidate, baseline });
      const back = improvement({ candidate: baseline, baseline: candidate });
      expect(forth.estimate + back.estimate).toBeCloseTo(1, 12);
      expect(forth.interval!.low).toBeGreaterThanOrEqual(0);
      expect(forth.interval!.high).toBeLessThanOrEqual(1);
    }),
  );
});

test('over every draw, swapping the arms mirrors the interval', () => {
  const [first, second] = [[[0, 2, 5]], [[1, 2, 2]]];
  const options = { level: 0.8, ...everyDraw([3, 3]) };
  const forth = probabilityOfImprovement({ candidate: first, baseline: second }, options);
  const back = probabilityOfImprovement({ candidate: second, baseline: first }, options);
  expect(back.interval!.low).toBeCloseTo(1 - forth.interval!.high, 12);
  expect(back.interval!.high).toBeCloseTo(1 - forth.interval!.low, 12);
});

function bend(scores: number[][]): number[][] {
  return scores.map((values) => values.map((score) => Math.exp(3 * score)));
}

test('only the order of scores counts: any increasing change of both arms leaves all numbers', () => {
  fc.assert(
    fc.property(anyMethods, ({ candidate, baseline }) => {
      expect(improvement({ candidate: bend(candidate), baseline: bend(baseline) })).toEqual(
        improvement({ candidate, baseline }),
      );
    }),
  );
});

test('the order in which seeds are listed changes nothing', () => {
  fc.assert(
    fc.property(anyMethods, fc.nat(6), ({ candidate, baseline }, turn) => {
      expect(
        improvement({ candidate: reordered(candidate, turn), baseline: reordered(baseline, 1) }),
      ).toEqual(improvement({ candidate, baseline }));
    }),
  );
});

test('a seed of the draws gives the same interval again', () => {
  const { candidate, baseline } = golden;
  expect(improvement({ candidate, baseline })).toEqual(improvement({ candidate, baseline }));
});

test('N is that of the smaller arm, and with one seed in an arm there is no interval', () => {
  const six = [[1, 2, 3, 4, 5, 6]];
  expect(improvement({ candidate: six, baseline: [[1, 2, 3, 4]] })).toMatchObject({
    numSeeds: 4,
    numTasks: 1,
    isFewSeeds: true,
  });
  expect(improvement({ candidate: six, baseline: six }).isFewSeeds).toBe(false);
  const { estimate, interval, numSeeds } = improvement({ candidate: six, baseline: [[3.5]] });
  expect([estimate, interval, numSeeds]).toEqual([0.5, null, 1]);
});

test('arms that cannot be compared are refused by name', () => {
  expect(() => improvement({ candidate: [[1], [2]], baseline: [[1]] })).toThrow(
    'candidate has 2 tasks, baseline 1',
  );
  expect(() => improvement({ candidate: [], baseline: [[1]] })).toThrow('candidate has no tasks');
  expect(() => improvement({ candidate: [[1]], baseline: [[]] })).toThrow(
    'baseline has no scores for task 0',
  );
  expect(() => improvement({ candidate: [[1]], baseline: [[NaN]] })).toThrow(
    'baseline of task 0 is NaN',
  );
});
