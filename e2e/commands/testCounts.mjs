/** How many tests passed and failed, from the JSON reports of the test runners. */

/** @typedef {{ passed: number; failed: number; skipped: number }} Counts */

/**
 * A gate without tests of its own: one passed or one failed.
 * @param {number} code exit code
 * @returns {Counts}
 */
export function gateCounts(code) {
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/**
 * A runner that failed without naming a failed test (it crashed, or wrote no report) counts as one failure.
 * @param {number} code exit code
 * @param {Counts} counts
 * @returns {Counts}
 */
function withCrash(code, counts) {
  const isEmpty = counts.passed + counts.failed === 0;
  const hasCrashed = counts.failed === 0 && (code !== 0 || isEmpty);
  return hasCrashed ? { ...counts, failed: 1 } : counts;
}

/** @param {unknown} value */
function countOf(value) {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0;
}

/**
 * @param {unknown} report
 * @returns {Record<string, unknown>}
 */
function recordOf(report) {
  return typeof report === 'object' && report !== null ? { ...report } : {};
}

/**
 * A test file that could not be loaded has no tests in Vitest's report and counts as one failure.
 * @param {number} code exit code
 * @param {unknown} report of Vitest's JSON reporter (Jest's format); null when there is none
 * @returns {Counts}
 */
export function vitestCounts(code, report) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
    recordOf(report);
  const files = Array.isArray(testResults) ? testResults.map(recordOf) : [];
  const brokenFiles = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' &&
      !(
        Array.isArray(assertionResults) &&
        assertionResults.some((assertion) => recordOf(assertion)['status'] === 'failed')
      ),
  );
  return withCrash(code, {
    passed: countOf(numPassedTests),
    failed: countOf(numFailedTests) + brokenFiles.length,
    skipped: countOf(numPendingTests) + countOf(numTodoTests),
  });
}

/**
 * A test that passed only when repeated counts as failed.
 * @param {number} code exit code
 * @param {unknown} report of Playwright's JSON reporter; null when there is none
 * @returns {Counts}
 */
export function playwrightCounts(code, report) {
  const { stats, errors } = recordOf(report);
  const { expected, unexpected, flaky, skipped } = recordOf(stats);
  const numErrors = Array.isArray(errors) ? errors.length : 0;
  return withCrash(code, {
    passed: countOf(expected),
    failed: countOf(unexpected) + countOf(flaky) + numErrors,
    skipped: countOf(skipped),
  });
}
