import { expect, test } from 'vitest';
import { offerText } from './offerText';

const run = { iteration: 57, iterations: 200 };

test('an offer names the notebook and how far its run came', () => {
  expect(offerText({ title: 'Norms', runs: [run] })).toBe(
    'The notebook “Norms” and its run, 57 of 200 iterations, were kept',
  );
});

test('of several runs it counts them and tells of the latest', () => {
  expect(offerText({ title: '', runs: [run, { iteration: 3, iterations: 3 }] })).toBe(
    'A notebook without a title and its 2 runs, the latest 57 of 200 iterations, were kept',
  );
});

test('a notebook without a run was kept all the same', () => {
  expect(offerText({ title: 'Norms', runs: [] })).toBe('The notebook “Norms” was kept');
});
