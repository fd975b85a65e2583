import { expect, test } from 'vitest';
import { columnBytes } from '../../metrics/columnBytes';
import type { GroupRecord } from '../../protocol/trainerApi';
import { keepGroups, keptIterations, nearestIteration, recordAt } from './keptGroups';
import { madeUpGroup } from './testing/madeUpGroup';

/** One step: 1 + 2 + 2 + 2 + 2 + 8 + 8 + 1 = 26 bytes. */
function record(changes: Partial<GroupRecord>): GroupRecord {
  return madeUpGroup([{ agent: 0, rollout: 0, score: 1 }], changes);
}

/** What is kept of one replica after `latest` iterations, with a spike in some of them. */
function keptAfter(latest: number, spikes: readonly number[], maxBytes?: number): number[] {
  let kept: readonly GroupRecord[] = [];
  for (let iteration = 1; iteration <= latest; iteration++) {
    const spikingAgents = spikes.includes(iteration) ? ['router'] : [];
    kept = keepGroups(kept, [record({ iteration, spikingAgents })], maxBytes);
  }
  return kept.map(({ iteration }) => iteration);
}

const upTo = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place);

test('the last 20 iterations stay, every 10th before them, and those with a spike', () => {
  expect(keptAfter(20, [])).toEqual(upTo(1, 20));
  expect(keptAfter(45, [3, 17, 30])).toEqual([3, 10, 17, 20, ...upTo(26, 45)]);
});

test('of an iteration with a spike only the replica that spiked outlives the last 20', () => {
  let kept: readonly GroupRecord[] = [
    record({ iteration: 1, seed: 0, spikingAgents: ['search'] }),
    record({ iteration: 1, seed: 1 }),
  ];
  kept = keepGroups(kept, [record({ iteration: 22 })]);
  expect(kept.map(({ seed, iteration }) => [seed, iteration])).toEqual([
    [0, 1],
    [0, 22],
  ]);
});

test('above the limit spaced iterations go before those with a spike, and those before recent ones; the newest stays', () => {
  expect(columnBytes(record({}))).toBe(26);
  // Without a limit 3, 10, 17, 20 and 26 … 45: 24 records.
  expect(keptAfter(45, [3, 17], 23 * 26)).toEqual([3, 17, 20, ...upTo(26, 45)]);
  expect(keptAfter(45, [3, 17], 21 * 26)).toEqual([17, ...upTo(26, 45)]);
  expect(keptAfter(45, [3, 17], 5 * 26)).toEqual(upTo(41, 45));
  expect(keptAfter(45, [3, 17], 0)).toEqual([45]);
});

test('an iteration without records changes nothing', () => {
  const kept = [record({})];
  expect(keepGroups(kept, [])).toBe(kept);
});

test('a record is found by arm, seed and iteration, or the nearest one is offered', () => {
  const groups = [
    record({ iteration: 2 }),
    record({ iteration: 2, seed: 1 }),
    record({ iteration: 8 }),
  ];
  expect(recordAt(groups, { arm: 'global', seed: 1, iteration: 2 })).toBe(groups[1]);
  expect(recordAt(groups, { arm: 'global', seed: 1, iteration: 8 })).toBeUndefined();
  expect(keptIterations(groups, { arm: 'global', seed: 0 })).toEqual([2, 8]);
  expect(nearestIteration([2, 8], 6)).toBe(8);
  // Equally far: the earlier one.
  expect(nearestIteration([2, 8], 5)).toBe(2);
  expect(nearestIteration([], 5)).toBeNull();
});
