import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchTotals } from './aggregation';
import { logSoftmax } from './entropy';
import { loadKl } from './golden/loadLosses';
import { mismatch } from './golden/mismatch';
import { klLoss, klRewardPenalties, type KlEstimator, type ReferenceBatch } from './klPenalty';

const estimators: KlEstimator[] = ['k1', 'k2', 'k3', 'k3Clamped', 'k3ValueK2Gradient'];

/** Two sequences of two tokens, the last token masked; d = 0.5, −0.5, 1. */
const batch: ReferenceBatch = {
  logprobs: Float64Array.of(-1, -1.5, -1, NaN),
  refLogprobs: Float64Array.of(-1.5, -1, -2, NaN),
  mask: Uint8Array.of(1, 1, 1, 0),
  numSequences: 2,
  rowWeights: null,
  totals: null,
};

describe('as a loss', () => {
  test('k2 over the mean of tokens', () => {
    // d²/2 = ⅛, ⅛, ½: mean ¼; β = 2. Gradients β·d/3.
    const options = { estimator: 'k2', refKlCoef: 2, aggregation: { kind: 'tokenMean' } } as const;
    const { loss, gradients, refKl } = klLoss(batch, options);
    expect(mismatch([loss, refKl], [0.5, 0.25], 1e-14)).toBeNull();
    expect(mismatch(gradients, [1 / 3, -1 / 3, 2 / 3, 0], 1e-14)).toBeNull();
  });

  test('row weights and the means of sequences', () => {
    // k1: (2 · mean(½, −½) + 3 · 1)/2
    const options = {
      estimator: 'k1',
      refKlCoef: 1,
      aggregation: { kind: 'sequenceMean' },
    } as const;
    const weighted = { ...batch, rowWeights: Float64Array.of(2, 3) };
    const { loss, refKl } = klLoss(weighted, options);
    expect(mismatch([loss, refKl], [1.5, 1 / 3], 1e-14)).toBeNull();
  });

  test('at the reference itself loss and gradient are 0 for every estimator but k1, whose gradient is not', () => {
    for (const estimator of estimators) {
      const options = { estimator, refKlCoef: 1, aggregation: { kind: 'tokenMean' } } as const;
      const { loss, gradients } = klLoss({ ...batch, refLogprobs: batch.logprobs }, options);
      expect(Math.abs(loss)).toBe(0);
      const slope = estimator === 'k1' ? 1 / 3 : 0;
      expect(mismatch(gradients.map(Math.abs), [slope, slope, slope, 0], 0)).toBeNull();
    }
  });

  test('an infinite estimate has no say at β = 0, and without a token all is 0', () => {
    // e^800 overflows.
    const far = { ...batch, logprobs: Float64Array.of(-801, -1.5, -1, NaN) };
    const options = { estimator: 'k3', refKlCoef: 0, aggregation: { kind: 'tokenMean' } } as const;
    expect(klLoss(far, options).loss).toBe(0);
    expect([...klLoss(far, options).gradients]).toEqual([0, 0, 0, 0]);
    const clamped = klLoss(far, { ...options, estimator: 'k3Clamped', refKlCoef: 3 });
    expect(Number.isFinite(clamped.loss)).toBe(true);
    const none = klLoss({ ...batch, mask: new Uint8Array(4) }, { ...options, refKlCoef: 1 });
    expect([none.loss, none.refKl, ...none.gradients]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test.each(estimators.filter((estimator) => estimator !== 'k3ValueK2Gradient'))(
    'the gradient is the slope of the loss, also of a micro-batch: %s',
    (estimator) => {
      const logprob = fc.double({ min: -1.5, max: 0, noNaN: true });
      const draws = fc.array(logprob, { minLength: 4, maxLength: 4 });
      fc.assert(
        fc.property(draws, draws, (logprobs, refLogprobs) => {
          const given = {
            ...batch,
            logprobs: Float64Array.from(logprobs),
            refLogprobs: Float64Array.from(refLogprobs),
            rowWeights: Float64Array.of(0.5, 2),
            totals: { ...batchTotals(batch.mask, 2), numTokens: 10 },
          };
          const options = {
            estimator,
            refKlCoef: 0.7,
            aggregation: { kind: 'tokenMean' },
          } as const;
          const h = 1e-6;
          const lossAt = (token: number, change: number): number => {
            const moved = given.logprobs.map((value, i) => (i === token ? value + change : value));
            return klLoss({ ...given, logprobs: moved }, options).loss;
          };
          const slopes = logprobs.map((_, i) => (lossAt(i, h) - lossAt(i, -h)) / (2 * h));
          expect(mismatch(klLoss(given, options).gradients, slopes, 1e-8)).toBeNull();
        }),
      );
    },
  );
});

describe('as a part of the reward', () => {
  test('each token pays for its own estimate, a sequence for the sum', () => {
    // k1 with β = 2: −2 · (0.5, −0.5, 1)
    const { tokens, sequences } = klRewardPenalties(batch, { estimator: 'k1', refKlCoef: 2 });
    expect([...tokens]).toEqual([-1, 1, -2, 0]);
    expect([...sequences]).toEqual([0, -2]);
  });

  test('without β or without a token nothing is paid', () => {
    const free = klRewardPenalties(batch, { estimator: 'k3', refKlCoef: 0 });
    expect([...free.tokens, ...free.sequences]).toEqual([0, 0, 0, 0, 0, 0]);
    const none = { ...batch, mask: new Uint8Array(4) };
    expect([...klRewardPenalties(none, { estimator: 'k3', refKlCoef: 1 }).tokens]).toEqual([
      0, 0, 0, 0,
    ]);
  });

  test('k1 pulls along the exact gradient of the KL, k3 has that of the other KL on top', () => {
    const golden = loadKl();
    const logprobs = logSoftmax(golden.logits, 4);
    const probabilities = logprobs.map(Math.exp);
    const refProbabilities = logSoftmax(golden.refLogits, 4).map(Math.exp);
    const whole: ReferenceBatch = {
      logprobs,
      refLogprobs: logSoftmax(golden.refLogits, 4),
      mask: new Uint8Array(4).fill(1),
      numSequences: 4,
      rowWeights: null,
      totals: null,
    };
    // Policy gradient of the mean reward: Σₐ pₐ·rₐ·∂log pₐ/∂zⱼ = pⱼ(rⱼ − mean r).
    const gradientOf = (rewards: Float64Array): Float64Array => {
      const mean = probabilities.reduce((sum, p, token) => sum + p * rewards[token]!, 0);
      return probabilities.map((p, j) => p * (rewards[j]! - mean));
    };
    const exact = golden.exact('grad_kl_exact');
    const k1 = klRewardPenalties(whole, { estimator: 'k1', refKlCoef: 1 }).sequences;
    expect(
      mismatch(
        gradientOf(k1),
        exact.map((slope) => -slope),
        golden.tolerance,
      ),
    ).toBeNull();
    // ∂KL(reference ‖ policy)/∂z = p − q
    const k3 = klRewardPenalties(whole, { estimator: 'k3', refKlCoef: 1 }).tokens;
    const expected = exact.map((slope, j) => -slope + probabilities[j]! - refProbabilities[j]!);
    expect(mismatch(gradientOf(k3), expected, golden.tolerance)).toBeNull();
  });
});

test('arrays that do not fit are refused', () => {
  const options = { estimator: 'k1', refKlCoef: 1, aggregation: { kind: 'tokenMean' } } as const;
  expect(() => klLoss({ ...batch, refLogprobs: new Float64Array(3) }, options)).toThrow(
    'refLogprobs has 3 entries, logprobs 4',
  );
  expect(() => klRewardPenalties({ ...batch, numSequences: 3 }, options)).toThrow(
    'logprobs has 4 entries for 3 sequences',
  );
});
