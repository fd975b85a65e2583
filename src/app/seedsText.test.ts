import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSeeds, seedsText } from './seedsText';

test('commas, blanks and ranges may be mixed', () => {
  expect(parseSeeds('0, 2 5-7')).toEqual([0, 2, 5, 6, 7]);
});

test('what is no number, a backward range and a huge range become NaN', () => {
  expect(parseSeeds('1, x, 5-3, 0-99999999')).toEqual([1, NaN, NaN, NaN]);
});

test('any list of seeds reads back as written', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffffffff)), (seeds) => {
      expect(parseSeeds(seedsText(seeds))).toEqual(seeds);
    }),
  );
});
