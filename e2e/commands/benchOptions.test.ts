import { expect, test } from 'vitest';
import { readBenchOptions } from './benchOptions.mjs';

test('without options: everything, in a browser, on the best adapter there is', () => {
  expect(readBenchOptions([])).toEqual({
    where: 'browser',
    size: 'full',
    adapter: 'auto',
    out: null,
  });
});

test('every option is read', () => {
  expect(
    readBenchOptions(['--node', '--quick', '--adapter', 'swiftshader', '--out', 'a.json']),
  ).toEqual({ where: 'node', size: 'quick', adapter: 'swiftshader', out: 'a.json' });
  expect(readBenchOptions(['--smoke'])?.size).toBe('smoke');
  expect(readBenchOptions(['--estimators'])?.where).toBe('estimators');
  expect(readBenchOptions(['--help'])).toBeNull();
});

test.each([
  [['--quick', '--smoke'], /two sizes/],
  [['--node', '--estimators'], /two benches/],
  [['--adapter', 'vulkan'], /--adapter is "vulkan": expected auto, default, swiftshader/],
  [['--fast'], /Unknown option '--fast'/],
])('%j is refused in one line', (args, reason) => {
  expect(() => readBenchOptions(args)).toThrow(reason);
});
