/** The part of jest's results that is counted. */
export interface RunResults {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    numPassingTests: number;
    numFailingTests: number;
    /** Set when the file itself failed: it could not be loaded, or held no test. */
    testExecError?: unknown;
  }[];
}

/** Ends standard output with `N passed, N failed`, for scripts that read the last line. */
export default class SummaryReporter {
  onRunComplete(_contexts: unknown, results: RunResults): void {
    process.stdout.write(`${summarise(results)}\n`);
  }
}

/** A file that broke before any test ran counts as one failed test. */
export function summarise({ numPassedTests, numFailedTests, testResults }: RunResults): string {
  const broken = testResults.filter(
    (file) =>
      file.testExecError != null && file.numFailingTests === 0 && file.numPassingTests === 0,
  );
  return `${String(numPassedTests)} passed, ${String(numFailedTests + broken.length)} failed`;
}
