import { expect, test } from 'vitest';
import { everyDraw } from './golden/draws';
import { assertBootstrapOptions, forEachResample } from './resampling';

test('every draw of two strata comes once, and never leaves its stratum', () => {
  const seen = new Set<string>();
  const draws = everyDraw([2, 3]);
  forEachResample([[1, 2], Float64Array.of(10, 20, 30)], draws, ([first, second]) => {
    expect([...first!].every((value) => value < 3)).toBe(true);
    expect([...second!].every((value) => value > 3)).toBe(true);
    seen.add(`${first!.join()} ${second!.join()}`);
  });
  // 2² · 3³
  expect(draws.numResamples).toBe(108);
  expect(seen.size).toBe(108);
});

test('counters run through the strata of a resample, then on to the next', () => {
  const asked: number[] = [];
  const drawn: number[] = [];
  const uniform = (counter: number): number => {
    asked.push(counter);
    // 0, ¼, ½, ¾ in turn
    return (counter % 4) / 4;
  };
  forEachResample([[5, 6, 7, 8], [9]], { numResamples: 2, uniform }, (resample, index) => {
    drawn.push(index, ...resample.flatMap((stratum) => [...stratum]));
  });
  expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  // Counters 5 … 8 are ¼, ½, ¾, 0.
  expect(drawn).toEqual([0, 5, 6, 7, 8, 9, 1, 6, 7, 8, 5, 9]);
});

test('a level or a number of resamples that means nothing is refused', () => {
  const { uniform } = everyDraw([1]);
  for (const level of [0, 1, -0.5, 95, NaN])
    expect(() => assertBootstrapOptions({ level, numResamples: 10, uniform })).toThrow(
      `level is ${level}: give a share between 0 and 1`,
    );
  for (const numResamples of [0, 1.5, -1, NaN])
    expect(() => assertBootstrapOptions({ level: 0.9, numResamples, uniform })).toThrow(
      `numResamples is ${numResamples}: give a whole number from 1`,
    );
});
