import { expect, test } from 'vitest';
import { nearestName } from './nearestName';

test.each([
  ['sucess', ['entropy', 'success'], 'success'],
  // One swap (1) is nearer than one insertion and one replacement (2).
  ['abdc', ['abxdcy', 'abcd'], 'abcd'],
  ['GRADNORM', ['gradNorm', 'gradNormMax'], 'gradNorm'],
  ['', ['abc', 'ab'], 'ab'],
  ['b', ['a', 'c'], 'a'],
])('the nearest to "%s" among %j is %s', (name, known, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

test('nothing is near when nothing is known', () => {
  expect(nearestName('a', [])).toBeUndefined();
});

test('a name of a million characters is compared by its beginning', () => {
  expect(nearestName('success'.repeat(150_000), ['entropy', 'success'])).toBe('success');
});
