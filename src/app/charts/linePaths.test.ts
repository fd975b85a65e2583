import { expect, test } from 'vitest';
import { bandPath, linePath, loneDotsPath } from './linePaths';

// One iteration is 10 px wide; values grow upward from y = 100.
const scale = { x: (x: number) => 10 * x, y: (value: number) => 100 - value };

function point(x: number, center: number | null, isAlone = false) {
  return { x, center, isAlone };
}

test('a line is one piece until a null point, and starts anew after it', () => {
  const points = [point(1, 5), point(2, 6), point(2.5, null), point(3, 7), point(4, 8)];
  expect(linePath(points, scale)).toBe('M10.0 95.0L20.0 94.0M30.0 93.0L40.0 92.0');
});

test('a point without neighbours is a dot', () => {
  expect(loneDotsPath([point(1, 5, true), point(2, null), point(3, 6)], scale)).toBe(
    'M10.0 95.0h0',
  );
});

test('a band goes along its upper edge and back along its lower one, piece by piece', () => {
  const points = [
    { x: 1, range: [1, 5] as const },
    { x: 2, range: [2, 6] as const },
    { x: 2.5, range: null },
    { x: 3, range: [3, 7] as const },
  ];
  expect(bandPath(points, scale)).toBe(
    'M10.0 95.0L20.0 94.0L20.0 98.0L10.0 99.0ZM30.0 93.0L30.0 97.0Z',
  );
});

test('nothing logged is an empty path', () => {
  expect([linePath([], scale), bandPath([], scale), loneDotsPath([], scale)]).toEqual(['', '', '']);
});
