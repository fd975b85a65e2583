import { expect, test } from 'vitest';
import { foldIn, keyFromSeed } from '../../rl/rng';
import { drawTask, isRightAnswer, valueOf } from './task';
import { createPlanVocabulary } from './vocabulary';

const sizes = { numSlots: 4, maxSubtasks: 2, toolTurns: 3, numKeys: 4, numValues: 4 };
const ids = createPlanVocabulary(sizes);
const numTasks = 6000;
const tasks = Array.from({ length: numTasks }, (_, i) =>
  drawTask(sizes, ids, foldIn(keyFromSeed(11), i)),
);

/**
 * How many standard errors a count is away from a share of all tasks. Above 4 by chance once in about 16,000 seeds; the
 * seed is fixed.
 */
function standardErrors(count: number, share: number): number {
  return Math.abs(count / numTasks - share) / Math.sqrt((share * (1 - share)) / numTasks);
}

function hiddenSlots(slotTokens: Int32Array): number[] {
  return [...slotTokens.keys()].filter((slot) => ids.isKey(slotTokens[slot] ?? 0));
}

test('the number of hidden slots is uniform on 0 to maxSubtasks', () => {
  const counts = [0, 0, 0, 0, 0];
  for (const { slotTokens } of tasks) counts[hiddenSlots(slotTokens).length]! += 1;
  for (const count of counts.slice(0, 3)) expect(standardErrors(count, 1 / 3)).toBeLessThan(4);
  expect(counts.slice(3)).toEqual([0, 0]);
});

test('each slot is hidden equally often, and so is each pair of slots', () => {
  // E k = 1 of 4 slots: ¼. Two are hidden with probability ⅓, each of the 6 pairs equally often: 1/18.
  for (let slot = 0; slot < 4; slot++) {
    const alone = tasks.filter(({ slotTokens }) => ids.isKey(slotTokens[slot] ?? 0)).length;
    expect(standardErrors(alone, 1 / 4)).toBeLessThan(4);
    for (let other = 0; other < slot; other++) {
      const pair = [other, slot].join();
      const count = tasks.filter(
        ({ slotTokens }) => hiddenSlots(slotTokens).join() === pair,
      ).length;
      expect(standardErrors(count, 1 / 18)).toBeLessThan(4);
    }
  }
});

test('every value is behind a key equally often, whatever the key', () => {
  for (let key = 0; key < 4; key++)
    for (let value = 0; value < 4; value++) {
      const token = ids.firstValue + value;
      const count = tasks.filter(({ tableTokens }) => tableTokens[key] === token).length;
      expect(standardErrors(count, 1 / 4)).toBeLessThan(4);
    }
});

test('an answer is right when known slots are copied and hidden ones looked up', () => {
  const [k, v] = [ids.firstKey, ids.firstValue];
  const task = {
    slotTokens: Int32Array.of(v + 3, k + 1, v, k),
    tableTokens: Int32Array.of(v + 2, v + 1, v, v),
  };
  const right = Int32Array.of(v + 3, v + 1, v, v + 2);
  expect(isRightAnswer(task, ids, right)).toBe(true);
  for (const slot of right.keys()) {
    const value = (right[slot] ?? 0) - v;
    expect(isRightAnswer(task, ids, right.with(slot, v + ((value + 1) % 4)))).toBe(false);
  }
});

test('a token that is no key has no value', () => {
  const task = { slotTokens: Int32Array.of(), tableTokens: Int32Array.of(ids.firstValue) };
  expect(() => valueOf(task, ids, ids.firstKey + 1)).toThrow('no key of a table with 1 keys');
});
