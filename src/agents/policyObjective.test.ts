import * as tf from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultLosses } from '../config/defaults';
import { mismatch } from '../rl/golden/mismatch';
import { klK3 } from '../rl/klEstimators';
import { klLoss } from '../rl/klPenalty';
import { offPolicyMask } from '../rl/offPolicyMask';
import { effectiveSampleSize, samplerMismatch } from '../rl/samplerWeights';
import { surrogate } from '../rl/surrogateLoss';
import { toSurrogateSpec } from './golden/surrogateSpec';
import {
  width,
  drawnTurns,
  everyLogRatio,
  toRows,
  sumOf,
  tokenCount,
  chained,
  pack,
  siteLogits,
  scored,
  expectSameRows,
  specs,
  distinctRows,
  runs,
} from './golden/drawnTurns';
import { clippedLoss, toUpdateBatch } from './golden/smallCohort';
import { packTurns } from './packTurns';
import {
  approxKl,
  policyGradientObjective,
  supervisedObjective,
  uploadTurns,
} from './policyObjective';
import { selectBackend } from './tfjsBackend';

/**
 * The objective in tfjs ops on packed turns against `rl/policyLoss` and `rl/entropy` on plain rows. In place of a transformer
 * a context has logits that are a fixed function of its tokens: equal contexts have equal logits, as with a real policy.
 */

beforeAll(() => selectBackend('cpu'));
beforeEach(() => tf.engine().startScope());
afterEach(() => tf.engine().endScope());

describe('on random turns with many duplicates', () => {
  test('loss, gradient and statistics of every policy loss are those of rl/surrogateLoss and rl/entropy', () => {
    const property = fc.property(
      drawnTurns(everyLogRatio),
      specs,
      fc.integer({ min: 0, max: 3 }),
      (turns, spec, numOthers) => {
        const rows = toRows(turns);
        const numTokens = tokenCount(rows);
        const keep =
          spec.maxMeanLogRatio === null ? null : offPolicyMask(rows, spec.maxMeanLogRatio);
        const rowWeights = rows.rowWeights.map((factor, row) => factor * (keep?.[row] ?? 1));
        const reference = surrogate({ ...rows, rowWeights }, toSurrogateSpec(spec, width));
        // The divisors are of all turns: tokens for the token mean, turns for the two others.
        const tokenShare = numTokens / (numTokens + numOthers);
        const share =
          spec.aggregation === 'tokenMean' ? tokenShare : turns.length / (turns.length + numOthers);
        const slopes = reference.gradients.map((slope) => slope * share);
        const bonus = (spec.entropyCoef * tokenShare) / numTokens;
        const { sums, entropySum } = chained(turns, slopes, bonus);

        const packed = pack(turns, rows, spec, numOthers);
        const actual = scored(packed, (logits, device) =>
          policyGradientObjective(logits, device, { loss: spec, tokenShare, refLogprobs: null }),
        );
        // A mean over a turn carries the rounding of its largest log-ratio, 25 · 2⁻²⁴, into every token; exp makes it relative.
        const tolerance = spec.kind.startsWith('gspo') ? 1e-4 : 1e-5;
        expectSameRows(actual.sums, sums, tolerance);
        const loss = share * reference.loss - bonus * entropySum;
        expect(mismatch([actual.loss], [loss], tolerance)).toBeNull();
        const stats = [
          sumOf(reference.tokenLosses) / numTokens,
          entropySum / numTokens,
          reference.clipFractionLow,
          reference.clipFractionHigh,
        ];
        expect(mismatch(actual.stats.subarray(0, 4), stats, tolerance)).toBeNull();
      },
    );
    fc.assert(property, { ...runs, numRuns: 200 });
  });

  test('the KL penalty and its gradient are those of rl/klPenalty for every estimator', () => {
    const estimators = fc.constantFrom(
      'k1' as const,
      'k2' as const,
      'k3' as const,
      'k3ValueK2Gradient' as const,
    );
    const property = fc.property(
      drawnTurns([-1.5, -0.1, 0, 0.1, 1.5]),
      estimators,
      (turns, refKlEstimator) => {
        const rows = toRows(turns);
        const numTokens = tokenCount(rows);
        const refLogprobs = rows.logprobs.map((logprob, cell) =>
          rows.mask[cell] === 0 ? 0 : Math.fround(logprob + 0.4 * Math.sin(7 * logprob)),
        );
        const spec = { ...defaultLosses.clip, refKlCoef: 0.3, refKlEstimator };
        const plain = surrogate(rows, toSurrogateSpec(spec, width));
        const penalty = klLoss(
          {
            logprobs: rows.logprobs,
            refLogprobs,
            mask: rows.mask,
            numSequences: turns.length,
            rowWeights: null,
            totals: null,
          },
          { estimator: refKlEstimator, refKlCoef: 0.3, aggregation: { kind: 'tokenMean' } },
        );
        const slopes = plain.gradients.map((slope, cell) => slope + penalty.gradients[cell]!);
        const { sums } = chained(turns, slopes, 0);
        const packed = pack(turns, rows, spec, 0);
        const actual = scored(packed, (logits, device) =>
          policyGradientObjective(logits, device, {
            loss: spec,
            tokenShare: 1,
            refLogprobs: distinctRows(turns, refLogprobs, packed),
          }),
        );
        expectSameRows(actual.sums, sums);
        expect(mismatch([actual.loss], [plain.loss + penalty.loss], 1e-5)).toBeNull();
        const { values } = klK3(rows.logprobs, refLogprobs);
        expect(mismatch([actual.stats[4]!], [sumOf(values) / numTokens], 1e-5)).toBeNull();
      },
    );
    fc.assert(property, runs);
  });

  test('drift and effective sample size are those of rl/samplerWeights', () => {
    const property = fc.property(drawnTurns([-1.5, -0.1, 0, 0.1, 1.5]), (turns) => {
      const rows = toRows(turns);
      const { stats } = scored(pack(turns, rows, clippedLoss, 0), (logits, device) =>
        policyGradientObjective(logits, device, {
          loss: clippedLoss,
          tokenShare: 1,
          refLogprobs: null,
        }),
      );
      const [, , , , , drift = NaN, squares = NaN, ratio = NaN] = stats;
      const tokens = {
        oldLogprobs: rows.logprobs,
        rolloutLogprobs: rows.oldLogprobs,
        mask: rows.mask,
        numSequences: turns.length,
      };
      const ratios = rows.logprobs.map((logprob, cell) =>
        Math.exp(logprob - rows.oldLogprobs[cell]!),
      );
      expect(mismatch([drift], [samplerMismatch(tokens)], 1e-5)).toBeNull();
      expect(
        mismatch([ratio ** 2 / squares], [effectiveSampleSize(ratios, rows.mask)], 1e-5),
      ).toBeNull();
    });
    fc.assert(property, runs);
  });

  test('the supervised loss and its gradient are those of the cross-entropy', () => {
    const property = fc.property(drawnTurns(everyLogRatio), (turns) => {
      const rows = toRows(turns);
      const numTokens = tokenCount(rows);
      const slopes = Float64Array.from(rows.mask, (counts) => -counts / numTokens);
      const { sums, entropySum } = chained(turns, slopes, 0);
      const actual = scored(pack(turns, rows, clippedLoss, 0), supervisedObjective);
      expectSameRows(actual.sums, sums);
      const crossEntropy = -sumOf(rows.logprobs) / numTokens;
      expect(mismatch([actual.loss], [crossEntropy], 1e-5)).toBeNull();
      const stats = [crossEntropy, entropySum / numTokens, 0, 0, 0, 0, 0, 0];
      expect(mismatch(actual.stats, stats, 1e-5)).toBeNull();
    });
    fc.assert(property, runs);
  });

  test('approxKl is the token mean of k3 of KL(old ‖ new)', () => {
    const property = fc.property(drawnTurns([-1.5, -0.1, 0, 0.1, 1.5]), (turns) => {
      const rows = toRows(turns);
      const packed = pack(turns, rows, clippedLoss, 0);
      const [actual = NaN] = approxKl(siteLogits(packed), uploadTurns(packed)).dataSync();
      // The tokens come from the old policy, so the old one is the policy of the estimator and the new one its reference.
      const { values } = klK3(rows.oldLogprobs, rows.logprobs);
      expect(mismatch([actual], [sumOf(values) / tokenCount(rows)], 1e-5)).toBeNull();
    });
    fc.assert(property, runs);
  });
});

/** Loss and gradient of one turn of one token, drawn from four equal logits. */
function scoreToken(
  logRatio: number,
  advantage: number,
  changes: Partial<typeof clippedLoss> = {},
) {
  const spec = { ...clippedLoss, entropyCoef: 0, ...changes };
  const oldLogprobs = [Math.log(1 / 4) - logRatio];
  const turn = { prompt: [0], action: [2], oldLogprobs, advantage };
  const batch = toUpdateBatch([turn], 'policyGradient');
  const total = { numTokens: 1, numTurns: 1, maxActionTokens: 1 };
  const turns = uploadTurns(packTurns(batch, [0], 'tokenMean', total));
  const shape: [number, number] = [turns.sites.rows.size, 4];
  const lossOf = (x: tf.Tensor): tf.Scalar =>
    policyGradientObjective(tf.reshape(x, shape), turns, {
      loss: spec,
      tokenShare: 1,
      refLogprobs: null,
    }).loss;
  const logits = tf.zeros(shape);
  const gradient = tf.grad(lossOf)(logits).dataSync<'float32'>();
  return { loss: lossOf(logits).dataSync()[0]!, gradient: [...gradient.subarray(0, 4)] };
}

describe('one token of a policy that is uniform over four', () => {
  test('at ratio 1 the gradient is −A · (one-hot − ¼)', () => {
    const { loss, gradient } = scoreToken(0, 2);
    expect(loss).toBeCloseTo(-2, 6);
    expect(mismatch(gradient, [0.5, 0.5, -1.5, 0.5], 1e-6)).toBeNull();
  });

  test('a bad token that became 5 times as likely costs c · |A| = 3 without gradient, and 5 with one when dual clip is off', () => {
    const clipped = scoreToken(Math.log(5), -1);
    expect(clipped.loss).toBeCloseTo(3, 5);
    expect(clipped.gradient).toEqual([0, 0, 0, 0]);
    const open = scoreToken(Math.log(5), -1, { dualClip: null });
    expect(open.loss).toBeCloseTo(5, 5);
    expect(mismatch(open.gradient, [-1.25, -1.25, 3.75, -1.25], 1e-5)).toBeNull();
  });

  test('a log-ratio of 100 is finite: the ratio stops at e²⁰', () => {
    const { loss, gradient } = scoreToken(100, -1, { dualClip: null });
    expect(loss / Math.exp(20)).toBeCloseTo(1, 5);
    expect(gradient).toEqual([0, 0, 0, 0]);
  });
});
