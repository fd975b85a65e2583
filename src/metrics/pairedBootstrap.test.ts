import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldIn, keyFromSeed, normal, uniform } from '../rl/rng';
import { pairedBootstrap, type PairedInterval } from './pairedBootstrap';
import type { BootstrapOptions } from './resampling';

function keyed(seed: number): BootstrapOptions['uniform'] {
  const key = keyFromSeed(seed);
  return (counter) => uniform(key, counter);
}

/** All nⁿ ordered draws once: counter = resample·n + draw, the draw-th digit of the resample in base n. */
function everyDraw(numPairs: number): Pick<BootstrapOptions, 'numResamples' | 'uniform'> {
  return {
    numResamples: numPairs ** numPairs,
    uniform: (counter) => {
      const resample = Math.floor(counter / numPairs);
      const digit = Math.floor(resample / numPairs ** (counter % numPairs)) % numPairs;
      return (digit + 0.5) / numPairs;
    },
  };
}

test('two pairs: a quarter of the resamples is twice the lower, a quarter twice the higher', () => {
  // Differences 0 and 1. Means of the four draws: 0, ½, ½, 1. Position of a tail of 0.1: 3·0.1 = 0.3 → 0.3·½ = 0.15.
  const { low, high, meanDifference } = pairedBootstrap(
    { first: [5, 5], second: [5, 6] },
    { level: 0.8, ...everyDraw(2) },
  );
  expect(meanDifference).toBe(0.5);
  expect(low).toBeCloseTo(0.15, 12);
  expect(high).toBeCloseTo(0.85, 12);
});

test('three pairs: the 27 equally likely means, by hand', () => {
  // Differences 0, 3, 6: the mean is the sum of three digits 0, 1, 2. Of 27 draws 1 has 0, 3 have 1, 6 have 2, 7 have 3, 6, 3, 1.
  const sorted = [0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5, 6];
  for (const level of [0.5, 0.8, 0.9, 0.95]) {
    // Interpolated between the entries around 26·tail.
    const position = (26 * (1 - level)) / 2;
    const below = sorted[Math.floor(position)]!;
    const expected = below + (position % 1) * (sorted[Math.floor(position) + 1]! - below);
    const interval = pairedBootstrap(
      { first: [1, 1, 1], second: [1, 4, 7] },
      { level, ...everyDraw(3) },
    );
    expect(interval.low).toBeCloseTo(expected, 12);
    expect(interval.high).toBeCloseTo(6 - expected, 12);
  }
});

test('what two arms have in common cancels: equal differences leave no width', () => {
  const first = [0.1, 0.9, 0.4, 0.6].map((value) => value * 8);
  const second = first.map((value) => value + 0.25);
  const interval = pairedBootstrap(
    { first, second },
    { level: 0.95, numResamples: 200, uniform: keyed(1) },
  );
  expect(interval.low).toBeCloseTo(0.25, 12);
  expect(interval.high).toBeCloseTo(0.25, 12);
  // The same values in another order are other pairs: now the seeds show.
  const shuffled = [second[3]!, second[0]!, second[1]!, second[2]!];
  const wide = pairedBootstrap(
    { first, second: shuffled },
    { level: 0.95, numResamples: 200, uniform: keyed(1) },
  );
  expect(wide.high - wide.low).toBeGreaterThan(1);
});

test('the share of improved pairs counts a tie as half', () => {
  const { improvedShare, numPairs, numResamples } = pairedBootstrap(
    { first: [1, 1, 1, 1], second: [2, 1, 0, 3] },
    { level: 0.9, numResamples: 10, uniform: keyed(0) },
  );
  expect(improvedShare).toBe((1 + 0.5 + 0 + 1) / 4);
  expect([numPairs, numResamples]).toEqual([4, 10]);
});

const pair = fc.tuple(
  fc.double({ min: -5, max: 5, noNaN: true }),
  fc.double({ min: -5, max: 5, noNaN: true }),
);
const samples = fc.array(pair, { minLength: 2, maxLength: 8 });

function intervalOf(pairs: readonly (readonly [number, number])[], level: number): PairedInterval {
  return pairedBootstrap(
    { first: pairs.map(([first]) => first), second: pairs.map(([, second]) => second) },
    { level, numResamples: 100, uniform: keyed(7) },
  );
}

test('the interval lies within the differences, and a higher level contains a lower', () => {
  fc.assert(
    fc.property(samples, (pairs) => {
      const differences = pairs.map(([first, second]) => second - first);
      const narrow = intervalOf(pairs, 0.5);
      const wide = intervalOf(pairs, 0.95);
      expect(wide.low).toBeGreaterThanOrEqual(Math.min(...differences) - 1e-9);
      expect(wide.high).toBeLessThanOrEqual(Math.max(...differences) + 1e-9);
      expect(wide.low).toBeLessThanOrEqual(narrow.low + 1e-9);
      expect(wide.high).toBeGreaterThanOrEqual(narrow.high - 1e-9);
    }),
  );
});

test('swapping the arms mirrors the interval', () => {
  fc.assert(
    fc.property(samples, (pairs) => {
      const forth = intervalOf(pairs, 0.9);
      const back = intervalOf(
        pairs.map(([first, second]) => [second, first]),
        0.9,
      );
      expect(back.low).toBeCloseTo(-forth.high, 9);
      expect(back.high).toBeCloseTo(-forth.low, 9);
      expect(back.improvedShare).toBeCloseTo(1 - forth.improvedShare, 12);
    }),
  );
});

test('the same source gives the same interval to the last bit', () => {
  const pairs = [
    [1, 2],
    [2, 2.5],
    [0, 3],
  ] as const;
  expect(intervalOf(pairs, 0.9)).toEqual(intervalOf(pairs, 0.9));
});

test('the interval covers the true difference as often as theory says, and misses evenly', () => {
  // Normal differences around 1, n = 20. The percentile interval is about mean ± 1.96·s·√(19/20)/√20 with the sample std s, so it
  // covers with P(|t₁₉| < 1.96·√0.95 = 1.910) = 0.929. With 400 data sets the share has a standard error of 0.013.
  const numPairs = 20;
  const numSets = 400;
  let covered = 0;
  let below = 0;
  for (let set = 0; set < numSets; set++) {
    const key = foldIn(keyFromSeed(11), set);
    // A large noise that both arms share must not matter.
    const shared = Array.from({ length: numPairs }, (_, i) => 50 * normal(key, i));
    const second = shared.map((noise, i) => noise + 1 + normal(key, numPairs + i));
    const { low, high } = pairedBootstrap(
      { first: shared, second },
      { level: 0.95, numResamples: 400, uniform: keyed(1000 + set) },
    );
    if (low <= 1 && 1 <= high) covered++;
    if (high < 1) below++;
  }
  expect(Math.abs(covered / numSets - 0.929)).toBeLessThan(3 * 0.013);
  // Of the misses, 400·0.071 ≈ 28, half should lie on either side: 14 ± 3·√7.
  expect(Math.abs(below - (numSets - covered) / 2)).toBeLessThan(8);
});

test('without any difference a 90 % interval excludes zero in about one data set of seven', () => {
  // n = 10: P(|t₉| > 1.645·√0.9 = 1.561) = 0.153. The error of a share over 400 sets is 0.018.
  let excluded = 0;
  for (let set = 0; set < 400; set++) {
    const key = foldIn(keyFromSeed(12), set);
    const first = Array.from({ length: 10 }, (_, i) => normal(key, i));
    const second = Array.from({ length: 10 }, (_, i) => normal(key, 10 + i));
    const { low, high } = pairedBootstrap(
      { first, second },
      { level: 0.9, numResamples: 400, uniform: keyed(5000 + set) },
    );
    if (low > 0 || high < 0) excluded++;
  }
  expect(Math.abs(excluded / 400 - 0.153)).toBeLessThan(3 * 0.018);
});

test('samples and options that make no interval are refused', () => {
  const options = { level: 0.95, numResamples: 10, uniform: keyed(0) };
  const refused =
    (first: number[], second: number[], change = {}) =>
    (): unknown =>
      pairedBootstrap({ first, second }, { ...options, ...change });
  expect(refused([1, 2], [1])).toThrow('first has 2 values, second 1');
  expect(refused([1], [1])).toThrow('1 pairs came');
  expect(refused([1, NaN], [1, 2])).toThrow('Pair 1 is NaN and 2');
  expect(refused([1, 2], [1, 2], { level: 1 })).toThrow('level is 1');
  expect(refused([1, 2], [1, 2], { numResamples: 0 })).toThrow('numResamples is 0');
});
