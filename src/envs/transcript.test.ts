import { expect, test } from 'vitest';
import { describeTokens, tokenNames } from './transcript';

const spec = { vocabulary: ['PAD', 'ASK', 'TELL'] };

test('tokens are named in order and padding is left out', () => {
  expect(describeTokens(spec, Int32Array.of(2, 1, 0, 0))).toBe('TELL ASK');
});

test('an id outside the vocabulary is shown as a number in angle brackets', () => {
  expect(describeTokens(spec, [1, 3, -1])).toBe('ASK ⟨3⟩ ⟨-1⟩');
});

test('names stand one for one beside their tokens, padding among them', () => {
  expect(tokenNames(spec, Int32Array.of(2, 0, 7))).toEqual(['TELL', 'PAD', '⟨7⟩']);
});
