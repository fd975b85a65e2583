import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawnPositions } from './downsample';

const line = fc
  .array(fc.oneof({ weight: 20, arbitrary: fc.double() }, fc.constantFrom(NaN, Infinity)), {
    minLength: 0,
    maxLength: 2000,
    size: 'max',
  })
  .map((values) => Float64Array.from(values));

test('a line short enough is drawn as it is', () => {
  expect(drawnPositions(new Float64Array(300), new Float64Array(300))).toHaveLength(300);
  expect(drawnPositions(new Float64Array(0), new Float64Array(0))).toEqual([]);
});

test('one spike and one dip among ten thousand flat points survive', () => {
  const values = new Float64Array(10_000).fill(1);
  values[4321] = 50;
  values[8765] = -3;
  expect(drawnPositions(values, values)).toEqual(expect.arrayContaining([0, 4321, 8765, 9999]));
});

test('a bucket keeps its lowest and its highest value', () => {
  // 16 points, 8 drawn: 2 ends + 3 buckets × 2. Buckets hold positions 0–4, 5–9 and 10–15.
  const values = Float64Array.of(5, 1, 9, 5, 5, 5, 5, 0, 5, 8, 5, 5, 7, 5, 2, 5);
  expect(drawnPositions(values, values, 8)).toEqual([0, 1, 2, 7, 9, 12, 14, 15]);
});

test('a band keeps the lowest of its lower and the highest of its upper edge', () => {
  const low = new Float64Array(1000).fill(1);
  const high = new Float64Array(1000).fill(2);
  low[333] = 0.5;
  high[666] = 9;
  expect(drawnPositions(low, high)).toEqual(expect.arrayContaining([333, 666]));
});

test('a value that is not finite stays in, so that the line keeps its gap', () => {
  const values = new Float64Array(5000).fill(1);
  values[2500] = NaN;
  expect(drawnPositions(values, values)).toContain(2500);
});

test('edges of unequal length are refused with both lengths', () => {
  expect(() => drawnPositions(new Float64Array(2), new Float64Array(3))).toThrow(
    /low has 2 values, high 3/,
  );
});

test('at most 300 increasing positions, with both ends and both extremes', () => {
  fc.assert(
    fc.property(line, (values) => {
      const positions = drawnPositions(values, values);
      expect(positions.length).toBeLessThanOrEqual(300);
      expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b));
      const finite = values.filter(Number.isFinite);
      const drawn = positions.map((position) => values[position]!).filter(Number.isFinite);
      expect(drawn.length > 0).toBe(finite.length > 0);
      if (finite.length === 0) return;
      expect(positions.at(-1)).toBe(values.length - 1);
      expect(positions[0]).toBe(0);
      expect(Math.max(...drawn)).toBe(Math.max(...finite));
      expect(Math.min(...drawn)).toBe(Math.min(...finite));
    }),
    { numRuns: 50 },
  );
});
