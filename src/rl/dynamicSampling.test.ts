import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dynamicSampling } from './dynamicSampling';
import { loadDapo } from './golden/loadSurrogates';

test('groups with equal rewards are dropped, as the independent filter does', () => {
  const { rewards, groupIds, keep, zeroStdGroupFraction } = loadDapo().sampling;
  const actual = dynamicSampling(rewards, groupIds, 1e-6);
  expect(Array.from(actual.keep, (kept) => kept === 1)).toEqual(keep);
  expect(actual.zeroStdGroupFraction).toBe(zeroStdGroupFraction);
});

test('rounding is no signal, a group of one and a group without a finite reward have none', () => {
  const rewards = Float64Array.of(0.3, 0.1 + 0.2, 1, NaN, NaN, 0, Infinity, 1);
  const groupIds = Int32Array.of(7, 7, 2, 3, 3, 4, 4, 4);
  // Only group 4 has two finite rewards that differ.
  const { keep, zeroStdGroupFraction } = dynamicSampling(rewards, groupIds, 1e-6);
  expect([...keep]).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
  expect(zeroStdGroupFraction).toBe(0.75);
  expect(dynamicSampling(new Float64Array(0), new Int32Array(0), 0).zeroStdGroupFraction).toBe(0);
});

test('a group of rewards 0 and 1 is kept exactly if it has both', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 8 }), (drawn) => {
      const { keep } = dynamicSampling(
        Float64Array.from(drawn),
        new Int32Array(drawn.length),
        1e-6,
      );
      const isMixed = drawn.includes(0) && drawn.includes(1);
      expect([...keep]).toEqual(drawn.map(() => (isMixed ? 1 : 0)));
    }),
  );
});

test('rewards without a group are refused', () => {
  expect(() => dynamicSampling(new Float64Array(2), new Int32Array(3), 0)).toThrow(RangeError);
});
