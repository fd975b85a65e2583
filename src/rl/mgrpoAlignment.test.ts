import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mismatch } from './golden/mismatch';
import { alignInvocations, type AlignedInvocations } from './mgrpoAlignment';
import { keyFromSeed, normal } from './rng';

const counts = fc.array(fc.nat(8), { maxLength: 12 }).map((list) => Int32Array.from(list));
const targets = fc.integer({ min: 1, max: 9 });
const seeds = fc.nat(10_000);

const duplicateDrop = (
  numInvocations: Int32Array,
  target: number,
  seed: number,
): AlignedInvocations =>
  alignInvocations(numInvocations, { kind: 'duplicateDrop', target, key: keyFromSeed(seed) });

/** [G] × [d_k] how often each invocation counts. */
function multiplicities(numInvocations: Int32Array, aligned: AlignedInvocations): Float64Array[] {
  const table = Array.from(numInvocations, (count) => new Float64Array(count));
  for (const [sample, invocation] of aligned.invocations.entries())
    if (invocation !== -1)
      table[aligned.rollouts[sample]!]![invocation]! += aligned.weights[sample]!;
  return table;
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

test('whatever the numbers of calls, the batch has G·d samples, d of each rollout that called', () => {
  fc.assert(
    fc.property(counts, targets, seeds, (numInvocations, target, seed) => {
      const aligned = duplicateDrop(numInvocations, target, seed);
      expect(aligned.weights).toHaveLength(numInvocations.length * target);
      const perRollout = multiplicities(numInvocations, aligned).map(sumOf);
      expect(perRollout).toEqual(Array.from(numInvocations, (count) => (count === 0 ? 0 : target)));
    }),
  );
});

test('a rollout with too few calls loses none, one with too many doubles none', () => {
  fc.assert(
    fc.property(counts, targets, seeds, (numInvocations, target, seed) => {
      const aligned = duplicateDrop(numInvocations, target, seed);
      const isFair = multiplicities(numInvocations, aligned).map((own, rollout) =>
        own.every((times) => (numInvocations[rollout]! <= target ? times >= 1 : times <= 1)),
      );
      expect(isFair).toEqual(isFair.map(() => true));
    }),
  );
});

test('the choice for a rollout does not depend on what the others called', () => {
  fc.assert(
    fc.property(counts, counts, seeds, (first, second, seed) => {
      const own = (numInvocations: Int32Array): Int32Array =>
        duplicateDrop(Int32Array.of(6, ...numInvocations), 3, seed).invocations.subarray(0, 3);
      expect(own(first)).toEqual(own(second));
    }),
  );
});

test.each([
  { numInvocations: [1, 2, 5, 3, 0, 8], target: 3 },
  { numInvocations: [4, 4, 4], target: 8 },
  { numInvocations: [8, 7, 1, 1], target: 2 },
])(
  'over 2,000 alignments of $numInvocations to $target a mean over samples is the mean of rollout means, within 3 standard errors',
  ({ numInvocations, target }) => {
    // Any number per invocation will do, such as an entry of its gradient with the advantage held fixed.
    const gradients = numInvocations.map((count, rollout) =>
      Float64Array.from({ length: count }, (_, invocation) => normal([7, rollout], invocation)),
    );
    const rolloutMeans = gradients
      .filter(({ length }) => length > 0)
      .map((own) => sumOf(own) / own.length);
    const expected = rolloutMeans.reduce((sum, mean) => sum + mean, 0) / rolloutMeans.length;
    const draws = Float64Array.from({ length: 2000 }, (_, seed) => {
      const aligned = duplicateDrop(Int32Array.from(numInvocations), target, seed);
      const total = multiplicities(Int32Array.from(numInvocations), aligned).reduce(
        (sum, own, rollout) => sum + sumOf(own.map((times, i) => times * gradients[rollout]![i]!)),
        0,
      );
      return total / sumOf(aligned.weights);
    });
    const mean = sumOf(draws) / draws.length;
    const variance = sumOf(draws.map((value) => (value - mean) ** 2)) / (draws.length - 1);
    expect(variance).toBeGreaterThan(0);
    expect(Math.abs(mean - expected)).toBeLessThan(3 * Math.sqrt(variance / draws.length));
  },
);

test.each([
  { count: 3, target: 2 },
  { count: 8, target: 3 },
  { count: 3, target: 8 },
])(
  'of $count invocations aligned to $target each is expected $target/$count times',
  ({ count, target }) => {
    const numDraws = 3000;
    const sums = new Float64Array(count);
    for (let seed = 0; seed < numDraws; seed++) {
      const numInvocations = Int32Array.of(count);
      const [own] = multiplicities(numInvocations, duplicateDrop(numInvocations, target, seed));
      for (const [invocation, times] of own!.entries()) sums[invocation]! += times;
    }
    // Kept or not: variance p(1 − p) with p = d/d_k. Copies: that of d − d_k draws with p = 1/d_k.
    const p = count > target ? target / count : 1 / count;
    const variance = p * (1 - p) * Math.max(1, target - count);
    const within = 4 * Math.sqrt(variance / numDraws);
    const excess = sums.map((sum) => Math.abs(sum / numDraws - target / count));
    expect(Math.max(...excess)).toBeLessThan(within);
  },
);

test('weights have every invocation once and every rollout that called d times', () => {
  fc.assert(
    fc.property(counts, targets, (numInvocations, target) => {
      const aligned = alignInvocations(numInvocations, { kind: 'weighted', target });
      expect(aligned.weights).toHaveLength(sumOf(Float64Array.from(numInvocations)));
      const perRollout = multiplicities(numInvocations, aligned).map(sumOf);
      const expected = Array.from(numInvocations, (count) => (count === 0 ? 0 : target));
      expect(mismatch(perRollout, expected, 1e-12)).toBeNull();
    }),
  );
});

test('padding makes rollouts of 2, 0 and 1 calls a rectangle of 3 × 2 that counts each call once', () => {
  const aligned = alignInvocations(Int32Array.of(2, 0, 1), { kind: 'padMask' });
  expect([...aligned.rollouts]).toEqual([0, 0, 1, 1, 2, 2]);
  expect([...aligned.invocations]).toEqual([0, 1, -1, -1, 0, -1]);
  expect([...aligned.weights]).toEqual([1, 1, 0, 0, 1, 0]);
  expect([...aligned.groupIds]).toEqual([0, 0, -1, -1, 0, -1]);
});

test('a queue groups consecutive calls across rollouts and keeps back what does not fill a group', () => {
  // Queue: rollout 0 has one call, 1 has none, 2 has four. Groups of two: (0.0 2.0) (2.1 2.2), and 2.3 waits.
  const aligned = alignInvocations(Int32Array.of(1, 0, 4), { kind: 'fifo', groupSize: 2 });
  expect([...aligned.rollouts]).toEqual([0, 2, 2, 2, 2]);
  expect([...aligned.invocations]).toEqual([0, 0, 1, 2, 3]);
  expect([...aligned.groupIds]).toEqual([0, 0, 1, 1, -1]);
  expect([...aligned.weights]).toEqual([1, 1, 1, 1, 0]);
  expect(aligned.numGroups).toBe(2);
});

test('negative counts and targets below one are refused', () => {
  const one = Int32Array.of(1);
  expect(() => alignInvocations(Int32Array.of(1, -1), { kind: 'padMask' })).toThrow(
    'numInvocations[1] is -1',
  );
  expect(() => duplicateDrop(one, 0, 0)).toThrow('target is 0');
  expect(() => alignInvocations(one, { kind: 'weighted', target: 1.5 })).toThrow('target is 1.5');
  expect(() => alignInvocations(one, { kind: 'fifo', groupSize: 0 })).toThrow('groupSize is 0');
});
