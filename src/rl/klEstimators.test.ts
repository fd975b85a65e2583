import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { categoricalEntropy, logSoftmax } from './entropy';
import { loadKl } from './golden/loadLosses';
import { mismatch } from './golden/mismatch';
import {
  klK1,
  klK2,
  klK3,
  klK3Clamped,
  klK3ValueK2Gradient,
  type KlEstimates,
} from './klEstimators';

const golden = loadKl();

/** Probabilities p of the golden policy and log-ratios of its tokens. */
const logprobs = logSoftmax(golden.logits, golden.logits.length);
const refLogprobs = logSoftmax(golden.refLogits, golden.refLogits.length);
const probabilities = logprobs.map(Math.exp);

function mean(values: Float64Array): number {
  return probabilities.reduce((sum, probability, token) => sum + probability * values[token]!, 0);
}

/** Σₐ pₐ·gₐ·∂log pₐ/∂zⱼ with ∂log pₐ/∂zⱼ = δₐⱼ − pⱼ, which is pⱼ(gⱼ − mean g). */
function meanGradient(gradients: Float64Array): Float64Array {
  const average = mean(gradients);
  return probabilities.map((probability, j) => probability * (gradients[j]! - average));
}

describe('on samples', () => {
  const k1 = klK1(golden.logprobs, golden.refLogprobs);
  const k2 = klK2(golden.logprobs, golden.refLogprobs);
  const k3 = klK3(golden.logprobs, golden.refLogprobs);
  const clamped = klK3Clamped(golden.logprobs, golden.refLogprobs);
  const actual: Record<string, Float64Array> = {
    k1: k1.values,
    k2: k2.values,
    k3: k3.values,
    k3_clamped_10: clamped.values,
    abs: k1.values.map(Math.abs),
    grad_k1: k1.gradients,
    grad_k2: k2.gradients,
    grad_k3: k3.gradients,
  };
  test.each(golden.names.samples)('%s agrees with the independent values', (name) => {
    expect(mismatch(actual[name] ?? [], golden.samples(name), golden.tolerance)).toBeNull();
  });
});

describe('over a whole categorical', () => {
  const k1 = klK1(logprobs, refLogprobs);
  const k2 = klK2(logprobs, refLogprobs);
  const k3 = klK3(logprobs, refLogprobs);
  const actual: Record<string, ArrayLike<number>> = {
    p: probabilities,
    q: refLogprobs.map(Math.exp),
    kl: [mean(k1.values)],
    E_k1: [mean(k1.values)],
    E_k2: [mean(k2.values)],
    E_k3: [mean(k3.values)],
    // ∂KL/∂zⱼ = pⱼ(dⱼ − KL)
    grad_kl_exact: meanGradient(k1.values),
    E_grad_k1: meanGradient(k1.gradients),
    E_grad_k2: meanGradient(k2.gradients),
    E_grad_k3: meanGradient(k3.gradients),
    entropy: categoricalEntropy(golden.logits, golden.logits.length).entropies,
  };
  test.each(golden.names.exact)('%s agrees with the independent value', (name) => {
    expect(mismatch(actual[name] ?? [], golden.exact(name), golden.tolerance)).toBeNull();
  });
});

const estimators: Record<string, (a: Float64Array, b: Float64Array) => KlEstimates> = {
  klK1,
  klK2,
  klK3,
  klK3Clamped,
};

for (const [name, estimate] of Object.entries(estimators))
  test(`the gradient of ${name} is the slope of its values`, () => {
    fc.assert(
      fc.property(fc.double({ min: -4, max: 4, noNaN: true }), (difference) => {
        const at = (d: number): number =>
          estimate(Float64Array.of(d - 1), Float64Array.of(-1)).values[0]!;
        // The clamp has a kink where e^−d − 1 + d = 10, at d ≈ −2.6.
        const h = 1e-5;
        fc.pre(Math.sign(at(difference + h) - 10) === Math.sign(at(difference - h) - 10));
        const slope = (at(difference + h) - at(difference - h)) / (2 * h);
        const { gradients } = estimate(Float64Array.of(difference - 1), Float64Array.of(-1));
        expect(mismatch(gradients, [slope], 1e-6)).toBeNull();
      }),
    );
  });

test('k3 is never negative and keeps its digits near zero', () => {
  // For small d, e^−d − 1 + d is d²/2 up to a share of d/3. At d = 1e-8 the plain formula has no right digit left.
  const tiny = klK3(Float64Array.of(1e-8), Float64Array.of(0)).values[0]!;
  expect(tiny / 5e-17).toBeCloseTo(1, 6);
  fc.assert(
    fc.property(fc.double({ min: -30, max: 30, noNaN: true }), (difference) => {
      const [value] = klK3(Float64Array.of(difference), Float64Array.of(0)).values;
      expect(value).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('the clamped k3 has value 10 and no gradient on a token the policy has made unlikely', () => {
  // d = −24: e²⁴ − 1 − 24 ≈ 2.6e10, far beyond 10.
  const { values, gradients } = klK3Clamped(Float64Array.of(-25), Float64Array.of(-1));
  expect([values[0], gradients[0]]).toEqual([10, 0]);
});

test('k3 with the gradient of k2 has the value of the one and the exact expected gradient of the other', () => {
  const { values, gradients } = klK3ValueK2Gradient(logprobs, refLogprobs);
  expect(mismatch([mean(values)], golden.exact('kl'), golden.tolerance)).toBeNull();
  const expected = golden.exact('grad_kl_exact');
  expect(mismatch(meanGradient(gradients), expected, golden.tolerance)).toBeNull();
  // Far away its value is bounded, its gradient d is not.
  const far = klK3ValueK2Gradient(Float64Array.of(-25), Float64Array.of(-1));
  expect([far.values[0], far.gradients[0]]).toEqual([10, -24]);
});

test('logprobs of two lengths are refused', () => {
  expect(() => klK1(new Float64Array(2), new Float64Array(3))).toThrow(
    'logprobs has 2 entries, refLogprobs 3',
  );
});
