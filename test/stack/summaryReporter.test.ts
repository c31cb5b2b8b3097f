import { describe, expect, it } from '@jest/globals';
import { summarise } from '../support/summaryReporter.js';

const file = (passing: number, failing: number, testExecError?: unknown) => ({
  numPassingTests: passing,
  numFailingTests: failing,
  testExecError,
});

describe('the last line of a test run', () => {
  it('counts the tests, and a file that broke before any test ran as one failed test', () => {
    const testResults = [file(5, 0), file(2, 1), file(0, 0, new Error('does not load'))];
    const results = { numPassedTests: 7, numFailedTests: 1, testResults };
    expect(summarise(results)).toBe('7 passed, 2 failed');
  });
});
