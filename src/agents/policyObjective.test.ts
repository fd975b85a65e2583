import * as tf from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LossSpec } from '../config/experimentSpec';
import { categoricalEntropy, logSoftmax } from '../rl/entropy';
import { mismatch } from '../rl/golden/mismatch';
import { klK3 } from '../rl/klEstimators';
import { policyLoss } from '../rl/policyLoss';
import { foldIn, keyFromSeed, normal } from '../rl/rng';
import { clippedLoss, toUpdateBatch, type PlainTurn } from './golden/smallCohort';
import { packTurns, type PackedTurns } from './packTurns';
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

const vocabularySize = 4;
const width = 3;

function logitsOf(context: readonly number[]): Float32Array {
  const key = foldIn(keyFromSeed(1), context.length, ...context);
  return Float32Array.from({ length: vocabularySize }, (_, token) => 1.5 * normal(key, token));
}

/** What a turn is drawn from: how much likelier each token became since it was sampled, instead of old log-probabilities. */
interface DrawnTurn {
  readonly prompt: readonly number[];
  readonly action: readonly number[];
  readonly logRatios: readonly number[];
  readonly advantage: number;
}

const contextOf = ({ prompt, action }: DrawnTurn, position: number): number[] => [
  ...prompt,
  ...action.slice(0, position),
];

/** Few different prompts, tokens, ratios and advantages, so that equal records are common. */
function drawnTurns(logRatios: readonly number[]): fc.Arbitrary<DrawnTurn[]> {
  const turn = fc.record({
    prompt: fc.constantFrom([0], [1, 2], [3, 0, 1]),
    action: fc.array(fc.nat(vocabularySize - 1), { minLength: 1, maxLength: width }),
    logRatios: fc.tuple(...Array.from({ length: width }, () => fc.constantFrom(...logRatios))),
    advantage: fc.constantFrom(-1.5, -1, 0, 0.5, 1),
  });
  return fc.array(turn, { minLength: 1, maxLength: 12 });
}

/** Inside, between and outside of all clip bounds (ln 0.8 = −0.22, ln 1.28 = 0.25, ln 3 = 1.10) and of ±20, but not on any. */
const everyLogRatio = [-25, -1.5, -0.5, -0.1, 0, 0.1, 0.5, 1.5, 25];

/** The turns as rows [B, width], in float64. */
function toRows(turns: readonly DrawnTurn[]) {
  const size = turns.length * width;
  const [logprobs, oldLogprobs] = [new Float64Array(size), new Float64Array(size)];
  const mask = new Uint8Array(size);
  for (const [row, turn] of turns.entries())
    for (const [position, token] of turn.action.entries()) {
      const cell = row * width + position;
      logprobs[cell] = logSoftmax(logitsOf(contextOf(turn, position)), vocabularySize)[token]!;
      oldLogprobs[cell] = Math.fround(logprobs[cell] - turn.logRatios[position]!);
      mask[cell] = 1;
    }
  const advantages = Float64Array.from(turns, ({ advantage }) => advantage);
  return { logprobs, oldLogprobs, mask, advantages, rowWeights: null };
}

type Rows = ReturnType<typeof toRows>;

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
const tokenCount = ({ mask }: Rows): number => mask.reduce((sum, counts) => sum + counts, 0);

/** Contexts in words, so that they can be keys. */
type ContextRows = Map<string, number[]>;

function addTo(sums: ContextRows, context: readonly number[], row: readonly number[]): void {
  const key = context.join(' ');
  const known = sums.get(key) ?? row.map(() => 0);
  sums.set(
    key,
    known.map((value, i) => value + row[i]!),
  );
}

/** ∂/∂logits of Σ gradients · logprob − bonus · Σ entropy over the tokens, per context. ∂ log pₐ/∂zⱼ = δₐⱼ − pⱼ. */
function chained(
  turns: readonly DrawnTurn[],
  gradients: Float64Array,
  bonus: number,
): { sums: ContextRows; entropySum: number } {
  const sums: ContextRows = new Map();
  let entropySum = 0;
  for (const [row, turn] of turns.entries())
    for (const [position, action] of turn.action.entries()) {
      const context = contextOf(turn, position);
      const logprobs = logSoftmax(logitsOf(context), vocabularySize);
      const entropy = categoricalEntropy(logitsOf(context), vocabularySize);
      entropySum += entropy.entropies[0]!;
      const slope = gradients[row * width + position]!;
      const chain = Array.from(logprobs, (logprob, token) => {
        const score = (token === action ? 1 : 0) - Math.exp(logprob);
        return slope * score - bonus * entropy.gradients[token]!;
      });
      addTo(sums, context, chain);
    }
  return { sums, entropySum };
}

/** Turns of other agents that the policy's loss is averaged over too, one token each. */
function pack(turns: readonly DrawnTurn[], rows: Rows, spec: LossSpec, numOthers: number) {
  const plain = turns.map(({ prompt, action, advantage }, row): PlainTurn => {
    const start = row * width;
    const oldLogprobs = [...rows.oldLogprobs.subarray(start, start + action.length)];
    return { prompt, action, oldLogprobs, advantage };
  });
  const numTokens = tokenCount(rows) + numOthers;
  const total = { numTokens, numTurns: turns.length + numOthers, maxActionTokens: width };
  const batch = toUpdateBatch(plain, 'policyGradient');
  return packTurns(batch, [...turns.keys()], spec.aggregation, total);
}

/** Tokens up to and including each site's; padding sites left out. */
function siteContexts(packed: PackedTurns): number[][] {
  const used = packed.siteCounts.filter((count) => count > 0).length;
  return Array.from(packed.siteRows.subarray(0, used), (row) => {
    const start = row - (row % packed.length);
    return [...packed.tokens.subarray(start, row + 1)];
  });
}

/** [K, V] with zeros at padding sites. */
function siteLogits(packed: PackedTurns): tf.Tensor2D {
  const values = new Float32Array(packed.siteRows.length * vocabularySize);
  for (const [site, context] of siteContexts(packed).entries())
    values.set(logitsOf(context), site * vocabularySize);
  return tf.tensor2d(values, [packed.siteRows.length, vocabularySize]);
}

type Score = (
  logits: tf.Tensor2D,
  turns: ReturnType<typeof uploadTurns>,
) => ReturnType<typeof supervisedObjective>;

/** Loss, statistics and gradient per context of an objective. Asserts that padding sites have no gradient. */
function scored(packed: PackedTurns, score: Score) {
  const turns = uploadTurns(packed);
  const logits = siteLogits(packed);
  const { loss, stats } = score(logits, turns);
  const gradientOf = tf.grad((x) => score(tf.reshape(x, logits.shape), turns).loss);
  const values = gradientOf(logits).dataSync<'float32'>();
  const sums: ContextRows = new Map();
  const contexts = siteContexts(packed);
  for (const [site, context] of contexts.entries()) {
    const start = site * vocabularySize;
    addTo(sums, context, [...values.subarray(start, start + vocabularySize)]);
  }
  const padding = values.subarray(contexts.length * vocabularySize);
  expect(padding.every((value) => value === 0)).toBe(true);
  return { loss: loss.dataSync()[0]!, stats: stats.dataSync<'float32'>(), sums };
}

function expectSameRows(actual: ContextRows, expected: ContextRows): void {
  expect([...actual.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
  const wrong = Array.from(expected, ([context, row]) => ({
    context,
    mismatch: mismatch(actual.get(context)!, row, 1e-5),
  }));
  expect(wrong.filter((entry) => entry.mismatch !== null)).toEqual([]);
}

const specs = fc.record<LossSpec>({
  clipLow: fc.constant(0.2),
  clipHigh: fc.constantFrom(0.2, 0.28),
  dualClip: fc.constantFrom(null, 3),
  entropyCoef: fc.constantFrom(0, 0.1),
  aggregation: fc.constantFrom('tokenMean', 'sequenceMean', 'constantLength'),
  numUpdateEpochs: fc.constant(1),
});

/** A fixed seed, because float32 is compared with float64 under a tolerance that no bound covers for every draw. */
const runs = { numRuns: 60, seed: 2 };

describe('on random turns with many duplicates', () => {
  test('loss, gradient and statistics are those of rl/policyLoss and rl/entropy', () => {
    const property = fc.property(
      drawnTurns(everyLogRatio),
      specs,
      fc.integer({ min: 0, max: 3 }),
      (turns, spec, numOthers) => {
        const rows = toRows(turns);
        const numTokens = tokenCount(rows);
        const aggregation = { kind: spec.aggregation, length: width };
        const reference = policyLoss(rows, { ...spec, aggregation });
        // The divisors are of all turns: tokens for the token mean, turns for the two others.
        const tokenShare = numTokens / (numTokens + numOthers);
        const share =
          spec.aggregation === 'tokenMean' ? tokenShare : turns.length / (turns.length + numOthers);
        const slopes = reference.gradients.map((slope) => slope * share);
        const bonus = (spec.entropyCoef * tokenShare) / numTokens;
        const { sums, entropySum } = chained(turns, slopes, bonus);

        const packed = pack(turns, rows, spec, numOthers);
        const actual = scored(packed, (logits, device) =>
          policyGradientObjective(logits, device, spec, tokenShare),
        );
        expectSameRows(actual.sums, sums);
        const loss = share * reference.loss - bonus * entropySum;
        expect(mismatch([actual.loss], [loss], 1e-5)).toBeNull();
        const stats = [
          sumOf(reference.tokenLosses) / numTokens,
          entropySum / numTokens,
          reference.clipFractionLow,
          reference.clipFractionHigh,
        ];
        expect(mismatch(actual.stats, stats, 1e-5)).toBeNull();
      },
    );
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
      const stats = [crossEntropy, entropySum / numTokens, 0, 0];
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
function scoreToken(logRatio: number, advantage: number, changes: Partial<LossSpec> = {}) {
  const spec = { ...clippedLoss, entropyCoef: 0, ...changes };
  const oldLogprobs = [Math.log(1 / 4) - logRatio];
  const turn = { prompt: [0], action: [2], oldLogprobs, advantage };
  const batch = toUpdateBatch([turn], 'policyGradient');
  const total = { numTokens: 1, numTurns: 1, maxActionTokens: 1 };
  const turns = uploadTurns(packTurns(batch, [0], 'tokenMean', total));
  const shape: [number, number] = [turns.sites.rows.size, 4];
  const lossOf = (x: tf.Tensor): tf.Scalar =>
    policyGradientObjective(tf.reshape(x, shape), turns, spec, 1).loss;
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
