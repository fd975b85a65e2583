import { expect, test } from 'vitest';
import type { PolicySpec } from '../config/experimentSpec';
import { defaultPolicy } from '../config/defaults';
import { learningRateAt } from './learningRate';

function ratesOver(schedule: PolicySpec['schedule'], iterations: number): number[] {
  const policy = {
    ...defaultPolicy,
    schedule,
    optimizer: { ...defaultPolicy.optimizer, learningRate: 8 },
  };
  return Array.from({ length: iterations }, (_, index) =>
    learningRateAt(policy, index + 1, iterations),
  );
}

test('a constant schedule with a warm-up of four rises by quarters and stays', () => {
  const rates = ratesOver({ kind: 'constant', warmupIterations: 4, finalFraction: 0 }, 6);
  expect(rates).toEqual([2, 4, 6, 8, 8, 8]);
});

test('a linear decay starts at the full rate and ends at its final share', () => {
  // From 8 to 8 · 1/4 = 2 in three equal steps.
  const rates = ratesOver({ kind: 'linear', warmupIterations: 0, finalFraction: 0.25 }, 4);
  expect(rates).toEqual([8, 6, 4, 2]);
});

test('a linear decay after a warm-up spans the iterations that are left', () => {
  const rates = ratesOver({ kind: 'linear', warmupIterations: 2, finalFraction: 0 }, 5);
  expect(rates).toEqual([4, 8, 8, 4, 0]);
});

test('a cosine decay passes the middle of its range half-way', () => {
  // cos(π/2) = 0, so half-way the rate is 8 · (0.5 + 0.5 · 0.5) = 6.
  const rates = ratesOver({ kind: 'cosine', warmupIterations: 0, finalFraction: 0.5 }, 3);
  expect(rates[0]).toBe(8);
  expect(rates[1]).toBeCloseTo(6, 12);
  expect(rates[2]).toBeCloseTo(4, 12);
});

test('a run of one iteration after its warm-up takes the final share at once', () => {
  expect(ratesOver({ kind: 'linear', warmupIterations: 0, finalFraction: 0.5 }, 1)).toEqual([4]);
});
