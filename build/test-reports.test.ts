import { expect, test } from 'vitest';
import { readPlaywright, readVitest } from './test-reports.mjs';

test('vitest: cases are counted, a file that does not load is a failure', () => {
  const testResults = [
    {
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'a' },
        { status: 'failed', fullName: 'b' },
        { status: 'todo', fullName: 'c' },
      ],
    },
    { status: 'failed', assertionResults: [] },
    { status: 'passed', assertionResults: [{ status: 'passed', fullName: 'd' }] },
  ];
  expect(readVitest({ testResults })).toEqual({ passed: 2, failed: 2, skipped: ['c (todo)'] });
});

test('playwright: nested suites are counted, flaky and errors outside of tests are failures', () => {
  const skip = { status: 'skipped', annotations: [{ type: 'skip', description: 'needs a tray' }] };
  const suites = [
    {
      specs: [{ title: 'one', tests: [{ status: 'expected' }] }],
      suites: [
        { specs: [{ title: 'two', tests: [{ status: 'flaky' }, { status: 'unexpected' }] }] },
        { specs: [{ title: 'three', tests: [skip] }] },
      ],
    },
  ];
  expect(readPlaywright({ suites, errors: [{ message: 'config' }] })).toEqual({
    passed: 1,
    failed: 3,
    skipped: ['three (needs a tray)'],
  });
});
