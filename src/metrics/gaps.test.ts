import { expect, test } from 'vitest';
import { breaksIn } from './gaps';

test('a metric of every iteration breaks where one is missing', () => {
  expect(breaksIn(Int32Array.of(0, 1, 2, 4, 5, 9))).toEqual([3, 5]);
});

test('a metric of every fifth iteration is one piece, a last point off the beat included', () => {
  expect(breaksIn(Int32Array.of(0, 5, 10, 15, 17))).toEqual([]);
  expect(breaksIn(Int32Array.of(0, 5, 10, 20, 25))).toEqual([3]);
});

test('two points have no usual step yet and stay together', () => {
  expect(breaksIn(Int32Array.of(0, 40))).toEqual([]);
});
