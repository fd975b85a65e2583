import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupIndices, pairIndices } from './groupIndices';

test('groups are numbered in order of first appearance', () => {
  expect(groupIndices(Int32Array.of(9, -4, 9, 2, -4))).toEqual({
    indices: Int32Array.of(0, 1, 0, 2, 1),
    numGroups: 3,
  });
});

test('two steps share a pair exactly if they agree in both partitions', () => {
  const tasks = groupIndices(Int32Array.of(5, 5, 6, 5, 6));
  const agents = groupIndices(Int32Array.of(0, 1, 0, 0, 1));
  expect(Array.from(pairIndices(tasks, agents).indices)).toEqual([0, 1, 2, 0, 3]);
});

test('ids far apart are grouped as ids close together are', () => {
  // A spread of 2³¹ takes the Map, small ids take the table.
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (ids) => {
      const near = groupIndices(Int32Array.from(ids));
      const far = groupIndices(Float64Array.from(ids, (id) => id * 1e12 - 3e12));
      expect(far).toEqual(near);
    }),
  );
});

test('equal ids share a group and different ids never do', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -0x80000000, max: 0x7fffffff })), (ids) => {
      const { indices, numGroups } = groupIndices(Int32Array.from(ids));
      expect(numGroups).toBe(new Set(ids).size);
      const pairs = new Set(ids.map((id, step) => `${id}→${indices[step]}`));
      expect(pairs.size).toBe(numGroups);
    }),
  );
});
