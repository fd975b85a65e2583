import fc from 'fast-check';
import { expect, test } from 'vitest';
import { squareShares, type WeightedAdvantages } from './squareShares';

const steps: WeightedAdvantages = {
  advantages: Float64Array.of(1, -2, 3, 1, 5, 0),
  weights: Float64Array.of(1, 1, 2, 1, 1, 1),
  agentIds: [0, 0, 0, 1, 0, 0],
  isLearned: Uint8Array.of(1, 1, 1, 1, 0, 1),
};

test('an agent’s Σ w·A² is split by group, without others’ steps and those not learned from', () => {
  // Agent 0: group 7 has 1² + (−2)² = 5, group 3 has 2·3² = 18, group 9 has 0. The 5 was not learned from.
  expect(squareShares(steps, [7, 7, 3, 3, 7, 9], 0)).toEqual([
    { id: 3, numSteps: 1, squares: 18, share: 18 / 23, largest: 3 },
    { id: 7, numSteps: 2, squares: 5, share: 5 / 23, largest: 2 },
    { id: 9, numSteps: 1, squares: 0, share: 0, largest: 0 },
  ]);
  expect(squareShares(steps, [7, 7, 3, 3, 7, 9], 2)).toEqual([]);
});

test('without any advantage there are no shares to tell, and equal parts stand in the order of their ids', () => {
  const none = { ...steps, advantages: new Float64Array(6), weights: null };
  const shares = squareShares(none, [2, 1, 2, 0, 0, 0], 0);
  expect(shares.map(({ id, share }) => [id, share])).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
  ]);
});

test('ids of another length are refused', () => {
  expect(() => squareShares(steps, [1], 0)).toThrow('ids has 1 entries, advantages 6');
});

interface MadeUpStep {
  readonly advantage: number;
  readonly id: number;
  readonly agent: number;
}

function sharesOf(list: readonly MadeUpStep[]) {
  return squareShares(
    {
      advantages: Float64Array.from(list, ({ advantage }) => advantage),
      weights: null,
      agentIds: list.map(({ agent }) => agent),
      isLearned: new Uint8Array(list.length).fill(1),
    },
    list.map(({ id }) => id),
    0,
  );
}

test('shares sum to 1 and do not depend on the order of the steps', () => {
  const step = fc.record({
    advantage: fc.integer({ min: -9, max: 9 }),
    id: fc.integer({ min: 0, max: 3 }),
    agent: fc.integer({ min: 0, max: 1 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (list) => {
      const shares = sharesOf(list);
      // Whole numbers: their sums are exact in any order.
      expect(sharesOf(list.toReversed())).toEqual(shares);
      const isAnything = list.some(({ agent, advantage }) => agent === 0 && advantage !== 0);
      const sum = shares.reduce((total, { share }) => total + share, 0);
      expect(sum).toBeCloseTo(isAnything ? 1 : 0, 12);
    }),
  );
});
