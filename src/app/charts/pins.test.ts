import { expect, test } from 'vitest';
import { seedBand } from '../../metrics/bands';
import { maxPins, pinPlace, pinnedValues, togglePin, unpinNewest } from './pins';

test('a second click takes a pin away, and of more than four the oldest goes', () => {
  expect(togglePin([3, 5], 3)).toEqual([5]);
  const many = [1, 2, 3, 4, 5].reduce<readonly number[]>(togglePin, []);
  expect(many).toEqual([2, 3, 4, 5]);
  expect(many).toHaveLength(maxPins);
});

test('the newest pin of a group of charts goes first, until there is none', () => {
  pinPlace('a', 1);
  pinPlace('a', 2);
  pinPlace('b', 7);
  expect([unpinNewest('a'), unpinNewest('a'), unpinNewest('a')]).toEqual([true, true, false]);
  expect(unpinNewest('b')).toBe(true);
});

/** A line of one seed over iterations 1, 2, … */
function line(values: readonly number[]) {
  const iterations = Int32Array.from(values, (_, index) => index + 1);
  const band = seedBand([{ iterations, values: Float64Array.from(values) }], 'median');
  return { band, x: new Float64Array(iterations), isOrdered: true };
}

test('pins give the values of each line and the difference to the pin before, blank where a line has ended', () => {
  const found = pinnedValues([1, 3], [line([1, 2, 4]), line([7, 8])], { kind: 'iteration' });
  expect(found).toEqual([
    { place: 1, iteration: 1, values: [1, 7], differences: null },
    { place: 3, iteration: 3, values: [4, NaN], differences: [3, NaN] },
  ]);
  expect(pinnedValues([9], [line([1])], { kind: 'iteration' })[0]!.iteration).toBeNull();
});
