import { expect, test } from 'vitest';
import { readRecordOptions } from './recordOptions.mjs';

test('a name alone runs what is missing', () => {
  expect(readRecordOptions(['tour'])).toEqual({ notebook: 'tour', runs: 'missing' });
  expect(readRecordOptions(['all', '--again'])).toEqual({ notebook: 'all', runs: 'all' });
  expect(readRecordOptions(['all', '--no-runs'])).toEqual({ notebook: 'all', runs: 'none' });
  expect(readRecordOptions(['--help'])).toBeNull();
});

test.each([
  [[], '0 notebooks'],
  [['a', 'b'], '2 notebooks'],
  [['a', '--again', '--no-runs'], 'choose one'],
  [['a', '--agian'], '--agian'],
])('%j is refused in words', (args, words) => {
  expect(() => readRecordOptions(args)).toThrow(words);
});
