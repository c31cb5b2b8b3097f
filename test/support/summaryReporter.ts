import type { Reporter, TestModule } from 'vitest/node';

/** The part of a test file's result that is counted. */
export interface FileResult {
  passed: number;
  failed: number;
  /** The file could not be loaded, or what it sets up failed. */
  broken: boolean;
}

/** Ends standard output with `N passed, N failed`, for scripts that read the last line. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    process.stdout.write(`${summarise(modules.map(resultOf), unhandled.length)}\n`);
  }
}

/**
 * A file that broke without a failed test counts as one.
 * @param unhandled errors that no test was there to hear of: each counts as a failed test
 */
export function summarise(files: readonly FileResult[], unhandled: number): string {
  const sum = (count: (file: FileResult) => number) =>
    files.reduce((total, file) => total + count(file), 0);
  const failed = sum((file) => (file.broken ? Math.max(1, file.failed) : file.failed));
  return `${String(sum(({ passed }) => passed))} passed, ${String(failed + unhandled)} failed`;
}

function resultOf(module: TestModule): FileResult {
  const states = [...module.children.allTests()].map((test) => test.result().state);
  return {
    passed: states.filter((state) => state === 'passed').length,
    failed: states.filter((state) => state === 'failed').length,
    broken: module.state() === 'failed',
  };
}
