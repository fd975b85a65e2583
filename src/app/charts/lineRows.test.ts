import { expect, test } from 'vitest';
import { rowAt } from './lineRows';

const ordered = (...x: number[]) => ({ x: Float64Array.from(x), isOrdered: true });
const iteration = { kind: 'iteration' } as const;
const tokens = { kind: 'tokens' } as const;

test('over iterations the cursor goes by value: a line that logs every third has nothing in between', () => {
  const sparse = ordered(3, 6, 9);
  expect([2, 3, 4, 6, 9, 10].map((x) => rowAt(sparse, x, iteration))).toEqual([
    -1, 0, -1, 1, 2, -1,
  ]);
  expect(rowAt(ordered(), 1, iteration)).toBe(-1);
});

test('over tokens the nearest row does, up to half a step away', () => {
  const line = ordered(100, 200, 300);
  expect([40, 60, 149, 151, 349, 351].map((x) => rowAt(line, x, tokens))).toEqual([
    -1, 0, 0, 1, 2, -1,
  ]);
});

test('where a line comes by several times the last time counts, and rows without a place never do', () => {
  const line = { x: Float64Array.of(0.5, 0.9, NaN, 0.5, 0.1), isOrdered: false };
  const success = { kind: 'metric', metric: 'success' } as const;
  expect([0.5, 0.9, 0.1].map((x) => rowAt(line, x, success))).toEqual([3, 1, 4]);
  // The mean step is 0.8/4: 0.7 is a whole one away from its neighbours.
  expect(rowAt(line, 0.7, success)).toBe(-1);
});
