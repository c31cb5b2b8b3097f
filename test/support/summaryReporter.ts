import type { Reporter, TestModule } from 'vitest/node';

/** The part of a test file's result that is counted. */
export interface FileResult {
  passed: number;
  failed: number;
  /** Names of the tests that were switched off, or left out by a condition. */
  skipped: readonly string[];
  /** The file could not be loaded, or what it sets up failed. */
  broken: boolean;
}

/**
 * Ends standard output with `N passed, N failed`, for scripts that read the last line; where tests were skipped, the
 * line before it counts and names them.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    process.stdout.write(`${summarize(modules.map(resultOf), unhandled.length)}\n`);
  }
}

/**
 * A file that broke without a failed test counts as one. What was skipped has a line of its own, so that the last line
 * keeps its form.
 * @returns one line, or two
 * @param unhandled errors that no test was there to hear of: each counts as a failed test
 */
export function summarize(files: readonly FileResult[], unhandled: number): string {
  const sum = (count: (file: FileResult) => number) =>
    files.reduce((total, file) => total + count(file), 0);
  const failed = sum((file) => (file.broken ? Math.max(1, file.failed) : file.failed));
  const skipped = files.flatMap((file) => file.skipped);
  const totals = `${String(sum(({ passed }) => passed))} passed, ${String(failed + unhandled)} failed`;
  return skipped.length === 0
    ? totals
    : `${String(skipped.length)} skipped: ${skipped.join('; ')}\n${totals}`;
}

function resultOf(module: TestModule): FileResult {
  const tests = [...module.children.allTests()];
  const states = tests.map((test) => test.result().state);
  return {
    passed: states.filter((state) => state === 'passed').length,
    failed: states.filter((state) => state === 'failed').length,
    skipped: tests
      .filter((test) => test.result().state === 'skipped')
      .map(({ fullName }) => fullName),
    broken: module.state() === 'failed',
  };
}
