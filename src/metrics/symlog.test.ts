import fc from 'fast-check';
import { expect, test } from 'vitest';
import { symlog, symlogInverse, symlogTicks } from './symlog';

const values = fc.double({ min: -1e12, max: 1e12, noNaN: true });
const bounds = fc.double({ min: 1e-6, max: 1e6, noNaN: true });

test('by hand: 0 at 0, ln 2 at the bound, about ln(x/c) far out', () => {
  expect(symlog(0, 3)).toBe(0);
  expect(symlog(3, 3)).toBeCloseTo(Math.LN2, 15);
  expect(symlog(-3, 3)).toBeCloseTo(-Math.LN2, 15);
  expect(symlog(1e9, 1)).toBeCloseTo(9 * Math.LN10, 8);
  // x − x²/2: a plain logarithm of 1 + x would keep four digits.
  expect(symlog(1e-12, 1)).toBe(1e-12 - 0.5e-24);
  expect([symlog(Infinity, 1), symlog(-Infinity, 1), symlog(NaN, 1)]).toEqual([
    Infinity,
    -Infinity,
    NaN,
  ]);
});

test('there and back is the same value; the curve is odd and increases', () => {
  fc.assert(
    fc.property(values, values, bounds, (value, other, bound) => {
      const back = symlogInverse(symlog(value, bound), bound);
      expect(Math.abs(back - value)).toBeLessThanOrEqual(1e-12 * (Math.abs(value) + bound));
      expect(symlog(-value, bound)).toBe(-symlog(value, bound));
      const [low, high] = [Math.min(value, other), Math.max(value, other)];
      expect(symlog(low, bound)).toBeLessThanOrEqual(symlog(high, bound));
    }),
  );
});

test('labels are 0 and the decades on both sides', () => {
  const range = { low: -200, high: 5000, linearBound: 1 };
  expect(symlogTicks(range, 12)).toEqual([-100, -10, -1, 0, 1, 10, 100, 1000]);
  // Every second decade from the bound on.
  expect(symlogTicks(range, 5)).toEqual([-100, -1, 0, 1, 100]);
  expect(symlogTicks({ low: 0, high: 1000, linearBound: 0.001 }, 20)).toEqual([
    0, 0.001, 0.01, 0.1, 1, 10, 100, 1000,
  ]);
  expect(symlogTicks({ low: -1e5, high: -50, linearBound: 10 }, 9)).toEqual([
    -100_000, -10_000, -1000, -100,
  ]);
});

test('a range that holds fewer than two of them has the labels of a linear axis', () => {
  expect(symlogTicks({ low: 3, high: 7, linearBound: 1 }, 5)).toEqual([3, 4, 5, 6, 7]);
  expect(symlogTicks({ low: -0.5, high: 0.5, linearBound: 1 }, 3)).toEqual([-0.5, 0, 0.5]);
});

test('labels increase, lie inside, and are never more than asked for', () => {
  fc.assert(
    fc.property(
      values,
      values,
      bounds,
      fc.integer({ min: 3, max: 12 }),
      (a, b, linearBound, maxTicks) => {
        fc.pre(a !== b);
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const ticks = symlogTicks({ low, high, linearBound }, maxTicks);
        expect(ticks.length).toBeLessThanOrEqual(maxTicks);
        expect(ticks.every((tick) => low <= tick && tick <= high)).toBe(true);
        expect([...new Set(ticks)].toSorted((x, y) => x - y)).toEqual(ticks);
      },
    ),
  );
});

test('bounds and ranges that make no axis are refused', () => {
  for (const bound of [0, -1, NaN, Infinity]) {
    expect(() => symlog(1, bound)).toThrow(`linearBound is ${bound}`);
    expect(() => symlogInverse(1, bound)).toThrow(`linearBound is ${bound}`);
  }
  expect(() => symlogTicks({ low: 1, high: 1, linearBound: 1 }, 5)).toThrow('The range is 1 to 1');
  expect(() => symlogTicks({ low: NaN, high: 1, linearBound: 1 }, 5)).toThrow('The range is NaN');
  expect(() => symlogTicks({ low: 0, high: 1, linearBound: 1 }, 2)).toThrow('maxTicks is 2');
});
