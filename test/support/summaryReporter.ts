import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import type { AggregatedResult, TestContext, TestResult } from '@jest/test-result';

/** The counted part of a test file's result. */
export interface FileResult {
  passed: number;
  failed: number;
  /** Names of the tests that were switched off, or left out by a condition. */
  skipped: readonly string[];
  /** The file could not be loaded, or its process died. */
  broken: boolean;
}

/**
 * Ends standard output with `N passed, N failed`, for scripts that read the last line; if tests were skipped, the
 * line before it counts and names them. If anything failed, Jest's exit code is not 0.
 *
 * It is written when Jest ends: Jest writes a summary of its own after the last test, and a worker process may still
 * die while no test runs in it. No other handler notices that.
 */
export default class SummaryReporter {
  /** Until the run is over, what is missing counts as one failed test. */
  private results: AggregatedResult | null = null;
  private uncaught = 0;

  constructor() {
    process.on('uncaughtException', (error) => {
      this.uncaught += 1;
      process.stderr.write(`${inspect(error)}\n`);
    });
    process.once('exit', () => {
      this.end();
    });
  }

  onRunComplete(_contexts: Set<TestContext>, results: AggregatedResult): void {
    this.results = results;
  }

  private end(): void {
    const files = this.results?.testResults.map(resultOf) ?? [];
    const notRun = this.results ? this.results.numTotalTestSuites - files.length : 1;
    const summary = summarize(files, notRun + this.uncaught);
    // Not by `process.stdout.write`: a Jest reporter replaces it with a buffer, which is lost when a signal ends it.
    Writable.prototype.write.call(process.stdout, `${summary}\n`, 'utf8');
    if (!summary.endsWith(' 0 failed')) process.exitCode = 1;
  }
}

/**
 * A file that broke without a failed test counts as one. Skipped tests have a line of their own, so that the last line
 * keeps its form.
 * @returns one line, or two
 * @param further planned files without a result, and errors outside of any test: each counts as a failed test
 */
export function summarize(files: readonly FileResult[], further: number): string {
  const sum = (count: (file: FileResult) => number) =>
    files.reduce((total, file) => total + count(file), 0);
  const failed = sum((file) => (file.broken ? Math.max(1, file.failed) : file.failed));
  const skipped = files.flatMap((file) => file.skipped);
  const totals = `${String(sum(({ passed }) => passed))} passed, ${String(failed + further)} failed`;
  return skipped.length === 0
    ? totals
    : `${String(skipped.length)} skipped: ${skipped.join('; ')}\n${totals}`;
}

function resultOf({ testResults, testExecError }: TestResult): FileResult {
  const count = (status: string) => testResults.filter((test) => test.status === status).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: testResults
      .filter(({ status }) => status === 'pending')
      .map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' > ')),
    broken: testExecError != null,
  };
}
