import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logSoftmax } from './entropy';
import {
  foldIn,
  gumbel,
  keyFromSeed,
  normal,
  threefry2x32,
  uniform,
  uniformInt,
  type Key,
} from './rng';

const word = fc.integer({ min: 0, max: 0xffffffff });
const keys = fc.tuple(word, word);
const sampleKey = foldIn(keyFromSeed(2024), 3);
const numDraws = 20_000;

function draws(draw: (key: Key, counter: number) => number, key: Key = sampleKey): Float64Array {
  return Float64Array.from({ length: numDraws }, (_, counter) => draw(key, counter));
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Σ(x − mean x)(y − mean y). */
function codeviation(first: Float64Array, second: Float64Array): number {
  const [firstMean, secondMean] = [meanOf(first), meanOf(second)];
  return first.reduce((sum, value, i) => sum + (value - firstMean) * (second[i]! - secondMean), 0);
}

/** Pearson correlation; of independent draws it is about normal with deviation 1/√n. */
function correlation(first: Float64Array, second: Float64Array): number {
  const variances = codeviation(first, first) * codeviation(second, second);
  return codeviation(first, second) / Math.sqrt(variances);
}

function numOnes(bits: number): number {
  return (bits >>> 0).toString(2).replaceAll('0', '').length;
}

/** Σ(observed − expected)²/expected. */
function chiSquare(observed: ArrayLike<number>, expected: ArrayLike<number>): number {
  return Array.from(observed).reduce(
    (sum, count, bin) => sum + (count - expected[bin]!) ** 2 / expected[bin]!,
    0,
  );
}

/** How many values fall into each of `numBins` equal parts of [0, 1). */
function histogram(values: Float64Array, numBins: number): Int32Array {
  const counts = new Int32Array(numBins);
  for (const value of values) counts[Math.floor(value * numBins)]!++;
  return counts;
}

/** Five standard errors: a fair generator fails one such check in two million. */
const fiveErrors = 5 / Math.sqrt(numDraws);

describe('threefry2x32 with 20 rounds', () => {
  // Known answers of Random123, kat_vectors.
  test.each([
    { key: [0, 0], counter: [0, 0], expected: [0x6b200159, 0x99ba4efe] },
    {
      key: [0xffffffff, 0xffffffff],
      counter: [0xffffffff, 0xffffffff],
      expected: [0x1cb996fc, 0xbb002be7],
    },
    {
      key: [0x13198a2e, 0x03707344],
      counter: [0x243f6a88, 0x85a308d3],
      expected: [0xc4923a9c, 0x483df7a0],
    },
  ] as const)('gives the published answer for key $key', ({ key, counter, expected }) => {
    expect(threefry2x32(key, counter)).toEqual(expected);
  });

  test('gives two uint32 words for any key and counter', () => {
    fc.assert(
      fc.property(keys, keys, (key, counter) => {
        for (const bits of threefry2x32(key, counter)) {
          expect(Number.isInteger(bits)).toBe(true);
          expect(bits).toBeGreaterThanOrEqual(0);
          expect(bits).toBeLessThanOrEqual(0xffffffff);
        }
      }),
    );
  });

  test('is a bijection of counters: two never meet', () => {
    fc.assert(
      fc.property(keys, keys, keys, (key, first, second) => {
        fc.pre(first[0] !== second[0] || first[1] !== second[1]);
        expect(threefry2x32(key, first)).not.toEqual(threefry2x32(key, second));
      }),
    );
  });

  test('one changed bit of key or counter changes half the output bits', () => {
    let changed = 0;
    for (let trial = 0; trial < 640; trial++) {
      const flip = 1 << ((trial >> 1) % 32);
      const base = threefry2x32([7, trial], [11, trial]);
      const [keyFlip, counterFlip] = trial % 2 === 0 ? [flip, 0] : [0, flip];
      const moved = threefry2x32([7 ^ keyFlip, trial], [11 ^ counterFlip, trial]);
      changed += numOnes(base[0] ^ moved[0]) + numOnes(base[1] ^ moved[1]);
    }
    // 640 · 64 fair bits: mean ½, deviation ½/√40,960 = 0.0025.
    expect(Math.abs(changed / (640 * 64) - 0.5)).toBeLessThan(5 * 0.0025);
  });
});

describe('keys', () => {
  test('depend on each datum and on the order of the data', () => {
    const root = keyFromSeed(1);
    const derived = [foldIn(root), foldIn(root, 1), foldIn(root, 1, 2), foldIn(root, 2, 1)];
    expect(new Set(derived.map(String)).size).toBe(derived.length);
    expect(foldIn(foldIn(root, 1), 2)).toEqual(foldIn(root, 1, 2));
  });

  test('of neighbouring seeds and data give unrelated numbers', () => {
    const base = draws(uniform);
    for (const other of [foldIn(keyFromSeed(2025), 3), foldIn(keyFromSeed(2024), 4)])
      expect(Math.abs(correlation(base, draws(uniform, other)))).toBeLessThan(fiveErrors);
  });

  test('are pure: the same key and counter give the same number', () => {
    fc.assert(
      fc.property(keys, word, (key, counter) => {
        expect(uniform(key, counter)).toBe(uniform([key[0], key[1]], counter));
      }),
    );
  });
});

describe('uniform', () => {
  test('lies strictly between 0 and 1 and is exact in float32', () => {
    fc.assert(
      fc.property(keys, word, (key, counter) => {
        const u = uniform(key, counter);
        expect(u).toBeGreaterThan(0);
        expect(u).toBeLessThan(1);
        expect(Math.fround(u)).toBe(u);
      }),
    );
  });

  test('is half a step from 0 and 1 where the bits are all 0 or all 1', () => {
    // Two counters of the zero key whose top 23 bits are extreme, found by search.
    const [lowest] = threefry2x32([0, 0], [1, 3_695_797]);
    const [highest] = threefry2x32([0, 0], [1, 771_746]);
    expect([lowest >>> 9, highest >>> 9]).toEqual([0, 0x7fffff]);
    expect(uniform([0, 0], 3_695_797)).toBe(2 ** -24);
    expect(uniform([0, 0], 771_746)).toBe(1 - 2 ** -24);
    expect(Number.isFinite(gumbel([0, 0], 3_695_797))).toBe(true);
    expect(Number.isFinite(gumbel([0, 0], 771_746))).toBe(true);
  });

  test('fills 64 bins evenly', () => {
    // χ² with 63 degrees of freedom: mean 63, deviation √126 = 11.2.
    const expected = new Float64Array(64).fill(numDraws / 64);
    expect(chiSquare(histogram(draws(uniform), 64), expected)).toBeLessThan(63 + 5 * 11.2);
  });

  test('has no memory from one counter to the next', () => {
    const values = draws(uniform);
    for (const lag of [1, 2, 7])
      expect(Math.abs(correlation(values.subarray(0, -lag), values.subarray(lag)))).toBeLessThan(
        fiveErrors,
      );
  });

  test('fills the unit square evenly in pairs of neighbours', () => {
    const values = draws(uniform);
    const cells = new Int32Array(64);
    for (let i = 0; i + 1 < numDraws; i += 2)
      cells[8 * Math.floor(values[i]! * 8) + Math.floor(values[i + 1]! * 8)]!++;
    const expected = new Float64Array(64).fill(numDraws / 2 / 64);
    expect(chiSquare(cells, expected)).toBeLessThan(63 + 5 * 11.2);
  });

  test('is unrelated to the normal and integer draws of the same key and counter', () => {
    const base = draws(uniform);
    const integers = draws((key, counter) => uniformInt(key, counter, 1000));
    expect(Math.abs(correlation(base, integers))).toBeLessThan(fiveErrors);
    // Box–Muller's radius falls with its first word, whatever the angle: look at the squares too.
    const normals = draws(normal);
    const squares = normals.map((value) => value ** 2);
    expect(Math.abs(correlation(base, normals))).toBeLessThan(fiveErrors);
    expect(Math.abs(correlation(base, squares))).toBeLessThan(fiveErrors);
  });
});

describe('uniformInt', () => {
  test('is a whole number from 0 to bound − 1', () => {
    fc.assert(
      fc.property(keys, word, fc.integer({ min: 1, max: 0x100000 }), (key, counter, bound) => {
        const value = uniformInt(key, counter, bound);
        expect(Number.isInteger(value)).toBe(true);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThan(bound);
      }),
    );
  });

  test('takes each of 10 values equally often', () => {
    // χ² with 9 degrees of freedom: mean 9, deviation √18 = 4.2.
    const values = draws((key, counter) => uniformInt(key, counter, 10) / 10 + 0.05);
    const expected = new Float64Array(10).fill(numDraws / 10);
    expect(chiSquare(histogram(values, 10), expected)).toBeLessThan(9 + 5 * 4.2);
  });

  test.each([0, -1, 2.5, NaN, 0x100001])('refuses the bound %s', (bound) => {
    expect(() => uniformInt(sampleKey, 0, bound)).toThrow(`bound is ${bound}`);
  });
});

describe('normal', () => {
  const numNormals = 200_000;
  const fiveNormalErrors = 5 / Math.sqrt(numNormals);
  const values = Float64Array.from({ length: numNormals }, (_, i) => normal(sampleKey, i));
  const moment = (order: number): number => meanOf(values.map((value) => value ** order));

  test('has the moments 0, 1, 0, 3', () => {
    // Deviations of the sample moments: √(E x²ᵏ − (E xᵏ)²)/√n with E x² = 1, x⁴ = 3, x⁶ = 15, x⁸ = 105.
    expect(Math.abs(moment(1))).toBeLessThan(fiveNormalErrors);
    expect(Math.abs(moment(2) - 1)).toBeLessThan(fiveNormalErrors * Math.sqrt(2));
    expect(Math.abs(moment(3))).toBeLessThan(fiveNormalErrors * Math.sqrt(15));
    expect(Math.abs(moment(4) - 3)).toBeLessThan(fiveNormalErrors * Math.sqrt(96));
  });

  test('lies within one deviation 68.27 % of the time', () => {
    const share = values.filter((value) => Math.abs(value) < 1).length / numNormals;
    expect(Math.abs(share - 0.6827)).toBeLessThan(fiveNormalErrors * Math.sqrt(0.6827 * 0.3173));
  });
});

describe('gumbel', () => {
  test('noise on logits makes the largest one a sample of the softmax', () => {
    const logits = [0.5, -1, 2, 0];
    const counts = new Int32Array(logits.length);
    for (let draw = 0; draw < numDraws; draw++) {
      const noisy = logits.map((logit, token) => logit + gumbel(sampleKey, 4 * draw + token));
      counts[noisy.indexOf(Math.max(...noisy))]!++;
    }
    const expected = logSoftmax(Float64Array.from(logits), 4).map(
      (logprob) => numDraws * Math.exp(logprob),
    );
    // χ² with 3 degrees of freedom exceeds 33 once in three million.
    expect(chiSquare(counts, expected)).toBeLessThan(33);
  });

  test('has mean γ = 0.5772 and variance π²/6', () => {
    const values = draws(gumbel);
    const mean = meanOf(values);
    const variance = meanOf(values.map((value) => (value - mean) ** 2));
    // Fourth central moment of a Gumbel: 12/5 + 3 times the squared variance, so the deviation of s² is σ²√4.4/√n.
    expect(Math.abs(mean - 0.57722)).toBeLessThan(fiveErrors * Math.sqrt(Math.PI ** 2 / 6));
    expect(Math.abs(variance - Math.PI ** 2 / 6)).toBeLessThan(
      fiveErrors * (Math.PI ** 2 / 6) * Math.sqrt(4.4),
    );
  });
});
