import fc from 'fast-check';
import { expect, test } from 'vitest';
import { positionOf, seedBand } from './bands';
import type { SeriesPoints } from './runSeries';

function line(pairs: readonly (readonly [number, number])[]): SeriesPoints {
  return {
    iterations: Int32Array.from(pairs, ([iteration]) => iteration),
    values: Float64Array.from(pairs, ([, value]) => value),
  };
}

test('three seeds give median, mean, smallest, largest and N', () => {
  const seeds = [line([[1, 1]]), line([[1, 2]]), line([[1, 6]])];
  const band = seedBand(seeds, 'median');
  expect([band.center[0], band.low[0], band.high[0], band.numSeeds[0]]).toEqual([2, 1, 6, 3]);
  // (1 + 2 + 6) / 3
  expect(seedBand(seeds, 'mean').center[0]).toBeCloseTo(3, 12);
});

test('a seed that ended, or skipped an iteration, is left out there and never interpolated', () => {
  const long = [1, 2, 3, 4].map((iteration) => [iteration, 10] as const);
  const ended = [1, 2].map((iteration) => [iteration, 0] as const);
  const skipped = [1, 4].map((iteration) => [iteration, 4] as const);
  const band = seedBand([line(long), line(ended), line(skipped)], 'median');
  expect([...band.iterations]).toEqual([1, 2, 3, 4]);
  expect([...band.numSeeds]).toEqual([3, 2, 1, 2]);
  // medians of {10, 0, 4}, {10, 0}, {10}, {10, 4}
  expect([...band.center]).toEqual([4, 5, 10, 7]);
  expect([...band.low]).toEqual([0, 0, 10, 4]);
});

test('NaN and infinities are counted and leave the band to the other seeds', () => {
  const band = seedBand(
    [
      line([
        [1, NaN],
        [2, Infinity],
      ]),
      line([
        [1, 3],
        [2, NaN],
      ]),
    ],
    'median',
  );
  expect([...band.numNotFinite]).toEqual([1, 2]);
  expect([...band.center]).toEqual([3, NaN]);
  expect([...band.numSeeds]).toEqual([1, 0]);
});

test('the mean of huge norms does not overflow', () => {
  const huge = line([[0, 1.5e308]]);
  expect(seedBand([huge, huge], 'mean').center[0]).toBe(1.5e308);
});

const anyLine = fc
  .uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 30 })
  .chain((iterations) =>
    fc
      .array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), {
        minLength: iterations.length,
        maxLength: iterations.length,
      })
      .map((values) =>
        line(iterations.toSorted((a, b) => a - b).map((x, index) => [x, values[index]!])),
      ),
  );

test('the centre lies inside the band, N sums to the points given, and the order of seeds is free', () => {
  fc.assert(
    fc.property(
      fc.array(anyLine, { maxLength: 6 }),
      fc.constantFrom<'median' | 'mean'>('median', 'mean'),
      (lines, center) => {
        const band = seedBand(lines, center);
        const slack = 1e-6;
        for (const [row, value] of band.center.entries()) {
          expect(value).toBeGreaterThanOrEqual(band.low[row]! - slack);
          expect(value).toBeLessThanOrEqual(band.high[row]! + slack);
        }
        const given = lines.reduce((sum, { values }) => sum + values.length, 0);
        expect(band.numSeeds.reduce((sum, count) => sum + count, 0)).toBe(given);
        const reversed = seedBand(lines.toReversed(), 'median');
        expect([...reversed.center]).toEqual([...seedBand(lines, 'median').center]);
      },
    ),
  );
});

test('a position is found by iteration, or −1', () => {
  const iterations = Int32Array.of(0, 5, 10, 11);
  expect([0, 5, 10, 11].map((iteration) => positionOf(iterations, iteration))).toEqual([
    0, 1, 2, 3,
  ]);
  expect([-1, 4, 12].map((iteration) => positionOf(iterations, iteration))).toEqual([-1, -1, -1]);
  expect(positionOf(new Int32Array(0), 3)).toBe(-1);
});
