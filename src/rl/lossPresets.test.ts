import { expect, test } from 'vitest';
import { mismatch } from './golden/mismatch';
import type { PolicyLossBatch } from './lossBatch';
import { lossPresets } from './lossPresets';
import { surrogate } from './surrogateLoss';

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

test('each has a spec that trains and texts of its own', () => {
  const presets = Object.values(lossPresets(8));
  for (const { spec } of presets) {
    // At ratio 1 every loss pushes a good token up, and nothing else is in the batch.
    const { gradients } = surrogate(oneSequence([0], 1), spec);
    expect(gradients[0]).toBeLessThan(0);
  }
  for (const field of ['label', 'formula', 'source', 'note'] as const)
    expect(presets.every((preset) => preset[field].length > 3)).toBe(true);
  expect(new Set(presets.map(({ label }) => label)).size).toBe(presets.length);
});

test('Dr. GRPO divides by the longest length, REINFORCE by the tokens without a ratio', () => {
  const { drGrpo, reinforce } = lossPresets(8);
  // One sequence of two tokens at ratio 1, A = 1: (−1 − 1)/(1 · 8).
  expect(surrogate(oneSequence([0, 0], 1), drGrpo.spec).loss).toBe(-0.25);
  // Ratio 4, A = 2: −2·(log 4 − 1), slope −2.
  const { loss, gradients } = surrogate(oneSequence([Math.log(4)], 2), reinforce.spec);
  expect(mismatch([loss, gradients[0]!], [2 - 2 * Math.log(4), -2], 1e-14)).toBeNull();
});
