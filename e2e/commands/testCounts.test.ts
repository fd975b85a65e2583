import { expect, test } from 'vitest';
import { gateCounts, playwrightCounts, vitestCounts } from './testCounts.mjs';

test('a gate counts as one, by its exit code', () => {
  expect(gateCounts(0)).toEqual({ passed: 1, failed: 0, skipped: 0 });
  expect(gateCounts(2)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('Vitest tests count one by one', () => {
  const report = { numPassedTests: 40, numFailedTests: 2, numPendingTests: 1, testResults: [] };
  expect(vitestCounts(1, report)).toEqual({ passed: 40, failed: 2, skipped: 1 });
});

test('a test file that does not load is one failure, although it names no test', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed' }] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ];
  const report = { numPassedTests: 1, numFailedTests: 1, testResults };
  // one failed test and one file that did not load
  expect(vitestCounts(1, report).failed).toBe(2);
});

test('a Playwright test that needed a repetition, and an error outside tests, are failures', () => {
  const report = {
    stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 },
    errors: [{ message: 'global set-up' }],
  };
  // 1 unexpected + 1 flaky + 1 error
  expect(playwrightCounts(1, report)).toEqual({ passed: 5, failed: 3, skipped: 2 });
});

test.each([
  ['a crash without a report', 139, null],
  ['no test found', 0, { numPassedTests: 0, numFailedTests: 0 }],
  ['a failing exit although every named test passed', 1, { numPassedTests: 3, numFailedTests: 0 }],
  ['a report that is no object', 1, 'out of memory'],
])('%s is one failure', (_, code, report) => {
  expect(vitestCounts(code, report).failed).toBe(1);
});

test.each([
  ['a crash without a report', 1, null],
  ['no test found', 0, { stats: { expected: 0 } }],
])('in Playwright %s is one failure', (_, code, report) => {
  expect(playwrightCounts(code, report).failed).toBe(1);
});
