import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectRank } from './selectRank';

test('every rank is that of the sorted values', () => {
  const lists = fc.array(fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1, 1, 2)), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(lists, (list) => {
      const sorted = Float64Array.from(list).toSorted();
      for (const [rank, value] of sorted.entries())
        // 0 and −0 are one value in any order.
        expect(selectRank(Float64Array.from(list), rank) + 0).toBe(value + 0);
    }),
  );
});

test('a rank that is not there is refused', () => {
  expect(() => selectRank(Float64Array.of(1, 2), 2)).toThrow(/rank is 2/);
  expect(() => selectRank(new Float64Array(0), 0)).toThrow(RangeError);
});
