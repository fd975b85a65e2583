import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mismatch } from './golden/mismatch';
import { lossBalanceWeights } from './lossBalance';

test('an agent that acts three times as often weighs a third per step', () => {
  // 1/n is ⅓, ⅓, ⅓ and 1: mean ½, so ⅔ and 2.
  const weights = lossBalanceWeights(Int32Array.of(0, 0, 0, 0), Int32Array.of(0, 0, 0, 1));
  expect(mismatch(weights, [2 / 3, 2 / 3, 2 / 3, 2], 1e-12)).toBeNull();
});

test('weights have mean 1 and every task and agent has the same total', () => {
  const id = fc.integer({ min: 0, max: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(id, id), { minLength: 1 }), (pairs) => {
      const tasks = Int32Array.from(pairs, ([task]) => task);
      const agents = Int32Array.from(pairs, ([, agent]) => agent);
      const weights = lossBalanceWeights(tasks, agents);
      const totals = new Map<string, number>();
      for (const [step, [task, agent]] of pairs.entries())
        totals.set(`${task}|${agent}`, (totals.get(`${task}|${agent}`) ?? 0) + weights[step]!);
      const share = pairs.length / totals.size;
      expect(mismatch([...totals.values()], Array(totals.size).fill(share), 1e-12)).toBeNull();
    }),
  );
});

test('a step that counts c times weighs as c equal steps do', () => {
  // Agent 0 once, agent 1 once but three times over: n = 1 and 3, mean of 1/n over four ½.
  const [tasks, agents] = [Int32Array.of(0, 0), Int32Array.of(0, 1)];
  const weights = lossBalanceWeights(tasks, agents, Float64Array.of(1, 3));
  expect(mismatch(weights, [2, 2 / 3], 1e-12)).toBeNull();
  const copies = lossBalanceWeights(Int32Array.of(0, 0, 0, 0), Int32Array.of(0, 1, 1, 1));
  expect(mismatch(copies, [2, 2 / 3, 2 / 3, 2 / 3], 1e-12)).toBeNull();
  expect(() => lossBalanceWeights(tasks, agents, Float64Array.of(1))).toThrow(
    'counts has 1 entries, taskIds 2',
  );
});

test('ids of two lengths are refused and no steps need no weights', () => {
  expect(() => lossBalanceWeights(new Int32Array(2), new Int32Array(1))).toThrow(
    'taskIds has 2 entries, agentIds 1',
  );
  expect(lossBalanceWeights(new Int32Array(0), new Int32Array(0))).toHaveLength(0);
});
