// Run as `vitest --config .ci/vitest.config.mjs`. The tests are built first, and run as they are built: the same
// JavaScript that is shipped, loaded by Node itself.
import { BaseSequencer } from 'vitest/node';
import { defineConfig } from 'vitest/config';

/** The longest, so that no other waits for it alone at the end. */
const FIRST = /\/chaos\/chaos\.test\.js$/;

class LongestFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => FIRST.test(b.moduleId) - FIRST.test(a.moduleId));
  }
}

export default defineConfig({
  test: {
    dir: 'dist/test',
    include: ['**/*.test.js'],
    exclude: [],
    pool: 'forks',
    // The files of a process share what is loaded and compiled: half the time. None leaves anything behind.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['dist/test/support/globalSetup.js'],
    setupFiles: ['dist/test/support/environment.js'],
    reporters: ['default', './dist/test/support/summaryReporter.js'],
    sequence: { sequencer: LongestFirst },
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
