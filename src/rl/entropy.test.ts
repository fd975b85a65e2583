import fc from 'fast-check';
import { expect, test } from 'vitest';
import { categoricalEntropy, entropyBonus, logSoftmax } from './entropy';
import { mismatch } from './golden/mismatch';

const rows = fc
  .array(fc.double({ min: -8, max: 8, noNaN: true }), { minLength: 2, maxLength: 6 })
  .map((logits) => Float64Array.from(logits));

test('equal logits over V tokens have log V nats', () => {
  const { entropies, gradients } = categoricalEntropy(new Float64Array(8), 4);
  expect(mismatch(entropies, [Math.log(4), Math.log(4)], 1e-14)).toBeNull();
  // The maximum: no direction raises it.
  expect(mismatch(gradients, new Float64Array(8), 1e-14)).toBeNull();
});

test('two tokens at odds 3 to 1 have their textbook entropy', () => {
  // −¾ log ¾ − ¼ log ¼
  const expected = -0.75 * Math.log(0.75) - 0.25 * Math.log(0.25);
  const { entropies } = categoricalEntropy(Float64Array.of(Math.log(3), 0), 2);
  expect(mismatch(entropies, [expected], 1e-14)).toBeNull();
});

test('a forbidden token has probability 0 and no say', () => {
  const { entropies, gradients } = categoricalEntropy(Float64Array.of(0, -Infinity, 0), 3);
  expect(mismatch(entropies, [Math.LN2], 1e-14)).toBeNull();
  expect(mismatch(gradients, [0, 0, 0], 1e-14)).toBeNull();
  expect(logSoftmax(Float64Array.of(0, -Infinity), 2)).toEqual(Float64Array.of(0, -Infinity));
});

test('probabilities of a row sum to 1 and do not depend on a shift of the logits', () => {
  fc.assert(
    fc.property(rows, (logits) => {
      const logprobs = logSoftmax(logits, logits.length);
      const total = logprobs.map(Math.exp).reduce((sum, probability) => sum + probability, 0);
      expect(total).toBeCloseTo(1, 12);
      const shifted = logSoftmax(
        logits.map((logit) => logit + 500),
        logits.length,
      );
      expect(mismatch(shifted, logprobs, 1e-11)).toBeNull();
    }),
  );
});

test('logits whose exponentials overflow still have logprobs', () => {
  // exp(1000) is Infinity; the log-odds are 1000.
  expect(logSoftmax(Float32Array.of(1000, 0), 2)).toEqual(Float64Array.of(0, -1000));
});

test('the gradient of the entropy is its slope in each logit', () => {
  fc.assert(
    fc.property(rows, (logits) => {
      const h = 1e-5;
      const entropyAt = (index: number, change: number): number => {
        const moved = logits.map((logit, i) => (i === index ? logit + change : logit));
        return categoricalEntropy(moved, moved.length).entropies[0]!;
      };
      const slopes = logits.map((_, i) => (entropyAt(i, h) - entropyAt(i, -h)) / (2 * h));
      const { gradients } = categoricalEntropy(logits, logits.length);
      expect(mismatch(gradients, slopes, 1e-8)).toBeNull();
    }),
  );
});

test('the bonus of two equal tokens is minus the coefficient times log 2', () => {
  // Weights ½ and ½ of log 2 and of the entropy at odds 3 to 1; a row with weight 0 may hold NaN.
  const logits = Float64Array.of(0, 0, Math.log(3), 0, NaN, NaN);
  const skewed = -0.75 * Math.log(0.75) - 0.25 * Math.log(0.25);
  const bonus = entropyBonus(logits, 2, Float64Array.of(0.5, 0.5, 0), 0.1);
  expect(mismatch([bonus.entropy], [(Math.LN2 + skewed) / 2], 1e-14)).toBeNull();
  expect(bonus.loss).toBeCloseTo(-0.1 * bonus.entropy, 15);
  expect(bonus.gradients.slice(4)).toEqual(new Float64Array(2));
  // Descending raises the entropy: it lowers the logit of the likelier token.
  expect(bonus.gradients[2]).toBeGreaterThan(0);
});

test('the gradient of the bonus is its slope in each logit', () => {
  fc.assert(
    fc.property(rows, fc.double({ min: 0, max: 2, noNaN: true }), (logits, weight) => {
      const h = 1e-5;
      const lossAt = (index: number, change: number): number => {
        const moved = logits.map((logit, i) => (i === index ? logit + change : logit));
        return entropyBonus(moved, moved.length, Float64Array.of(weight), 0.3).loss;
      };
      const slopes = logits.map((_, i) => (lossAt(i, h) - lossAt(i, -h)) / (2 * h));
      const { gradients } = entropyBonus(logits, logits.length, Float64Array.of(weight), 0.3);
      expect(mismatch(gradients, slopes, 1e-8)).toBeNull();
    }),
  );
});

test('a bonus without one weight per row is refused', () => {
  expect(() => entropyBonus(new Float64Array(4), 2, new Float64Array(3), 1)).toThrow(
    'weights has 3 entries, logits 2 rows',
  );
});

test('a length that is no whole number of rows is refused', () => {
  expect(() => logSoftmax(new Float64Array(5), 2)).toThrow('5 logits with a vocabulary of 2');
  expect(() => logSoftmax(new Float64Array(5), 0)).toThrow('give whole rows of [B, V]');
});
