import { writeFileSync } from 'node:fs';
import { DURATIONS } from './durations.mjs';

/** A reporter of Jest: writes how long each file took, in seconds, if the run was one of all files. */
export default class WriteDurations {
  onRunComplete(_contexts, { testResults, numTotalTestSuites }) {
    if (testResults.length < numTotalTestSuites) return;
    const seconds = testResults.map(({ testFilePath, perfStats: { start, end } }) => [
      testFilePath.slice(testFilePath.lastIndexOf('/dist/test/') + 11, -'.js'.length),
      Math.round((end - start) / 100) / 10,
    ]);
    const lines = seconds.toSorted(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(DURATIONS, `${JSON.stringify(Object.fromEntries(lines), null, 2)}\n`);
  }
}
