import fc from 'fast-check';
import { expect, test } from 'vitest';
import { whitenAdvantages } from './advantageWhitening';
import { mismatch } from './golden/mismatch';

test('active steps are standardised among themselves with n in the divisor', () => {
  // Active: 1, 3, 5. Mean 3, population std √(8/3). The inactive 1000 takes no part.
  const { advantages, mean, std } = whitenAdvantages(
    Float64Array.of(1, 1000, 3, 5),
    Uint8Array.of(1, 0, 1, 1),
    0,
  );
  const deviation = 2 / Math.sqrt(8 / 3);
  expect(mismatch(advantages, [-deviation, 0, 0, deviation], 1e-12)).toBeNull();
  expect([mean, std]).toEqual([3, Math.sqrt(8 / 3)]);
});

test('epsilon is added to the std', () => {
  // Mean 1, std 1: (2 − 1)/(1 + 1) = ½
  const { advantages } = whitenAdvantages(Float64Array.of(0, 2), Uint8Array.of(1, 1), 1);
  expect([...advantages]).toEqual([-0.5, 0.5]);
});

test('NaN and infinities get 0, are counted where the agent acted, and do not poison the rest', () => {
  const result = whitenAdvantages(
    Float64Array.of(NaN, 1, Infinity, 3, NaN),
    Uint8Array.of(1, 1, 1, 1, 0),
    0,
  );
  // 1 and 3 remain: mean 2, std 1.
  expect([...result.advantages]).toEqual([0, -1, 0, 1, 0]);
  expect(result.numNotFinite).toBe(2);
});

test('equal advantages and no active step give zeros, not NaN', () => {
  const equal = whitenAdvantages(Float64Array.of(0.1, 0.1, 0.1), Uint8Array.of(1, 1, 1), 1e-5);
  expect([...equal.advantages]).toEqual([0, 0, 0]);
  const idle = whitenAdvantages(Float64Array.of(1, 2), new Uint8Array(2), 1e-5);
  expect([...idle.advantages]).toEqual([0, 0]);
  expect([idle.mean, idle.std, idle.numNotFinite]).toEqual([NaN, NaN, 0]);
});

test('the result has mean 0 and std 1, wherever the advantages were and however large', () => {
  const entry = fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.constantFrom(0, 1, 1));
  fc.assert(
    fc.property(
      fc.array(entry, { minLength: 4, maxLength: 40 }),
      fc.double({ min: -100, max: 100, noNaN: true }),
      fc.constantFrom(1e-3, 1, 1e6),
      (entries, shift, scale) => {
        const raw = Float64Array.from(entries, ([advantage]) => shift + scale * advantage);
        const masks = Uint8Array.from(entries, ([, isActive]) => isActive);
        const { advantages, std } = whitenAdvantages(raw, masks, 0);
        fc.pre(std > 1e-6 * (Math.abs(shift) + scale));
        const active = advantages.filter((_, step) => masks[step] === 1);
        const mean = active.reduce((sum, a) => sum + a, 0) / active.length;
        const square = active.reduce((sum, a) => sum + a * a, 0) / active.length;
        expect(mismatch([mean, square], [0, 1], 1e-7)).toBeNull();
      },
    ),
  );
});

test('masks of another length are refused', () => {
  expect(() => whitenAdvantages(new Float64Array(3), new Uint8Array(2), 1e-5)).toThrow(
    'activeMasks has 2 entries, advantages 3',
  );
});
