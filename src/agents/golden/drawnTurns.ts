import * as tf from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { expect } from 'vitest';
import { defaultLosses } from '../../config/defaults';
import type { LossSpec } from '../../config/experimentSpec';
import { categoricalEntropy, logSoftmax } from '../../rl/entropy';
import { mismatch } from '../../rl/golden/mismatch';
import { foldIn, keyFromSeed, normal } from '../../rl/rng';
import { packTurns, type PackedTurns } from '../packTurns';
import { uploadTurns, type supervisedObjective } from '../policyObjective';
import { toUpdateBatch, type PlainTurn } from './smallCohort';

/**
 * Random turns with many duplicates, packed and scored, beside plain rows of the same. In place of a transformer a context has
 * logits that are a fixed function of its tokens: equal contexts have equal logits, as with a real policy.
 */

const vocabularySize = 4;
export const width = 3;

function logitsOf(context: readonly number[]): Float32Array {
  const key = foldIn(keyFromSeed(1), context.length, ...context);
  return Float32Array.from({ length: vocabularySize }, (_, token) => 1.5 * normal(key, token));
}

/** What a turn is drawn from: how much likelier each token became since it was sampled, instead of old log-probabilities. */
export interface DrawnTurn {
  readonly prompt: readonly number[];
  readonly action: readonly number[];
  readonly logRatios: readonly number[];
  readonly advantage: number;
  /** Constant factor on the turn's token losses. */
  readonly factor: number;
}

const contextOf = ({ prompt, action }: DrawnTurn, position: number): number[] => [
  ...prompt,
  ...action.slice(0, position),
];

/** Few different prompts, tokens, ratios and advantages, so that equal records are common. */
export function drawnTurns(logRatios: readonly number[]): fc.Arbitrary<DrawnTurn[]> {
  const turn = fc.record({
    prompt: fc.constantFrom([0], [1, 2], [3, 0, 1]),
    action: fc.array(fc.nat(vocabularySize - 1), { minLength: 1, maxLength: width }),
    logRatios: fc.tuple(...Array.from({ length: width }, () => fc.constantFrom(...logRatios))),
    advantage: fc.constantFrom(-1.5, -1, 0, 0.5, 1),
    factor: fc.constantFrom(1, 1, 1, 0, 2.5),
  });
  return fc.array(turn, { minLength: 1, maxLength: 12 });
}

/** Inside, between and outside of all clip bounds (ln 0.8 = −0.22, ln 1.28 = 0.25, ln 3 = 1.10) and of ±20, but not on any. */
export const everyLogRatio = [-25, -1.5, -0.5, -0.1, 0, 0.1, 0.5, 1.5, 25];

/** The turns as rows [B, width], in float64. */
interface Rows {
  readonly logprobs: Float64Array;
  readonly oldLogprobs: Float64Array;
  readonly mask: Uint8Array;
  readonly advantages: Float64Array;
  readonly rowWeights: Float64Array;
}

export function toRows(turns: readonly DrawnTurn[]): Rows {
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
  const rowWeights = Float64Array.from(turns, ({ factor }) => factor);
  return { logprobs, oldLogprobs, mask, advantages, rowWeights };
}

export const sumOf = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + value, 0);
export const tokenCount = ({ mask }: Rows): number => mask.reduce((sum, counts) => sum + counts, 0);

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
export function chained(
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
export function pack(
  turns: readonly DrawnTurn[],
  rows: Rows,
  spec: LossSpec,
  numOthers: number,
): PackedTurns {
  const plain = turns.map(({ prompt, action, advantage, factor }, row): PlainTurn => {
    const start = row * width;
    const oldLogprobs = [...rows.oldLogprobs.subarray(start, start + action.length)];
    const lossFactors = action.map(() => factor);
    return { prompt, action, oldLogprobs, advantage, lossFactors };
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
export function siteLogits(packed: PackedTurns): tf.Tensor2D {
  const values = new Float32Array(packed.siteRows.length * vocabularySize);
  for (const [site, context] of siteContexts(packed).entries())
    values.set(logitsOf(context), site * vocabularySize);
  return tf.tensor2d(values, [packed.siteRows.length, vocabularySize]);
}

/** Values per plain row as the matrix [N, L] of the packed distinct turns: each takes those of its first equal row. */
export function distinctRows(
  turns: readonly DrawnTurn[],
  values: Float64Array,
  packed: PackedTurns,
): tf.Tensor2D {
  const keys = turns.map(({ prompt, action, logRatios, advantage, factor }) =>
    JSON.stringify([prompt, action, logRatios.slice(0, action.length), advantage, factor]),
  );
  const firsts = keys.flatMap((key, row) => (keys.indexOf(key) === row ? [row] : []));
  const numTurns = packed.turnCounts.length;
  const matrix = new Float32Array(numTurns * packed.actionWidth);
  for (const [place, row] of firsts.entries())
    for (let position = 0; position < turns[row]!.action.length; position++)
      matrix[place * packed.actionWidth + position] = values[row * width + position]!;
  return tf.tensor2d(matrix, [numTurns, packed.actionWidth]);
}

type Score = (
  logits: tf.Tensor2D,
  turns: ReturnType<typeof uploadTurns>,
) => ReturnType<typeof supervisedObjective>;

/** Loss, statistics and gradient per context of an objective. Asserts that padding sites have no gradient. */
export function scored(
  packed: PackedTurns,
  score: Score,
): { loss: number; stats: Float32Array; sums: ContextRows } {
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

export function expectSameRows(actual: ContextRows, expected: ContextRows, tolerance = 1e-5): void {
  expect([...actual.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
  const wrong = Array.from(expected, ([context, row]) => ({
    context,
    mismatch: mismatch(actual.get(context)!, row, tolerance),
  }));
  expect(wrong.filter((entry) => entry.mismatch !== null)).toEqual([]);
}

export const specs: fc.Arbitrary<LossSpec> = fc
  .record({
    loss: fc.constantFrom(
      ...Object.values(defaultLosses),
      { ...defaultLosses.clip, clipHigh: 0.28, dualClip: null },
      { ...defaultLosses.gspo, clipLow: 0.2, clipHigh: 0.28 },
      { ...defaultLosses.gspoToken, clipLow: 0.2, clipHigh: 0.28 },
    ),
    entropyCoef: fc.constantFrom(0, 0.1),
    // No mean of the log-ratios below lies within rounding of it.
    maxMeanLogRatio: fc.constantFrom(null, 0.37),
    aggregation: fc.constantFrom(
      'tokenMean' as const,
      'sequenceMean' as const,
      'constantLength' as const,
    ),
  })
  .map(({ loss, ...changes }) => Object.assign({}, loss, changes));

/** A fixed seed, because float32 is compared with float64 under a tolerance that no bound covers for every draw. */
export const runs = { numRuns: 60, seed: 2 };
