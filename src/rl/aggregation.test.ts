import { expect, test } from 'vitest';
import { aggregationWeights, batchTotals, rowLengths, type Aggregation } from './aggregation';
import { mismatch } from './golden/mismatch';

/** Sequences of 1, 3 and 0 tokens. */
const mask = Uint8Array.of(1, 0, 0, 1, 1, 1, 0, 0, 0);
const rows = { mask, numSequences: 3, rowWeights: null, totals: null };

test('tokens and sequences are counted, empty sequences apart', () => {
  expect(rowLengths(mask, 3)).toEqual(Int32Array.of(1, 3, 0));
  expect(batchTotals(mask, 3)).toEqual({
    numTokens: 4,
    numSequences: 3,
    numNonEmptySequences: 2,
  });
  expect(batchTotals(new Uint8Array(0), 0).numTokens).toBe(0);
});

test.each<{ aggregation: Aggregation; short: number; long: number }>([
  // Σ/4
  { aggregation: { kind: 'tokenMean' }, short: 1 / 4, long: 1 / 4 },
  // half to each of two sequences, of the long one a third to each token
  { aggregation: { kind: 'sequenceMean' }, short: 1 / 2, long: 1 / 6 },
  { aggregation: { kind: 'sequenceSum' }, short: 1 / 2, long: 1 / 2 },
  // Σ/(3 · 5)
  { aggregation: { kind: 'constantLength', length: 5 }, short: 1 / 15, long: 1 / 15 },
])('$aggregation.kind weighs a token of each sequence', ({ aggregation, short, long }) => {
  const expected = [short, 0, 0, long, long, long, 0, 0, 0];
  expect(mismatch(aggregationWeights(rows, aggregation), expected, 1e-15)).toBeNull();
  // Totals of twice the counts halve every weight.
  const totals = { numTokens: 8, numSequences: 6, numNonEmptySequences: 4 };
  const halved = aggregationWeights({ ...rows, totals }, aggregation);
  expect(
    mismatch(
      halved,
      expected.map((weight) => weight / 2),
      1e-15,
    ),
  ).toBeNull();
});

test('totals smaller than the micro-batch are refused', () => {
  const totals = { numTokens: 3, numSequences: 3, numNonEmptySequences: 2 };
  expect(() => aggregationWeights({ ...rows, totals }, { kind: 'tokenMean' })).toThrow(
    'totals are 3 tokens in 3 sequences, this micro-batch alone has 4 in 3',
  );
});

test('a mask that is no whole number of rows is refused', () => {
  expect(() => batchTotals(new Uint8Array(5), 2)).toThrow('mask has 5 entries for 2 sequences');
  expect(() => batchTotals(new Uint8Array(5), 0)).toThrow('give whole rows of [B, T]');
});
