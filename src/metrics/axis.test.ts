import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisOver, isDrawable } from './axis';

test('a log axis widens to 1, 2 or 5 × 10ⁿ and labels decades', () => {
  expect(axisOver([0.013, 870], 'log', 6)).toEqual({
    domain: [0.01, 1000],
    ticks: [0.01, 0.1, 1, 10, 100, 1000],
  });
});

test('a log axis of less than two decades labels 1, 2 and 5', () => {
  expect(axisOver([0.3, 7], 'log', 6)).toEqual({
    domain: [0.2, 10],
    ticks: [0.2, 0.5, 1, 2, 5, 10],
  });
});

test('zero, negative, NaN and infinite values do not move a log axis', () => {
  const clean = axisOver([1, 50], 'log', 5);
  expect(axisOver([0, -4, NaN, Infinity, 1, 50], 'log', 5)).toEqual(clean);
  expect(isDrawable(0, 'log')).toBe(false);
  expect(isDrawable(0, 'linear')).toBe(true);
  expect(isDrawable(Infinity, 'linear')).toBe(false);
});

test('a linear axis has round ticks without rounding noise', () => {
  expect(axisOver([0, 0.93], 'linear', 6)).toEqual({
    domain: [0, 1],
    ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
  });
  expect(axisOver([-0.1, 0.3], 'linear', 5).ticks).toEqual([-0.1, 0, 0.1, 0.2, 0.3]);
});

test('no value, or one value over and over, still gives an axis', () => {
  expect(axisOver([], 'linear', 6).domain).toEqual([0, 1]);
  expect(axisOver([0, 0], 'linear', 6).domain).toEqual([0, 1]);
  expect(axisOver([], 'log', 6).domain).toEqual([0.1, 10]);
  expect(axisOver([10, 10], 'log', 6).domain).toEqual([10, 20]);
  const [low, high] = axisOver([7, 7], 'linear', 6).domain;
  expect(low).toBeLessThan(7);
  expect(high).toBeGreaterThan(7);
});

const scale = fc.constantFrom<'linear' | 'log'>('linear', 'log');
const value = fc.double({ min: -1e280, max: 1e280, noNaN: true });

test('an axis holds its values, its ticks lie inside and increase', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 20 }), scale, (values, kind) => {
      const { domain, ticks } = axisOver(values, kind, 6);
      expect(domain[0]).toBeLessThan(domain[1]);
      const floor = kind === 'log' ? 1e-300 : -Infinity;
      const slack = 1e-9 * Math.max(...domain.map(Math.abs));
      for (const drawn of values.filter((x) => isDrawable(x, kind) && x >= floor)) {
        expect(drawn).toBeGreaterThanOrEqual(domain[0] - (kind === 'log' ? 0 : slack));
        expect(drawn).toBeLessThanOrEqual(domain[1] + (kind === 'log' ? 0 : slack));
      }
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(9);
      for (const [index, tick] of ticks.entries()) {
        expect(tick).toBeGreaterThanOrEqual(domain[0]);
        expect(tick).toBeLessThanOrEqual(domain[1]);
        expect(tick).toBeGreaterThan(ticks[index - 1] ?? -Infinity);
      }
    }),
  );
});

test('the ends of float64 are pulled in instead of breaking the axis', () => {
  for (const kind of ['linear', 'log'] as const)
    for (const extreme of [5e-324, 1.79e308]) {
      const { domain } = axisOver([extreme], kind, 6);
      expect(domain.every(Number.isFinite)).toBe(true);
      expect(domain[0]).toBeLessThan(domain[1]);
    }
});
