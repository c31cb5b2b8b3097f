// Run as `jest --config .ci/jest.config.mjs`. The tests are built first, and run as they are built: the same JavaScript
// that is shipped, loaded by Node itself.
export default {
  rootDir: '..',
  roots: ['<rootDir>/dist/test'],
  testMatch: ['**/*.test.js'],
  // The files of a process share what is loaded and compiled: half the time. None leaves anything behind.
  runner: ['jest-light-runner', { runtime: 'child_process' }],
  maxWorkers: 3,
  transform: {},
  watchman: false,
  globalSetup: '<rootDir>/dist/test/support/globalSetup.js',
  globalTeardown: '<rootDir>/dist/test/support/globalTeardown.js',
  setupFilesAfterEnv: ['<rootDir>/dist/test/support/testGlobals.js'],
  testSequencer: '<rootDir>/.ci/longestFirst.mjs',
  reporters: ['default', '<rootDir>/dist/test/support/summaryReporter.js'],
};
