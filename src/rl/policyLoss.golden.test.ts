import { expect, test } from 'vitest';
import { loadLengthBias, loadPolicyLoss } from './golden/loadLosses';
import { mismatch } from './golden/mismatch';
import { klK1 } from './klEstimators';
import { policyLoss } from './policyLoss';

for (const golden of loadPolicyLoss()) {
  for (const { aggregation, loss, gradients } of golden.aggregations)
    test(`the clipped surrogate agrees: ${golden.id}, ${aggregation.kind}`, () => {
      const actual = policyLoss(golden.batch, { ...golden.options, aggregation });
      expect(mismatch([actual.loss], [loss], golden.tolerance)).toBeNull();
      expect(mismatch(actual.gradients, gradients, golden.tolerance)).toBeNull();
      expect(mismatch(actual.ratios, golden.ratios, golden.tolerance)).toBeNull();
      expect(mismatch(actual.tokenLosses, golden.tokenLosses, golden.tolerance)).toBeNull();
      expect(actual.clipFraction).toBeCloseTo(golden.clipFraction, 12);
      expect(actual.dualClipFraction).toBeCloseTo(golden.dualClipFraction, 12);
      expect(actual.clipFractionLow + actual.clipFractionHigh).toBeCloseTo(golden.clipFraction, 12);
    });

  test(`the k1 estimate of the KL to the new policy agrees: ${golden.id}`, () => {
    const { values } = klK1(golden.batch.oldLogprobs, golden.batch.logprobs);
    const counted = values.filter((_, token) => golden.batch.mask[token] === 1);
    const mean = counted.reduce((sum, value) => sum + value, 0) / counted.length;
    expect(mismatch([mean], [golden.approxKlK1], golden.tolerance)).toBeNull();
  });
}

for (const golden of loadLengthBias())
  test(`losses on sequences of unequal length agree: ${golden.id}`, () => {
    const options = { clipLow: golden.clip, clipHigh: golden.clip, dualClip: null };
    const { aggregation } = golden;
    const actual = policyLoss(golden.batch, { ...options, aggregation });
    expect(mismatch([actual.loss], [golden.loss], golden.tolerance)).toBeNull();
    expect(mismatch(actual.gradients, golden.gradients, golden.tolerance)).toBeNull();
    // With ratio 1 and A = −1 a token's loss is 1 and its gradient +1 times its weight in the aggregate.
    const unit = {
      ...golden.batch,
      logprobs: golden.batch.oldLogprobs,
      advantages: golden.batch.advantages.map(() => -1),
    };
    const { gradients } = policyLoss(unit, { ...options, aggregation });
    expect(mismatch(gradients, golden.tokenWeights, golden.tolerance)).toBeNull();
    const width = golden.batch.mask.length / golden.lengths.length;
    const counted = golden.lengths.map((_, row) =>
      golden.batch.mask
        .subarray(row * width, (row + 1) * width)
        .reduce((sum, counts) => sum + counts, 0),
    );
    expect(counted).toEqual(golden.lengths);
  });
