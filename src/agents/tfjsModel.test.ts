import * as tf from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { ArchitectureSpec } from '../config/experimentSpec';
import { mismatch } from '../rl/golden/mismatch';
import { drawWeights, plainLogits } from './golden/plainModel';
import { smallArchitecture } from './golden/smallCohort';
import { parameterSpecs } from './parameters';
import { selectBackend } from './tfjsBackend';
import { createTables, forwardLogits } from './tfjsModel';

beforeAll(() => selectBackend('cpu'));

/** |Δ| ≤ 1e-5 · (1 + |reference|): float32 (6e-8 a rounding) through some hundred roundings, logits of order 1. */
const tolerance = 1e-5;

interface Case {
  readonly architecture: ArchitectureSpec;
  readonly vocabularySize: number;
  readonly sequences: readonly (readonly number[])[];
  /** Sequence and position of each site. */
  readonly sites: readonly (readonly [number, number])[];
  readonly embeddingScale?: number;
  /** Width of the token matrix; default: the longest sequence. */
  readonly length?: number;
  readonly padding?: number;
}

function weightsOf({ architecture, vocabularySize, embeddingScale }: Case) {
  return drawWeights(parameterSpecs(architecture, vocabularySize), 3, embeddingScale);
}

/** [sites · V] by `forwardLogits` */
function modelLogits(given: Case): Float32Array {
  const { architecture, vocabularySize, sequences } = given;
  const length = given.length ?? Math.max(...sequences.map((sequence) => sequence.length));
  const rows = sequences.flatMap((sequence) =>
    Array.from({ length }, (_, position) => sequence[position] ?? given.padding ?? 0),
  );
  return tf.tidy(() => {
    const values = weightsOf(given);
    const weights = parameterSpecs(architecture, vocabularySize).map(({ name, shape }) =>
      tf.tensor(values.get(name)!, [...shape]),
    );
    const siteRows = given.sites.map(([sequence, position]) => sequence * length + position);
    const siteOfRow = rows.map((_, row) => siteRows.indexOf(row));
    return forwardLogits(architecture, createTables(architecture, length + 2), weights, {
      tokens: tf.tensor2d(rows, [sequences.length, length], 'int32'),
      sites: {
        rows: tf.tensor1d(siteRows, 'int32'),
        siteOfRow: tf.tensor1d(siteOfRow, 'int32'),
      },
    }).dataSync<'float32'>();
  });
}

/** The same by plain loops. */
function referenceLogits(given: Case): number[] {
  const logits = given.sequences.map((sequence) =>
    plainLogits(given.architecture, weightsOf(given), sequence),
  );
  return given.sites.flatMap(([sequence, position]) => [...logits[sequence]![position]!]);
}

const fourHeads = { ...smallArchitecture, hiddenSize: 16, numHeads: 4 };
const twoSequences: Omit<Case, 'architecture'> = {
  vocabularySize: 5,
  sequences: [
    [1, 4, 2, 2, 0],
    [3, 0, 1],
  ],
  sites: [
    [1, 2],
    [0, 4],
    [0, 0],
    [1, 0],
    [0, 2],
  ],
};

test.each([
  ['one key head for each query head', { ...fourHeads, numKeyValueHeads: 4 }],
  ['two key heads for four query heads', { ...fourHeads, numKeyValueHeads: 2 }],
  ['one key head for four query heads', { ...fourHeads, numKeyValueHeads: 1 }],
  [
    'two key heads for six query heads',
    { ...smallArchitecture, hiddenSize: 12, numHeads: 6, numKeyValueHeads: 2 },
  ],
  ['a tied head', { ...fourHeads, numKeyValueHeads: 2, tieEmbeddings: true }],
  ['three layers', { ...smallArchitecture, numLayers: 3 }],
  ['heads of two, where rotary turns one pair', { ...smallArchitecture, numHeads: 4 }],
  ['an inner width of one', { ...smallArchitecture, intermediateSize: 1 }],
  ['another rotary base', { ...smallArchitecture, ropeTheta: 3 }],
])('%s: the logits are those of plain float64 loops', (_name, architecture) => {
  const given = { architecture, ...twoSequences };
  expect(mismatch(modelLogits(given), referenceLogits(given), tolerance)).toBeNull();
});

test('one sequence of one token has the logits of plain float64 loops', () => {
  const given: Case = {
    architecture: smallArchitecture,
    vocabularySize: 2,
    sequences: [[1]],
    sites: [[0, 0]],
  };
  expect(mismatch(modelLogits(given), referenceLogits(given), tolerance)).toBeNull();
});

test('a stream as small as √ε is normalised with ε = 1e-6 under the root', () => {
  // Embeddings of scale 1e-3: mean square 1e-6 = ε, so the first norm halves the square. Without ε the logits move by O(1).
  const given = { architecture: smallArchitecture, ...twoSequences, embeddingScale: 1e-3 };
  expect(mismatch(modelLogits(given), referenceLogits(given), tolerance)).toBeNull();
});

test('random shapes, tokens and orders of sites have the logits of plain float64 loops', () => {
  const architectures = fc
    .record({
      numLayers: fc.integer({ min: 1, max: 2 }),
      heads: fc.constantFrom([1, 1], [2, 1], [2, 2], [3, 1], [3, 3], [4, 2], [6, 3]),
      half: fc.integer({ min: 1, max: 3 }),
      intermediateSize: fc.integer({ min: 1, max: 9 }),
      tieEmbeddings: fc.boolean(),
      ropeTheta: fc.constantFrom(10, 10_000, 500_000),
    })
    .map(({ heads, half, ...rest }): ArchitectureSpec => {
      const [numHeads = 1, numKeyValueHeads = 1] = heads;
      const sizes = { numHeads, numKeyValueHeads, hiddenSize: 2 * half * numHeads };
      return Object.assign(sizes, rest);
    });
  const cases = fc
    .record({ architecture: architectures, vocabularySize: fc.integer({ min: 2, max: 13 }) })
    .chain(({ architecture, vocabularySize }) => {
      const token = fc.nat(vocabularySize - 1);
      const sequence = fc.array(token, { minLength: 1, maxLength: 7 });
      return fc
        .array(sequence, { minLength: 1, maxLength: 3 })
        .chain((sequences) => {
          const all = sequences.flatMap((list, index) =>
            [...list.keys()].map((position) => [index, position] as const),
          );
          const sites = fc.shuffledSubarray(all, { minLength: 1 });
          return fc.record({ sequences: fc.constant(sequences), sites });
        })
        .map(({ sequences, sites }): Case => ({ architecture, vocabularySize, sequences, sites }));
    });
  fc.assert(
    fc.property(cases, (given) => {
      expect(mismatch(modelLogits(given), referenceLogits(given), tolerance)).toBeNull();
    }),
    // A fixed seed: the tolerance is on float32 rounding, which no bound covers for every draw.
    { numRuns: 40, seed: 1 },
  );
});

test('what stands to the right of a site, and how much of it, does not change the site', () => {
  const given = { architecture: fourHeads, ...twoSequences };
  const logits = modelLogits(given);
  // A masked score adds exp(−1e9) = 0 to the softmax, so not even the last bit moves.
  expect(modelLogits({ ...given, padding: 3 })).toEqual(logits);
  expect(modelLogits({ ...given, length: 9, padding: 4 })).toEqual(logits);
});

test('too few weights are an error that says what to pass', () => {
  const architecture = smallArchitecture;
  const tables = createTables(architecture, 2);
  const input = {
    tokens: tf.tensor2d([0], [1, 1], 'int32'),
    sites: { rows: tf.tensor1d([0], 'int32'), siteOfRow: tf.tensor1d([0], 'int32') },
  };
  const run = () => forwardLogits(architecture, tables, [tf.ones([2, 8])], input);
  expect(run).toThrow('got 1 weights: pass one per parameterSpecs entry');
});
