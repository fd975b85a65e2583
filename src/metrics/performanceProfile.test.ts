import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mismatch } from '../rl/golden/mismatch';
import { anyScores, reordered } from './golden/arbitraries';
import { everyDraw, seededDraws } from './golden/draws';
import { loadProfile, tolerance } from './golden/statistics';
import { performanceProfile, type PerformanceProfile } from './performanceProfile';
import type { TaskScores } from './taskScores';

test('shares and bands over every draw agree with exact fractions', () => {
  const { scores, taus, shares, bands, level } = loadProfile();
  const profile = performanceProfile(scores, taus, {
    level,
    ...everyDraw(scores.map(({ length }) => length)),
  });
  expect(mismatch(profile.taus, taus, 0)).toBeNull();
  expect(mismatch(profile.shares, shares, tolerance)).toBeNull();
  const ends = bands.flatMap(({ low, high }) => [low, high]);
  const found = [...profile.low].flatMap((low, place) => [low, profile.high[place]!]);
  expect(mismatch(found, ends, tolerance)).toBeNull();
});

function profileOf(scores: TaskScores, taus: readonly number[]): PerformanceProfile {
  return performanceProfile(scores, taus, { level: 0.9, ...seededDraws(2, 60) });
}

test('a score at the threshold is not above it, and tasks weigh the same whatever their seeds', () => {
  // Above ½: one of two, and none of one: (½ + 0) / 2. Above 0: all. Above 1: none.
  const { shares } = profileOf([[0.5, 1], [0.25]], [0, 0.5, 1]);
  expect([...shares]).toEqual([1, 0.25, 0]);
});

const taus = [-3, -1, 0, 0.5, 2, 4.25];

test('the curve never rises, lies in its scale, and counts what the definition counts', () => {
  fc.assert(
    fc.property(anyScores(2), (scores) => {
      const { shares, low, high } = profileOf(scores, taus);
      for (const [place, tau] of taus.entries()) {
        const byTask = scores.map(
          (values) => values.filter((score) => score > tau).length / values.length,
        );
        const expected = byTask.reduce((sum, share) => sum + share, 0) / scores.length;
        expect(shares[place]).toBeCloseTo(expected, 12);
        expect(low[place]).toBeLessThanOrEqual(high[place]!);
        expect(shares[place]).toBeLessThanOrEqual(shares[place - 1] ?? 1);
        for (const value of [shares[place]!, low[place]!, high[place]!]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }
    }),
  );
});

test('a threshold that all or none pass has no width', () => {
  const { shares, low, high } = profileOf(
    [
      [1, 2, 3],
      [1, 5],
    ],
    [0, 9],
  );
  expect([[...shares], [...low], [...high]]).toEqual([
    [1, 0],
    [1, 0],
    [1, 0],
  ]);
});

test('shift and scale of scores and thresholds, and the order of seeds, change nothing', () => {
  fc.assert(
    fc.property(anyScores(1), fc.nat(6), (scores, turn) => {
      const { shares, low, high } = profileOf(scores, taus);
      const moved = profileOf(
        reordered(scores, turn).map((values) => values.map((score) => 4 * score - 7)),
        taus.map((tau) => 4 * tau - 7),
      );
      expect([moved.shares, moved.low, moved.high]).toEqual([shares, low, high]);
    }),
  );
});

test('one seed gives a step without a band', () => {
  const { shares, low, high, numSeeds, isFewSeeds } = profileOf([[1], [3, 4]], [0, 2]);
  expect([...shares]).toEqual([1, 0.5]);
  expect([...low, ...high]).toEqual([NaN, NaN, NaN, NaN]);
  expect([numSeeds, isFewSeeds]).toEqual([1, true]);
});

test('N, its warning, level and resamples come with the result', () => {
  expect(profileOf([[1, 2, 3, 4, 5]], [0])).toMatchObject({
    numSeeds: 5,
    numTasks: 1,
    isFewSeeds: false,
    level: 0.9,
    numResamples: 60,
  });
});

test('thresholds that make no axis, and scores that make no share, are refused', () => {
  expect(() => profileOf([[1]], [])).toThrow('taus is empty');
  expect(() => profileOf([[1]], [0, 0])).toThrow('taus has 0 at position 1');
  expect(() => profileOf([[1]], [0, NaN])).toThrow('taus has NaN at position 1');
  expect(() => profileOf([[NaN]], [0])).toThrow('scores of task 0 is NaN');
  expect(() => profileOf([], [0])).toThrow('scores has no tasks');
});
