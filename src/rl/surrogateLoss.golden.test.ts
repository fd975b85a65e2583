import { expect, test } from 'vitest';
import { loadCispo, loadDapo, loadGspo, loadTis } from './golden/loadSurrogates';
import { mismatch } from './golden/mismatch';
import { samplerWeights } from './samplerWeights';
import { surrogate } from './surrogateLoss';

for (const { common: golden, sequenceRatios, sequenceLosses, isClipped } of loadGspo())
  test(`GSPO agrees: ${golden.id}`, () => {
    const actual = surrogate(golden.batch, golden.spec);
    expect(mismatch([actual.loss], [golden.loss], golden.tolerance)).toBeNull();
    expect(mismatch(actual.gradients, golden.gradients, golden.tolerance)).toBeNull();
    const width = golden.batch.mask.length / sequenceRatios.length;
    for (const [row, ratio] of sequenceRatios.entries()) {
      const cells = [row * width, (row + 1) * width] as const;
      const counts = golden.batch.mask.subarray(...cells);
      const ratios = new Float64Array(width).fill(ratio);
      expect(mismatch(actual.ratios.subarray(...cells), ratios, golden.tolerance)).toBeNull();
      // Every token in the mask has the loss of its sequence.
      const losses = Array.from(counts, (count) => count * sequenceLosses[row]!);
      expect(mismatch(actual.tokenLosses.subarray(...cells), losses, golden.tolerance)).toBeNull();
      const hasGradient = actual.gradients.subarray(...cells).some((gradient) => gradient !== 0);
      expect(hasGradient).toBe(counts.includes(1) && !isClipped[row]);
    }
  });

for (const { common: golden, ...expected } of loadCispo())
  test(`CISPO agrees: ${golden.id}`, () => {
    const actual = surrogate(golden.batch, golden.spec);
    expect(mismatch([actual.loss], [golden.loss], golden.tolerance)).toBeNull();
    expect(mismatch(actual.gradients, golden.gradients, golden.tolerance)).toBeNull();
    expect(mismatch(actual.tokenLosses, expected.tokenLosses, golden.tolerance)).toBeNull();
    expect(actual.clipFraction).toBeCloseTo(expected.clipFraction, 12);
    const clipped = actual.ratios.map((ratio) =>
      Math.min(expected.ratioMax, Math.max(expected.ratioMin, ratio)),
    );
    expect(mismatch(clipped, expected.clippedRatios, golden.tolerance)).toBeNull();
  });

test('the clip-higher loss of DAPO agrees', () => {
  const { clipHigher: golden } = loadDapo();
  const actual = surrogate(golden.batch, golden.spec);
  expect(mismatch([actual.loss], [golden.loss], golden.tolerance)).toBeNull();
  expect(mismatch(actual.gradients, golden.gradients, golden.tolerance)).toBeNull();
  expect(mismatch(actual.ratios, golden.ratios, golden.tolerance)).toBeNull();
  expect(actual.clipFraction).toBeCloseTo(golden.clipFraction, 12);
});

test('the clipped surrogate with truncated importance weights agrees', () => {
  const { withClip: golden } = loadTis();
  const limit = { kind: 'truncate', high: golden.high } as const;
  const tokenWeights = samplerWeights(golden.tokens, { level: 'token', limit });
  const actual = surrogate({ ...golden.batch, tokenWeights }, golden.spec);
  expect(mismatch([actual.loss], [golden.loss], golden.tolerance)).toBeNull();
  expect(mismatch(actual.gradients, golden.gradients, golden.tolerance)).toBeNull();
});
