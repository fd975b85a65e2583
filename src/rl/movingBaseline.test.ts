import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadRoleBaseline } from './golden/loadAdvantages';
import { mismatch } from './golden/mismatch';
import { movingBaselineAdvantages, roleBaselineAdvantages } from './movingBaseline';

test("advantages against each role's own average agree with an independent implementation", () => {
  const golden = loadRoleBaseline();
  const start = new Float64Array(golden.numAgents);
  const result = roleBaselineAdvantages(start, golden.rewards, golden.decay);
  expect(mismatch(result.advantages, golden.advantages, golden.tolerance)).toBeNull();
  expect(mismatch(result.baselines, golden.baselines, golden.tolerance)).toBeNull();
  expect([...start]).toEqual([0, 0]);
});

const reward = fc.double({ min: -2, max: 2, noNaN: true });
const decays = fc.double({ min: 0, max: 1, noNaN: true });
const entries = fc.array(fc.tuple(reward, fc.nat(2)), { maxLength: 20 });
const rewardsOf = (list: readonly (readonly [number, number])[]) => ({
  rewards: Float64Array.from(list, ([value]) => value),
  agentIds: Int32Array.from(list, ([, agent]) => agent),
});

test('a batch handed over in two parts gives what it gives in one', () => {
  fc.assert(
    fc.property(entries, entries, decays, (first, second, decay) => {
      const start = Float64Array.of(0, 0.5, -1);
      const whole = roleBaselineAdvantages(start, rewardsOf([...first, ...second]), decay);
      const early = roleBaselineAdvantages(start, rewardsOf(first), decay);
      const late = roleBaselineAdvantages(early.baselines, rewardsOf(second), decay);
      expect([...early.advantages, ...late.advantages]).toEqual([...whole.advantages]);
      expect(late.baselines).toEqual(whole.baselines);
    }),
  );
});

test("what the other roles earn changes nothing in a role's advantages", () => {
  fc.assert(
    fc.property(entries, decays, (list, decay) => {
      const start = new Float64Array(3);
      const together = roleBaselineAdvantages(start, rewardsOf(list), decay);
      const own = list.filter(([, agent]) => agent === 1);
      const alone = roleBaselineAdvantages(start, rewardsOf(own), decay);
      const ofRole = together.advantages.filter((_, index) => list[index]![1] === 1);
      expect(ofRole).toEqual(alone.advantages);
    }),
  );
});

test('a role that always earns the same approaches advantage 0 by the decay at each entry', () => {
  // b_n = r(1 − decayⁿ), so A_n = r − b_n = r·decayⁿ: 3, 1.5, 0.75 with decay ½.
  const rewards = { rewards: Float64Array.of(3, 3, 3), agentIds: new Int32Array(3) };
  const { advantages } = roleBaselineAdvantages(Float64Array.of(0), rewards, 0.5);
  expect([...advantages]).toEqual([3, 1.5, 0.75]);
});

test('a reward that is not finite gets 0 and moves no baseline', () => {
  const rewards = { rewards: Float64Array.of(NaN, 1, Infinity), agentIds: new Int32Array(3) };
  const result = roleBaselineAdvantages(Float64Array.of(0.5), rewards, 0.5);
  // 1 − ½, then the baseline ½·½ + ½·1 = ¾.
  expect([...result.advantages]).toEqual([0, 0.5, 0]);
  expect([...result.baselines]).toEqual([0.75]);
  expect(result.numNonFinite).toBe(2);
  const batch = movingBaselineAdvantages(0.5, Float64Array.of(NaN, 1, -Infinity), 0.5);
  expect(batch).toEqual({
    advantages: Float64Array.of(0, 0.5, 0),
    baseline: 0.75,
    numNonFinite: 2,
  });
});

test('a batch is judged by the baseline it found and moves it by its mean', () => {
  // b = 1: 2 − 1, 4 − 1. Then ¾·1 + ¼·3 = 1.5.
  const { advantages, baseline } = movingBaselineAdvantages(1, Float64Array.of(2, 4), 0.75);
  expect([...advantages]).toEqual([1, 3]);
  expect(baseline).toBe(1.5);
});

test('a batch without a finite reward leaves the baseline where it is', () => {
  expect(movingBaselineAdvantages(0.25, new Float64Array(0), 0.9).baseline).toBe(0.25);
  expect(movingBaselineAdvantages(0.25, Float64Array.of(NaN), 0.9).baseline).toBe(0.25);
});

test('a batch of one is one entry of a role', () => {
  fc.assert(
    fc.property(reward, reward, decays, (before, value, decay) => {
      const batch = movingBaselineAdvantages(before, Float64Array.of(value), decay);
      const role = roleBaselineAdvantages(Float64Array.of(before), rewardsOf([[value, 0]]), decay);
      const expected = [role.advantages[0]!, role.baselines[0]!];
      expect(mismatch([batch.advantages[0]!, batch.baseline], expected, 0)).toBeNull();
    }),
  );
});

test('shapes, agents and decays that do not fit are refused', () => {
  const start = Float64Array.of(0);
  const one = rewardsOf([[1, 0]]);
  expect(() => roleBaselineAdvantages(start, { ...one, agentIds: new Int32Array(2) }, 0.9)).toThrow(
    'agentIds has 2 entries, rewards 1',
  );
  expect(() => roleBaselineAdvantages(start, rewardsOf([[1, 1]]), 0.9)).toThrow(
    'agentIds[0] is 1, the baselines are of 1 agents',
  );
  expect(() => roleBaselineAdvantages(start, one, 1.1)).toThrow('decay is 1.1');
  expect(() => movingBaselineAdvantages(0, one.rewards, -0.1)).toThrow('decay is -0.1');
});
