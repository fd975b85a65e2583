import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadTis } from './golden/loadSurrogates';
import { mismatch } from './golden/mismatch';
import {
  effectiveSampleSize,
  samplerMismatch,
  samplerWeights,
  unitMeanWeights,
  type SampledTokens,
  type SamplerCorrection,
} from './samplerWeights';

const golden = loadTis();
const { tokens, low, high } = golden.weights;
const unlimited = { kind: 'mask', low: 0, high: Infinity } as const;

test.each<{ name: string; correction: SamplerCorrection }>([
  { name: 'token_raw', correction: { level: 'token', limit: unlimited } },
  {
    name: 'token_truncate',
    correction: { level: 'token', limit: { kind: 'truncate', high } },
  },
  { name: 'token_mask', correction: { level: 'token', limit: { kind: 'mask', low, high } } },
  { name: 'seq_raw', correction: { level: 'sequence', limit: unlimited } },
  {
    name: 'seq_truncate',
    correction: { level: 'sequence', limit: { kind: 'truncate', high } },
  },
  { name: 'seq_mask', correction: { level: 'sequence', limit: { kind: 'mask', low, high } } },
])('$name agrees with the independent weights', ({ name, correction }) => {
  const weights = samplerWeights(tokens, correction);
  expect(mismatch(weights, golden.weights.expected(name), golden.tolerance)).toBeNull();
});

test.each(golden.truncated)(
  'truncated weights agree: $id',
  ({ tokens: given, high: cap, weights }) => {
    const actual = samplerWeights(given, {
      level: 'token',
      limit: { kind: 'truncate', high: cap },
    });
    expect(mismatch(actual, weights, golden.tolerance)).toBeNull();
  },
);

test('effective sample size, unit mean and mismatch agree with the independent values', () => {
  const raw = samplerWeights(tokens, { level: 'token', limit: unlimited });
  const truncated = samplerWeights(tokens, { level: 'token', limit: { kind: 'truncate', high } });
  const actual = [
    effectiveSampleSize(raw, tokens.mask),
    effectiveSampleSize(truncated, tokens.mask),
    samplerMismatch(tokens),
  ];
  const names = ['ess_token', 'ess_token_truncated', 'mismatch_k3'];
  expect(mismatch(actual, names.map(golden.weights.number), golden.tolerance)).toBeNull();
  const scaled = golden.weights.expected('token_truncate_mean1');
  expect(mismatch(unitMeanWeights(truncated, tokens.mask), scaled, golden.tolerance)).toBeNull();
});

test('one token with all the weight is an effective sample of one', () => {
  // (2)²/2²/4
  const mask = Uint8Array.of(1, 1, 1, 1, 0);
  expect(effectiveSampleSize(Float64Array.of(2, 0, 0, 0, 9), mask)).toBe(0.25);
  expect(effectiveSampleSize(Float64Array.of(3, 3, 3, 3, 9), mask)).toBe(1);
});

test('weights that are all 0 stay 0, and without a token nothing is divided by 0', () => {
  const none = new Uint8Array(2);
  const nothing: SampledTokens = {
    oldLogprobs: Float64Array.of(NaN, NaN),
    rolloutLogprobs: Float64Array.of(NaN, NaN),
    mask: none,
    numSequences: 1,
  };
  const weights = samplerWeights(nothing, { level: 'sequence', limit: unlimited });
  expect([...weights]).toEqual([0, 0]);
  expect([...unitMeanWeights(weights, none)]).toEqual([0, 0]);
  expect([...unitMeanWeights(weights, Uint8Array.of(1, 1))]).toEqual([0, 0]);
  expect([effectiveSampleSize(weights, none), samplerMismatch(nothing)]).toEqual([0, 0]);
});

const draws = fc.array(fc.double({ min: -3, max: 0, noNaN: true }), {
  minLength: 8,
  maxLength: 8,
});

test('at sequence level a weight is the product of the token weights', () => {
  fc.assert(
    fc.property(draws, draws, (oldLogprobs, rolloutLogprobs) => {
      const given: SampledTokens = {
        oldLogprobs: Float64Array.from(oldLogprobs),
        rolloutLogprobs: Float64Array.from(rolloutLogprobs),
        mask: Uint8Array.of(1, 1, 0, 1, 1, 1, 1, 0),
        numSequences: 2,
      };
      const perToken = samplerWeights(given, { level: 'token', limit: unlimited });
      const perSequence = samplerWeights(given, { level: 'sequence', limit: unlimited });
      const product = (from: number): number =>
        perToken
          .subarray(from, from + 4)
          .reduce((result, weight) => (weight === 0 ? result : result * weight), 1);
      expect(mismatch([perSequence[0]!, perSequence[4]!], [product(0), product(4)], 1e-12)).toBe(
        null,
      );
    }),
  );
});

test('effective sample size lies between 1/n and 1, the mismatch is never negative', () => {
  fc.assert(
    fc.property(draws, draws, (oldLogprobs, rolloutLogprobs) => {
      const mask = new Uint8Array(8).fill(1);
      const given: SampledTokens = {
        oldLogprobs: Float64Array.from(oldLogprobs),
        rolloutLogprobs: Float64Array.from(rolloutLogprobs),
        mask,
        numSequences: 1,
      };
      const weights = samplerWeights(given, { level: 'token', limit: unlimited });
      const share = effectiveSampleSize(weights, mask);
      expect(share).toBeGreaterThan(1 / 8 - 1e-12);
      expect(share).toBeLessThan(1 + 1e-12);
      expect(samplerMismatch(given)).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('arrays that do not fit are refused', () => {
  const wrong = { ...tokens, rolloutLogprobs: new Float64Array(2) };
  expect(() => samplerMismatch(wrong)).toThrow('rolloutLogprobs has 2 entries, oldLogprobs 6');
  expect(() => samplerMismatch({ ...tokens, numSequences: 4 })).toThrow(
    'oldLogprobs has 6 entries for 4 sequences',
  );
});
