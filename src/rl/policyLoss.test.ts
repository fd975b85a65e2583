import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mismatch } from './golden/mismatch';
import {
  policyLoss,
  type Aggregation,
  type PolicyLossBatch,
  type PolicyLossOptions,
} from './policyLoss';

const tokenMean: PolicyLossOptions = {
  clipLow: 0.2,
  clipHigh: 0.2,
  dualClip: 3,
  aggregation: { kind: 'tokenMean' },
};

const aggregations: Aggregation[] = [
  { kind: 'tokenMean' },
  { kind: 'sequenceMean' },
  { kind: 'sequenceSum' },
  { kind: 'constantLength', length: 5 },
];

function six<T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(one, { minLength: 6, maxLength: 6 });
}

/** One sequence of one token. */
function oneToken(logRatio: number, advantage: number): PolicyLossBatch {
  return {
    logprobs: Float64Array.of(logRatio - 1),
    oldLogprobs: Float64Array.of(-1),
    mask: Uint8Array.of(1),
    advantages: Float64Array.of(advantage),
    rowWeights: null,
  };
}

describe('one token', () => {
  test('at ratio 1 the loss is −A and so is its slope', () => {
    fc.assert(
      fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (advantage) => {
        const { loss, gradients, clipFraction } = policyLoss(oneToken(0, advantage), tokenMean);
        expect(mismatch([loss, gradients[0]!], [-advantage, -advantage], 0)).toBeNull();
        expect(clipFraction).toBe(0);
      }),
    );
  });

  test('a good token that is already 1.5 times as likely gives no more gradient', () => {
    // ρ = 1.5 > 1.2 and A = 2: loss −2 · 1.2
    const result = policyLoss(oneToken(Math.log(1.5), 2), tokenMean);
    expect(result.loss).toBeCloseTo(-2.4, 12);
    expect(result.gradients[0]).toBe(0);
    expect([result.clipFractionHigh, result.clipFractionLow, result.clipFraction]).toEqual([
      1, 0, 1,
    ]);
  });

  test('a bad token that is already half as likely gives no more gradient', () => {
    // ρ = 0.5 < 0.8 and A = −2: loss 2 · 0.8
    const result = policyLoss(oneToken(Math.log(0.5), -2), tokenMean);
    expect(result.loss).toBeCloseTo(1.6, 12);
    expect(result.gradients[0]).toBe(0);
    expect([result.clipFractionHigh, result.clipFractionLow, result.clipFraction]).toEqual([
      0, 1, 1,
    ]);
  });

  test('a token on the wrong side of the clip keeps its gradient', () => {
    // A good token that has become less likely: loss −Aρ = −1, slope −Aρ.
    const good = policyLoss(oneToken(Math.log(0.5), 2), tokenMean);
    expect(mismatch([good.loss, good.gradients[0]!], [-1, -1], 1e-12)).toBeNull();
    // A bad token that has become twice as likely: loss 4.
    const bad = policyLoss(oneToken(Math.log(2), -2), tokenMean);
    expect(mismatch([bad.loss, bad.gradients[0]!], [4, 4], 1e-12)).toBeNull();
    expect(good.clipFraction + bad.clipFraction + bad.dualClipFraction).toBe(0);
  });

  test('the dual clip bounds the loss of a bad token that has become far more likely', () => {
    // ρ = e² = 7.39 > 3, A = −2: loss 2 · 3 with the dual clip, 2 · 7.39 without.
    const bounded = policyLoss(oneToken(2, -2), tokenMean);
    expect(mismatch([bounded.loss, bounded.gradients[0]!], [6, 0], 1e-12)).toBeNull();
    expect([bounded.dualClipFraction, bounded.clipFraction]).toEqual([1, 0]);
    const free = policyLoss(oneToken(2, -2), { ...tokenMean, dualClip: null });
    const expected = 2 * Math.exp(2);
    expect(mismatch([free.loss, free.gradients[0]!], [expected, expected], 1e-12)).toBeNull();
  });

  test('exactly on a bound the token keeps its gradient', () => {
    // exp(log 2) is 2 in float64, and so is 1 + clipHigh.
    const high = policyLoss(oneToken(Math.LN2, 1), { ...tokenMean, clipHigh: 1 });
    expect(high.ratios[0]).toBe(2);
    expect([high.gradients[0], high.clipFraction]).toEqual([-2, 0]);
    const dual = policyLoss(oneToken(Math.LN2, -1), { ...tokenMean, dualClip: 2 });
    expect([dual.gradients[0], dual.dualClipFraction]).toEqual([2, 0]);
  });

  test('a log-ratio of 1000 stays finite and gives no gradient', () => {
    const { loss, gradients } = policyLoss(oneToken(1000, -1), { ...tokenMean, dualClip: null });
    expect(loss).toBeCloseTo(Math.exp(20), 3);
    expect(gradients[0]).toBe(0);
  });
});

describe('aggregation', () => {
  /** Two sequences of 1 and 3 tokens and one without any; ratio 1, so each token's loss is −A: −1 and −3. */
  const batch: PolicyLossBatch = {
    logprobs: new Float64Array(9).fill(-1),
    oldLogprobs: new Float64Array(9).fill(-1),
    mask: Uint8Array.of(1, 0, 0, 1, 1, 1, 0, 0, 0),
    advantages: Float64Array.of(1, 3, 100),
    rowWeights: null,
  };

  test.each([
    // (−1 − 3 · 3)/4
    { aggregation: aggregations[0]!, expected: -2.5 },
    // (−1 − 3)/2
    { aggregation: aggregations[1]!, expected: -2 },
    // (−1 − 9)/2
    { aggregation: aggregations[2]!, expected: -5 },
    // (−1 − 9)/(3 · 5)
    { aggregation: aggregations[3]!, expected: -10 / 15 },
  ])('$aggregation.kind of unequal sequences', ({ aggregation, expected }) => {
    const { loss } = policyLoss(batch, { ...tokenMean, aggregation });
    expect(loss).toBeCloseTo(expected, 12);
  });

  test('row weights multiply the losses and leave the divisor', () => {
    // (2 · −1 + ½ · −9)/4
    const weighted = { ...batch, rowWeights: Float64Array.of(2, 0.5, 7) };
    expect(policyLoss(weighted, tokenMean).loss).toBeCloseTo(-1.625, 12);
  });

  test('what the mask hides has no influence, not even NaN', () => {
    const hidden = batch.logprobs.map((logprob, token) => (batch.mask[token] ? logprob : NaN));
    for (const aggregation of aggregations) {
      const options = { ...tokenMean, aggregation };
      const expected = policyLoss(batch, options);
      const actual = policyLoss({ ...batch, logprobs: hidden }, options);
      expect(actual.loss).toBe(expected.loss);
      expect(actual.gradients).toEqual(expected.gradients);
    }
  });

  test('a batch without a token has loss 0 and gradient 0', () => {
    const empty = { ...batch, mask: new Uint8Array(9) };
    for (const aggregation of aggregations) {
      const result = policyLoss(empty, { ...tokenMean, aggregation });
      expect(result.loss).toBe(0);
      expect(result.gradients).toEqual(new Float64Array(9));
      expect(result.clipFraction).toBe(0);
    }
  });
});

test('the gradient is the slope of the loss in every logprob, for every aggregation and with row weights', () => {
  const logprob = fc.double({ min: -2, max: 0, noNaN: true });
  const h = 1e-6;
  fc.assert(
    fc.property(
      six(logprob),
      six(logprob),
      six(fc.constantFrom(0, 1)),
      fc.constantFrom(...aggregations),
      (logprobs, oldLogprobs, mask, aggregation) => {
        const batch = {
          logprobs: Float64Array.from(logprobs),
          oldLogprobs: Float64Array.from(oldLogprobs),
          mask: Uint8Array.from(mask),
          advantages: Float64Array.of(1.5, -0.7),
          rowWeights: Float64Array.of(0.5, 2),
        };
        const options = { ...tokenMean, aggregation };
        // The loss has kinks at 0.8, 1.2 and 3, where a difference quotient says nothing.
        const { ratios, gradients } = policyLoss(batch, options);
        fc.pre(ratios.every((r) => [0.8, 1.2, 3].every((bound) => Math.abs(r - bound) > 1e-4)));
        const lossAt = (token: number, change: number): number => {
          const moved = batch.logprobs.map((value, i) => (i === token ? value + change : value));
          return policyLoss({ ...batch, logprobs: moved }, options).loss;
        };
        const slopes = logprobs.map((_, token) => (lossAt(token, h) - lossAt(token, -h)) / (2 * h));
        expect(mismatch(gradients, slopes, 1e-7)).toBeNull();
      },
    ),
  );
});

describe('shapes that do not fit are refused', () => {
  const batch = oneToken(0, 1);
  test.each([
    [{ ...batch, advantages: new Float64Array(2) }, 'logprobs has 1 entries for 2 advantages'],
    [{ ...batch, advantages: new Float64Array(0) }, 'logprobs has 1 entries for 0 advantages'],
    [{ ...batch, oldLogprobs: new Float64Array(2) }, 'oldLogprobs has 2 entries, logprobs 1'],
    [{ ...batch, mask: new Uint8Array(3) }, 'mask has 3 entries, logprobs 1'],
    [{ ...batch, rowWeights: new Float64Array(2) }, 'rowWeights has 2 entries for 1 sequences'],
  ])('case %#', (wrong, message) => {
    expect(() => policyLoss(wrong, tokenMean)).toThrow(message);
  });
});
