import { expect, test } from 'vitest';
import { pacedRevision } from './pacedRevision';

test.each([
  [0, 0],
  [7, 7],
  [10, 10],
  [11, 10],
  [29, 20],
])('while training, revision %d is shown as %d', (latest, shown) => {
  expect(pacedRevision(latest, true)).toBe(shown);
  expect(pacedRevision(latest, false)).toBe(latest);
});
