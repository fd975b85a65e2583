import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mismatch } from './golden/mismatch';
import type { PolicyLossBatch } from './lossBatch';
import { policyLoss } from './policyLoss';
import { surrogate, type SurrogateBatch, type SurrogateSpec } from './surrogateLoss';

const tokenMean = { kind: 'tokenMean' } as const;
const sequenceMean = { kind: 'sequenceMean' } as const;

/** One of each kind, with bounds that a few of the drawn tokens cross. */
const specs: Record<string, SurrogateSpec> = {
  clip: { kind: 'clip', clipLow: 0.2, clipHigh: 0.28, dualClip: 3, aggregation: tokenMean },
  gspo: { kind: 'gspo', clipLow: 0.1, clipHigh: 0.15, aggregation: sequenceMean },
  gspoToken: { kind: 'gspoToken', clipLow: 0.1, clipHigh: 0.15, aggregation: sequenceMean },
  cispoAbsolute: {
    kind: 'cispo',
    bounds: { kind: 'absoluteHigh', high: 2 },
    aggregation: tokenMean,
  },
  cispoBand: {
    kind: 'cispo',
    bounds: { kind: 'band', clipLow: 0.2, clipHigh: 0.28 },
    aggregation: tokenMean,
  },
  sapo: { kind: 'sapo', tauPositive: 1, tauNegative: 1.05, aggregation: sequenceMean },
};
const named = Object.entries(specs).map(([name, spec]) => ({ name, spec }));

/** One sequence with the given log-ratios, from logprobs of −1. */
function oneSequence(logRatios: number[], advantage: number): PolicyLossBatch {
  return {
    logprobs: Float64Array.from(logRatios, (logRatio) => logRatio - 1),
    oldLogprobs: new Float64Array(logRatios.length).fill(-1),
    mask: new Uint8Array(logRatios.length).fill(1),
    advantages: Float64Array.of(advantage),
    rowWeights: null,
  };
}

/** Slope of SAPO at ρ = 2 and |A| = 1, where x = τ: 4σ(τ)σ(−τ)·2. */
function sapoSlopeAtTwo(tau: number): number {
  return (8 * Math.exp(-tau)) / (1 + Math.exp(-tau)) ** 2;
}

describe('hand cases', () => {
  test('GSPO takes the geometric mean of the token ratios', () => {
    // Ratios 2 and ½ have the mean log-ratio 0: s = 1. Loss −2, each token half of the slope −2.
    const { loss, gradients, ratios } = surrogate(
      oneSequence([Math.LN2, -Math.LN2], 2),
      specs['gspo']!,
    );
    expect(mismatch([loss, ...ratios, ...gradients], [-2, 1, 1, -1, -1], 1e-14)).toBeNull();
  });

  test('GSPO takes the gradient of all tokens of a clipped sequence, the clip only of its own', () => {
    // Ratios 2 and 1: s = √2 > 1.15. Loss −1.15.
    const batch = oneSequence([Math.LN2, 0], 1);
    const sequence = surrogate(batch, specs['gspo']!);
    expect(sequence.loss).toBeCloseTo(-1.15, 12);
    expect([...sequence.gradients]).toEqual([0, 0]);
    expect(sequence.clipFractionHigh).toBe(1);
    const token = surrogate(batch, specs['clip']!);
    expect([...token.gradients]).toEqual([0, -0.5]);
    expect(token.clipFractionHigh).toBe(0.5);
  });

  test('GSPO-token gives each token the advantage of its own', () => {
    // s = 1, weights ½: −½·4 and −½·0 = −0, where GSPO shares the sum −2 equally.
    const batch = { ...oneSequence([0, 0], 9), tokenAdvantages: Float64Array.of(4, 0) };
    const token = surrogate(batch, specs['gspoToken']!);
    expect(mismatch(token.gradients, [-2, -0], 1e-14)).toBeNull();
    const sequence = surrogate(batch, specs['gspo']!);
    expect(mismatch(sequence.gradients, [-1, -1], 1e-14)).toBeNull();
    expect([token.loss, sequence.loss]).toEqual([-2, -2]);
  });

  test('CISPO cuts the weight of a token and keeps its gradient', () => {
    // Ratio 4, A = 2, logprob log 4 − 1: weight 2 or 1.28 instead of 4.
    const batch = oneSequence([Math.log(4)], 2);
    const logprob = Math.log(4) - 1;
    const absolute = surrogate(batch, specs['cispoAbsolute']!);
    expect(mismatch([absolute.loss, absolute.gradients[0]!], [-4 * logprob, -4], 1e-14)).toBeNull();
    const band = surrogate(batch, specs['cispoBand']!);
    expect(mismatch([band.loss, band.gradients[0]!], [-2.56 * logprob, -2.56], 1e-14)).toBeNull();
    expect([absolute.clipFractionHigh, band.clipFractionHigh]).toEqual([1, 1]);
  });

  test('only the band of CISPO lifts the weight of a token that has become unlikely', () => {
    // Ratio ½: weight ½ without a lower bound, 0.8 with it.
    const batch = oneSequence([-Math.LN2], 1);
    const absolute = surrogate(batch, specs['cispoAbsolute']!);
    const band = surrogate(batch, specs['cispoBand']!);
    expect(mismatch([absolute.gradients[0]!, band.gradients[0]!], [-0.5, -0.8], 1e-14)).toBeNull();
    expect([absolute.clipFraction, band.clipFractionLow]).toEqual([0, 1]);
  });

  test('SAPO weighs a token by a gate that is 2/τ at ratio 1', () => {
    // σ(0) = ½: loss −A·(4/τ)·½, with τ = 1 for A > 0 and 1.05 for A < 0.
    const good = surrogate(oneSequence([0], 3), specs['sapo']!);
    const bad = surrogate(oneSequence([0], -3), specs['sapo']!);
    expect(mismatch([good.loss, bad.loss], [-6, 6 / 1.05], 1e-14)).toBeNull();
  });

  test('SAPO fades the gradient of a far token more for a bad one', () => {
    const good = surrogate(oneSequence([Math.LN2], 1), specs['sapo']!).gradients[0]!;
    const bad = surrogate(oneSequence([Math.LN2], -1), specs['sapo']!).gradients[0]!;
    expect(mismatch([good, bad], [-sapoSlopeAtTwo(1), sapoSlopeAtTwo(1.05)], 1e-14)).toBeNull();
    expect(bad).toBeLessThan(-good);
  });

  test('token weights multiply losses and leave the divisor', () => {
    // (−1·2 − 1·0)/2
    const batch = { ...oneSequence([0, 0], 1), tokenWeights: Float64Array.of(2, 0) };
    const { loss, gradients } = surrogate(batch, specs['clip']!);
    expect(loss).toBe(-1);
    expect(mismatch(gradients, [-1, -0], 0)).toBeNull();
  });
});

function six<T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(one, { minLength: 6, maxLength: 6 });
}

/** Two sequences of three tokens, of which some are masked. */
const batches: fc.Arbitrary<PolicyLossBatch> = fc
  .record({
    logprobs: six(fc.double({ min: -2, max: 0, noNaN: true })),
    oldLogprobs: six(fc.double({ min: -2, max: 0, noNaN: true })),
    mask: six(fc.constantFrom(0, 1)),
    advantages: fc.tuple(
      fc.double({ min: 0.1, max: 2, noNaN: true }),
      fc.double({ min: -2, max: -0.1, noNaN: true }),
    ),
  })
  .map(({ logprobs, oldLogprobs, mask, advantages }) => ({
    logprobs: Float64Array.from(logprobs),
    oldLogprobs: Float64Array.from(oldLogprobs),
    mask: Uint8Array.from(mask),
    advantages: Float64Array.from(advantages),
    rowWeights: Float64Array.of(0.5, 2),
  }));

/** [B, T] weights of the tokens: minus the gradient of the plain surrogate at ratio 1 and advantage 1. */
function weightsOf(batch: PolicyLossBatch, spec: SurrogateSpec): Float64Array {
  const onPolicy = {
    ...batch,
    logprobs: batch.oldLogprobs,
    advantages: batch.advantages.map(() => 1),
  };
  const plain = { clipLow: 1, clipHigh: 1, dualClip: null, aggregation: spec.aggregation };
  return policyLoss(onPolicy, plain).gradients.map((gradient) => -gradient);
}

test.each(named)('at ratio 1 the gradient is −A times the weight: $name', ({ spec }) => {
  fc.assert(
    fc.property(batches, (drawn) => {
      const batch = { ...drawn, logprobs: drawn.oldLogprobs };
      const expected = weightsOf(batch, spec).map(
        (weight, token) => -drawn.advantages[Math.floor(token / 3)]! * weight,
      );
      const { gradients, clipFraction } = surrogate(batch, spec);
      expect(mismatch(gradients, expected, 1e-12)).toBeNull();
      expect(clipFraction).toBe(0);
    }),
  );
});

/** Loss as a function of the logprobs, with what the formula holds constant kept at its value for `batch`. */
function frozenLoss(
  batch: SurrogateBatch,
  spec: SurrogateSpec,
): (logprobs: Float64Array) => number {
  if (spec.kind === 'cispo') {
    // −w·A·logprob is linear: with the weight of each token as a token weight, a plain −A·logprob remains.
    const { ratios } = surrogate(batch, spec);
    const { bounds } = spec;
    const low = bounds.kind === 'band' ? 1 - bounds.clipLow : 0;
    const high = bounds.kind === 'band' ? 1 + bounds.clipHigh : bounds.high;
    const tokenWeights = ratios.map(
      (ratio, token) => (batch.tokenWeights?.[token] ?? 1) * Math.min(high, Math.max(low, ratio)),
    );
    const plain = { ...spec, bounds: { kind: 'band', clipLow: 0, clipHigh: 0 } } as const;
    return (logprobs) => surrogate({ ...batch, logprobs, tokenWeights }, plain).loss;
  }
  if (spec.kind === 'gspoToken') {
    // sg[s]·π/sg[π]: a token ratio against old logprobs that put it at s.
    const { ratios } = surrogate(batch, spec);
    const oldLogprobs = batch.logprobs.map((logprob, token) => logprob - Math.log(ratios[token]!));
    const clip = { ...spec, kind: 'clip', dualClip: null } as const;
    return (logprobs) => surrogate({ ...batch, logprobs, oldLogprobs }, clip).loss;
  }
  return (logprobs) => surrogate({ ...batch, logprobs }, spec).loss;
}

test.each(named)('the gradient is the slope of the loss in every logprob: $name', ({ spec }) => {
  const h = 1e-6;
  fc.assert(
    fc.property(batches, six(fc.double({ min: 0.5, max: 2, noNaN: true })), (drawn, factors) => {
      const batch = { ...drawn, tokenWeights: Float64Array.from(factors) };
      const { ratios, gradients } = surrogate(batch, spec);
      // The losses have kinks at their bounds, where a difference quotient says nothing.
      const kinks = spec.kind === 'clip' ? [0.8, 1.28, 3] : [0.9, 1.15];
      fc.pre(ratios.every((ratio) => kinks.every((kink) => Math.abs(ratio - kink) > 1e-4)));
      const lossAt = frozenLoss(batch, spec);
      const moved = (token: number, change: number): number =>
        lossAt(batch.logprobs.map((value, i) => (i === token ? value + change : value)));
      const slopes = factors.map((_, token) => (moved(token, h) - moved(token, -h)) / (2 * h));
      expect(mismatch(gradients, slopes, 1e-7)).toBeNull();
    }),
  );
});

test('the frozen form has the value of the loss itself', () => {
  const tokenWeights = Float64Array.of(1, 2, 0.5, 1, 1, 1);
  fc.assert(
    fc.property(batches, fc.constantFrom(...named), (drawn, { spec }) => {
      const batch = { ...drawn, tokenWeights };
      const { loss } = surrogate(batch, spec);
      expect(mismatch([frozenLoss(batch, spec)(batch.logprobs)], [loss], 1e-12)).toBeNull();
    }),
  );
});

test('GSPO and GSPO-token have one gradient when advantage and weight are constant over a sequence', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const sequence = surrogate(batch, specs['gspo']!);
      const token = surrogate(batch, specs['gspoToken']!);
      expect(token.loss).toBe(sequence.loss);
      expect(mismatch(token.gradients, sequence.gradients, 1e-13)).toBeNull();
    }),
  );
});

describe.each(named)('hostile input: $name', ({ spec }) => {
  test('ratios of 0, 1e-12 and 1e12 give finite losses and gradients', () => {
    for (const logRatio of [-Infinity, -800, Math.log(1e-12), Math.log(1e12), 800])
      for (const advantage of [1, 0, -1]) {
        const batch = oneSequence([logRatio, 0.1], advantage);
        const { loss, gradients, ratios } = surrogate(batch, spec);
        expect(gradients.every(Number.isFinite)).toBe(true);
        expect(ratios.every(Number.isFinite)).toBe(true);
        // Only −A·log π itself is infinite at probability 0.
        const isInfinite = spec.kind === 'cispo' && logRatio === -Infinity && advantage !== 0;
        expect(Number.isFinite(loss)).toBe(!isInfinite);
        expect(loss).not.toBeNaN();
      }
  });

  test('a fully masked sequence that holds NaN changes nothing but the count of sequences', () => {
    fc.assert(
      fc.property(batches, (drawn) => {
        fc.pre(drawn.mask.includes(1));
        const empty = new Float64Array(3).fill(NaN);
        const widened = {
          logprobs: Float64Array.of(...drawn.logprobs, ...empty),
          oldLogprobs: Float64Array.of(...drawn.oldLogprobs, ...empty),
          mask: Uint8Array.of(...drawn.mask, 0, 0, 0),
          advantages: Float64Array.of(...drawn.advantages, NaN),
          rowWeights: Float64Array.of(0.5, 2, 1),
          tokenWeights: Float64Array.of(1, 1, 1, 1, 1, 1, ...empty),
        };
        const expected = surrogate(drawn, spec);
        const actual = surrogate(widened, spec);
        expect(actual.loss).toBe(expected.loss);
        expect([...actual.gradients]).toEqual([...expected.gradients, 0, 0, 0]);
        expect(actual.clipFraction).toBe(expected.clipFraction);
      }),
    );
  });

  test('a batch without a token has loss 0 and gradient 0', () => {
    const batch = { ...oneSequence([1, 2], 1), mask: new Uint8Array(2) };
    const { loss, gradients, clipFraction } = surrogate(batch, spec);
    expect([loss, ...gradients, clipFraction]).toEqual([0, 0, 0, 0]);
    const none = { ...batch, logprobs: new Float64Array(0), oldLogprobs: new Float64Array(0) };
    const nothing = { ...none, mask: new Uint8Array(0), advantages: new Float64Array(0) };
    expect(surrogate(nothing, spec).loss).toBe(0);
  });
});

test('optional arrays of another shape are refused', () => {
  const batch = oneSequence([0, 0], 1);
  expect(() => surrogate({ ...batch, tokenWeights: new Float64Array(3) }, specs['clip']!)).toThrow(
    'tokenWeights has 3 entries, logprobs 2',
  );
  expect(() =>
    surrogate({ ...batch, tokenAdvantages: new Float64Array(1) }, specs['clip']!),
  ).toThrow('tokenAdvantages has 1 entries, logprobs 2');
});
