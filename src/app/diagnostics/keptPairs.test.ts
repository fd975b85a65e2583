import { expect, test } from 'vitest';
import type { GradientPair } from '../../protocol/trainerApi';
import { keepPairs } from './keptPairs';

const conflict = { iteration: 4, cosine: 0.1, nullLow: 0.2, nullMedian: 0.5, isConflict: true };
const pair = (changes: Partial<GradientPair> = {}): GradientPair => ({
  arm: 'global',
  seed: 0,
  a: 'router',
  b: 'search',
  updateCosine: 0.1,
  conflict: null,
  ...changes,
});

test('the latest of every pair is kept, in order of first appearance', () => {
  const first = [pair(), pair({ seed: 1 })];
  const fresh = pair({ updateCosine: -0.5 });
  expect(keepPairs(first, [fresh, pair({ seed: 2 })])).toEqual([
    fresh,
    pair({ seed: 1 }),
    pair({ seed: 2 }),
  ]);
  expect(keepPairs(first, [])).toBe(first);
});

test('an iteration that does not measure leaves the last measurement, one that does replaces it', () => {
  const measured = [pair({ conflict })];
  const after = keepPairs(measured, [pair({ updateCosine: 0.9 })]);
  expect(after).toEqual([pair({ updateCosine: 0.9, conflict })]);
  const later = { ...conflict, iteration: 8, cosine: 0.7, isConflict: false };
  expect(keepPairs(after, [pair({ conflict: later })])).toEqual([pair({ conflict: later })]);
});
