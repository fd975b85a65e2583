import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mismatch } from './golden/mismatch';
import { valueLoss, type ValueBatch, type ValueLossOptions } from './valueLoss';

const options: ValueLossOptions = { valueClip: 0.5, aggregation: { kind: 'tokenMean' } };

function oneToken(value: number, oldValue: number, target: number): ValueBatch {
  return {
    values: Float64Array.of(value),
    oldValues: Float64Array.of(oldValue),
    returns: Float64Array.of(target),
    mask: Uint8Array.of(1),
    numSequences: 1,
    rowWeights: null,
    totals: null,
  };
}

test('within the clip the loss is half the squared error', () => {
  // ½ · (1.2 − 3)²; slope 1.2 − 3
  const { loss, gradients, clipFraction } = valueLoss(oneToken(1.2, 1, 3), options);
  expect(mismatch([loss, gradients[0]!], [1.62, -1.8], 1e-14)).toBeNull();
  expect(clipFraction).toBe(0);
});

test('a value that ran ahead towards its target gives no more gradient', () => {
  // 2.5 counts as 1.5: ½ · 1.5² beyond ½ · 0.5²
  const { loss, gradients, clipFraction } = valueLoss(oneToken(2.5, 1, 3), options);
  expect([loss, gradients[0], clipFraction]).toEqual([1.125, 0, 1]);
  // Without the clip: ½ · 0.5²
  const free = valueLoss(oneToken(2.5, 1, 3), { ...options, valueClip: null });
  expect([free.loss, free.gradients[0], free.clipFraction]).toEqual([0.125, -0.5, 0]);
});

test('a value that ran the wrong way keeps its gradient', () => {
  // −1 counts as 0.5, but its own error of 4 is larger: ½ · 16
  const { loss, gradients } = valueLoss(oneToken(-1, 1, 3), options);
  expect([loss, gradients[0]]).toEqual([8, -4]);
});

test('the gradient is the slope of the loss, and what the mask hides has no say', () => {
  const draws = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), {
    minLength: 4,
    maxLength: 4,
  });
  const h = 1e-6;
  fc.assert(
    fc.property(draws, draws, draws, (values, oldValues, returns) => {
      const batch: ValueBatch = {
        values: Float64Array.of(...values, NaN, NaN),
        oldValues: Float64Array.of(...oldValues, NaN, NaN),
        returns: Float64Array.of(...returns, NaN, NaN),
        mask: Uint8Array.of(1, 1, 1, 1, 0, 0),
        numSequences: 3,
        rowWeights: Float64Array.of(0.5, 2, 1),
        totals: null,
      };
      // The loss has a kink where the clipped and the own error are equally large.
      const isSmooth = values.every((value, i) => {
        const clipped = Math.min(oldValues[i]! + 0.5, Math.max(oldValues[i]! - 0.5, value));
        const [error, clippedError] = [value - returns[i]!, clipped - returns[i]!];
        return clipped === value || Math.abs(Math.abs(error) - Math.abs(clippedError)) > 1e-4;
      });
      const isOffBound = values.every(
        (value, i) => Math.abs(Math.abs(value - oldValues[i]!) - 0.5) > 1e-4,
      );
      fc.pre(isSmooth && isOffBound);
      const lossAt = (token: number, change: number): number => {
        const moved = batch.values.map((value, i) => (i === token ? value + change : value));
        return valueLoss({ ...batch, values: moved }, options).loss;
      };
      const slopes = [...batch.values].map((_, i) => (lossAt(i, h) - lossAt(i, -h)) / (2 * h));
      expect(mismatch(valueLoss(batch, options).gradients, slopes, 1e-7)).toBeNull();
    }),
  );
});

test('a batch without a token has loss 0', () => {
  const none = { ...oneToken(NaN, NaN, NaN), mask: new Uint8Array(1) };
  expect(valueLoss(none, options)).toEqual({
    loss: 0,
    gradients: new Float64Array(1),
    clipFraction: 0,
  });
});

test('arrays that do not fit are refused', () => {
  expect(() => valueLoss({ ...oneToken(0, 0, 0), returns: new Float64Array(2) }, options)).toThrow(
    'returns has 2 entries, values 1',
  );
  expect(() => valueLoss({ ...oneToken(0, 0, 0), numSequences: 2 }, options)).toThrow(
    'mask has 1 entries for 2 sequences',
  );
});
