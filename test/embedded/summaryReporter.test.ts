import { describe, expect, it } from '@jest/globals';
import { summarize } from '../support/summaryReporter.js';

const file = (passed: number, failed: number, broken = failed > 0, skipped: string[] = []) => ({
  passed,
  failed,
  skipped,
  broken,
});

describe('the last line of a test run', () => {
  it('counts the tests, and a file that broke without a failed test as one', () => {
    expect(summarize([file(5, 0), file(2, 1), file(0, 0, true)], 0)).toBe('7 passed, 2 failed');
  });

  it('is preceded by the count and the names of skipped tests', () => {
    const files = [
      file(5, 0, false, ['a shell > is asked']),
      file(1, 0, false, ['a door > opens']),
    ];
    expect(summarize(files, 0)).toBe(
      '2 skipped: a shell > is asked; a door > opens\n6 passed, 0 failed',
    );
  });

  it('counts failures outside of any test', () => {
    expect(summarize([file(5, 0)], 2)).toBe('5 passed, 2 failed');
  });
});
