import fc from 'fast-check';
import { expect, test } from 'vitest';
import { median } from './median';
import { createSpikeWindow, isSpikeNext, logNormZScore, spikePositions, spikesIn } from './spikes';

test('the fifth steady value opens the rule: 3 × the median is not a spike, just above it is', () => {
  // median of five 2s = 2, limit 6
  expect(spikePositions(Float64Array.of(2, 2, 2, 2, 2, 6))).toEqual([]);
  expect(spikePositions(Float64Array.of(2, 2, 2, 2, 2, 6.001))).toEqual([5]);
  expect(spikePositions(Float64Array.of(2, 2, 2, 2, 100))).toEqual([]);
});

test('NaN and infinities are spikes from the first value on and do not enter the median', () => {
  expect(spikePositions(Float64Array.of(NaN, Infinity, -Infinity))).toEqual([0, 1, 2]);
  // The window holds five 1s; were Infinity in it, nothing changes, but NaN would poison the median.
  expect(spikePositions(Float64Array.of(1, 1, NaN, 1, 1, 1, 4))).toEqual([2, 6]);
});

test('norms of exactly 0 mean no signal: they neither are spikes nor make the next norm one', () => {
  const norms = Float64Array.of(1, 1, 1, 1, 1, ...Array.from({ length: 30 }, () => 0), 2, 4);
  // Median of the five 1s stays 1: 2 is no spike, 4 is.
  expect(spikePositions(norms)).toEqual([36]);
});

test('a level that has moved for good stops being a spike after 13 iterations', () => {
  const norms = Float64Array.from({ length: 60 }, (_, index) => (index < 25 ? 1 : 10));
  // The window of 25 has 13 tens, a majority, for the first time when the 14th comes.
  expect(spikePositions(norms)).toEqual(Array.from({ length: 13 }, (_, index) => 25 + index));
});

const norm = fc.oneof(
  fc.double({ min: 0, max: 10, noNaN: true }),
  fc.double({ min: 0, max: 1e300, noNaN: true }),
  fc.constantFrom(0, NaN, Infinity),
);

test('the batch form equals the rule as it is written, on any series', () => {
  fc.assert(
    fc.property(fc.array(norm, { maxLength: 120 }), (norms) => {
      const expected = norms.flatMap((value, position) => {
        const before = norms.slice(0, position).filter((x) => Number.isFinite(x) && x > 0);
        const window = before.slice(-25);
        const isAbove = window.length >= 5 && value > 3 * median(window);
        return !Number.isFinite(value) || isAbove ? [position] : [];
      });
      expect(spikePositions(Float64Array.from(norms))).toEqual(expected);
    }),
  );
});

test('the online form gives the same verdict value by value', () => {
  fc.assert(
    fc.property(fc.array(norm, { maxLength: 120 }), (norms) => {
      const window = createSpikeWindow();
      const online = norms.flatMap((value, position) =>
        isSpikeNext(window, value) ? [position] : [],
      );
      expect(online).toEqual(spikePositions(Float64Array.from(norms)));
    }),
  );
});

test('scaling all norms by a power of two changes no verdict', () => {
  const positive = fc.array(fc.double({ min: 0.01, max: 1000, noNaN: true }), { maxLength: 80 });
  fc.assert(
    fc.property(positive, (norms) => {
      const scaled = Float64Array.from(norms, (value) => 8 * value);
      expect(spikePositions(scaled)).toEqual(spikePositions(Float64Array.from(norms)));
    }),
  );
});

test('the median of two is their middle, of none NaN, and of two huge values finite', () => {
  expect(median([3, 1])).toBe(2);
  expect(median([9, 1, 5])).toBe(5);
  expect(median([])).toBeNaN();
  expect(median([1.7e308, 1.7e308])).toBe(1.7e308);
});

test('the z-score by hand: logarithms 0 … 4 have median 2 and absolute deviations 2, 1, 0, 1, 2, so MAD 1', () => {
  const before = [0, 1, 2, 3, 4].map(Math.exp);
  expect(logNormZScore(before, Math.exp(8))).toBeCloseTo(6 / 1.4826, 10);
  expect(logNormZScore(before, 1)).toBeCloseTo(-2 / 1.4826, 10);
});

test('the z-score agrees with Python’s statistics module', () => {
  // logs = [math.log(x) for x in before]; m = statistics.median(logs)
  // (math.log(g) - m) / (1.4826 * statistics.median([abs(x - m) for x in logs]))
  expect(logNormZScore([0.2, 0.31, 0.5, 0.9, 1.7, 2.5], 12)).toBeCloseTo(2.286199041883962, 12);
  expect(logNormZScore([0.8, 0.95, 1, 1.05, 1.1, 1.3, 4], 9.5)).toBeCloseTo(14.843282012622373, 12);
});

test('the z-score at its edges: too few values, values without spread, norms that are not finite or 0', () => {
  expect(logNormZScore([1, 2, 3, 4], 100)).toBeNull();
  expect(logNormZScore([2, 2, 2, 2, 2], 7)).toBe(Infinity);
  expect(logNormZScore([2, 2, 2, 2, 2], 2)).toBe(0);
  expect(logNormZScore([1, 2, 3, 4, 5], 0)).toBe(-Infinity);
  for (const notFinite of [NaN, Infinity]) expect(logNormZScore([], notFinite)).toBe(Infinity);
});

test('a spike comes with the norm, the median that it is three times above, and its z-score, none of which it takes part in', () => {
  expect(spikesIn(Float64Array.of(1, 2, 4, 2, 1, 7, NaN))).toEqual([
    { position: 5, norm: 7, medianBefore: 2, zScore: logNormZScore([1, 1, 2, 2, 4], 7) },
    // Between the two spikes the 7 has come into the window: 1, 1, 2, 2, 4, 7.
    { position: 6, norm: NaN, medianBefore: 2, zScore: Infinity },
  ]);
});

test('spikes with numbers stand where the rule counts them, and above the median of what it looks back on', () => {
  fc.assert(
    fc.property(fc.array(norm, { maxLength: 120 }), (norms) => {
      const line = Float64Array.from(norms);
      const spikes = spikesIn(line);
      expect(spikes.map(({ position }) => position)).toEqual(spikePositions(line));
      for (const { norm: value, medianBefore, zScore } of spikes) {
        if (!Number.isFinite(value)) continue;
        expect(value).toBeGreaterThan(3 * medianBefore);
        expect(zScore).toBeGreaterThan(0);
      }
    }),
  );
});

test('the z-score does not depend on the unit of the norms', () => {
  // Whole numbers: doubles next to each other would leave nothing but rounding to divide by.
  const positive = fc.integer({ min: 1, max: 1000 });
  fc.assert(
    fc.property(fc.array(positive, { minLength: 5, maxLength: 25 }), positive, (values, value) => {
      const before = values.toSorted((a, b) => a - b);
      const z = logNormZScore(before, value)!;
      fc.pre(Number.isFinite(z));
      const scaled = logNormZScore(
        before.map((x) => 8 * x),
        8 * value,
      )!;
      expect(Math.abs(scaled - z)).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(z)));
    }),
  );
});
