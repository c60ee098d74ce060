// Counts the cases in what vitest and Playwright report. Pure; build/test-reports.test.ts holds the shapes.

/**
 * @typedef {{ passed: number, failed: number, skipped: string[] }} Counts `skipped` names each case and why
 */

/** @param {any} report vitest's JSON report; a file that could not be loaded counts as one failure @returns {Counts} */
export function readVitest(report) {
  const counts = { passed: 0, failed: 0, skipped: [] };
  for (const file of report.testResults) {
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')) counts.failed += 1;
    for (const test of file.assertionResults) {
      if (test.status === 'passed') counts.passed += 1;
      else if (test.status === 'failed') counts.failed += 1;
      else counts.skipped.push(`${test.fullName} (${test.status})`);
    }
  }
  return counts;
}

/** @param {any} report Playwright's JSON report; errors outside of tests count as failures @returns {Counts} */
export function readPlaywright(report) {
  const counts = { passed: 0, failed: report.errors?.length ?? 0, skipped: [] };
  const visit = (suite) => {
    for (const spec of suite.specs ?? []) {
      for (const test of spec.tests) {
        if (test.status === 'expected') counts.passed += 1;
        else if (test.status === 'skipped') counts.skipped.push(`${spec.title} (${reason(test)})`);
        else counts.failed += 1; // unexpected, and flaky: a test that passes only at the second try has failed
      }
    }
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of report.suites ?? []) visit(suite);
  return counts;
}

const reason = (test) => test.annotations?.find((note) => note.type === 'skip')?.description ?? 'no reason given';
