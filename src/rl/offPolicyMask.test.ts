import { expect, test } from 'vitest';
import { offPolicyMask } from './offPolicyMask';
import { surrogate } from './surrogateLoss';

/** Four sequences of two tokens; mean of old − new: 1, 1, 0.25 and, of the one token in the mask, 3. */
const batch = {
  logprobs: Float64Array.of(-2, -3, -2, -3, -1, -1.5, -4, NaN),
  oldLogprobs: Float64Array.of(-1, -2, -1, -2, -1, -1, -1, NaN),
  mask: Uint8Array.of(1, 1, 1, 1, 1, 1, 1, 0),
  advantages: Float64Array.of(-1, 1, -1, -1),
  rowWeights: null,
};

test('only a bad sequence that has become unlikely is dropped', () => {
  expect([...offPolicyMask(batch, 0.5)]).toEqual([0, 1, 1, 0]);
  // At most δ is kept: the mean of the first is exactly 1.
  expect([...offPolicyMask(batch, 1)]).toEqual([1, 1, 1, 0]);
});

test('an advantage of 0, an empty sequence and a likelier one are kept', () => {
  expect([...offPolicyMask({ ...batch, advantages: new Float64Array(4) }, 0.5)]).toEqual([
    1, 1, 1, 1,
  ]);
  expect([...offPolicyMask({ ...batch, mask: new Uint8Array(8) }, 0.5)]).toEqual([1, 1, 1, 1]);
  const swapped = { ...batch, logprobs: batch.oldLogprobs, oldLogprobs: batch.logprobs };
  expect([...offPolicyMask(swapped, 0.5)]).toEqual([1, 1, 1, 1]);
});

test('as row weights it takes the gradient of a dropped sequence and leaves the others alone', () => {
  const spec = {
    kind: 'clip',
    clipLow: 0.2,
    clipHigh: 0.2,
    dualClip: null,
    aggregation: { kind: 'tokenMean' },
  } as const;
  const unclipped = { ...batch, mask: Uint8Array.of(1, 1, 1, 1, 1, 0, 1, 0) };
  const rowWeights = offPolicyMask(unclipped, 0.5);
  const kept = surrogate({ ...unclipped, rowWeights }, { ...spec, clipLow: 1 });
  const all = surrogate(unclipped, { ...spec, clipLow: 1 });
  const dropped = [...kept.gradients.subarray(0, 2), kept.gradients[6]!];
  expect(dropped.map(Math.abs)).toEqual([0, 0, 0]);
  expect(kept.gradients.subarray(2, 6)).toEqual(all.gradients.subarray(2, 6));
});
