import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchTotals, type Aggregation } from './aggregation';
import { loadDapo } from './golden/loadSurrogates';
import { mismatch } from './golden/mismatch';
import type { PolicyLoss, PolicyLossBatch } from './lossBatch';
import { lossPresets } from './lossPresets';
import { surrogate, type SurrogateSpec } from './surrogateLoss';

/** The sequences [from, to). */
function sliceOf(batch: PolicyLossBatch, from: number, to: number): PolicyLossBatch {
  const width = batch.logprobs.length / batch.advantages.length;
  return {
    logprobs: batch.logprobs.slice(from * width, to * width),
    oldLogprobs: batch.oldLogprobs.slice(from * width, to * width),
    mask: batch.mask.slice(from * width, to * width),
    advantages: batch.advantages.slice(from, to),
    rowWeights: batch.rowWeights?.slice(from, to) ?? null,
  };
}

function accumulated(
  batch: PolicyLossBatch,
  spec: SurrogateSpec,
  ranges: readonly (readonly [number, number])[],
): Pick<PolicyLoss, 'loss' | 'gradients'> {
  const totals = batchTotals(batch.mask, batch.advantages.length);
  const parts = ranges.map(([from, to]) =>
    surrogate({ ...sliceOf(batch, from, to), totals }, spec),
  );
  return {
    loss: parts.reduce((sum, part) => sum + part.loss, 0),
    gradients: Float64Array.from(parts.flatMap((part) => Array.from(part.gradients))),
  };
}

test('micro-batches divided by the token count of the whole give the loss of the whole', () => {
  const { clipHigher, microbatches } = loadDapo();
  const { batch, spec, tolerance, gradients } = clipHigher;
  const actual = accumulated(batch, spec, microbatches.ranges);
  expect(mismatch([actual.loss], [microbatches.loss], tolerance)).toBeNull();
  expect(mismatch(actual.gradients, gradients, tolerance)).toBeNull();
});

test('the mean of the micro-batches’ own means is another number', () => {
  const { clipHigher, microbatches } = loadDapo();
  const means = microbatches.ranges.map(
    ([from, to]) => surrogate(sliceOf(clipHigher.batch, from, to), clipHigher.spec).loss,
  );
  const mean = means.reduce((sum, loss) => sum + loss, 0) / means.length;
  expect(mismatch([mean], [microbatches.meanOfMeans], clipHigher.tolerance)).toBeNull();
  expect(Math.abs(mean - microbatches.loss)).toBeGreaterThan(0.1);
});

const aggregations: Aggregation[] = [
  { kind: 'tokenMean' },
  { kind: 'sequenceMean' },
  { kind: 'sequenceSum' },
  { kind: 'constantLength', length: 5 },
];

test('every loss and aggregation can be cut into micro-batches anywhere', () => {
  const logprobs = fc.array(fc.double({ min: -2, max: 0, noNaN: true }), {
    minLength: 12,
    maxLength: 12,
  });
  const presets = Object.values(lossPresets(3));
  fc.assert(
    fc.property(
      logprobs,
      fc.array(fc.constantFrom(0, 1), { minLength: 12, maxLength: 12 }),
      fc.integer({ min: 0, max: 4 }),
      fc.tuple(fc.constantFrom(...presets), fc.constantFrom(...aggregations)),
      (drawn, mask, cut, [preset, aggregation]) => {
        const spec = { ...preset.spec, aggregation };
        const batch = {
          logprobs: Float64Array.from(drawn),
          oldLogprobs: Float64Array.from(drawn.toReversed()),
          mask: Uint8Array.from(mask),
          advantages: Float64Array.of(1, -0.5, 2, -1),
          rowWeights: Float64Array.of(1, 2, 0.5, 1),
        };
        const whole = surrogate(batch, spec);
        const parts = accumulated(batch, spec, [
          [0, cut],
          [cut, 4],
        ]);
        expect(mismatch([parts.loss], [whole.loss], 1e-12)).toBeNull();
        expect(mismatch(parts.gradients, whole.gradients, 1e-12)).toBeNull();
      },
    ),
  );
});
