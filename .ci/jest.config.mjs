// Run as `jest --config .ci/jest.config.mjs`. The tests are built first, and run as they are built: the same JavaScript
// that is shipped, loaded by Node itself. `TEST_LEVEL` names one of the levels; without it, the files of every level run.
import { env } from 'node:process';
import { LEVELS } from './levels.mjs';

const names = Object.keys(LEVELS);
const level = env.TEST_LEVEL;
if (level && !names.includes(level)) throw new Error(`TEST_LEVEL is one of ${names.join(', ')}.`);

/** `**` and the folders of a level, as patterns of paths; a file of an earlier level belongs to that one. */
const below = (name) => LEVELS[name].folders.map((folder) => `<rootDir>/dist/test/${folder}`);
const earlier = level ? names.slice(0, names.indexOf(level)).flatMap(below) : [];

export default {
  rootDir: '..',
  roots: ['<rootDir>/dist/test'],
  testMatch: (level ? below(level) : ['<rootDir>/dist/test']).map(
    (folder) => `${folder.replace(/\/$/, '')}/**/*.test.js`,
  ),
  testPathIgnorePatterns: earlier.map((folder) => `${folder}/`),
  // The files of a process share what is loaded and compiled: half the time. None leaves anything behind.
  runner: ['<rootDir>/.ci/lightRunner.mjs', { runtime: 'child_process' }],
  maxWorkers: LEVELS[level]?.workers ?? 3,
  transform: {},
  watchman: false,
  globalSetup: '<rootDir>/dist/test/support/globalSetup.js',
  globalTeardown: '<rootDir>/dist/test/support/globalTeardown.js',
  setupFilesAfterEnv: ['<rootDir>/dist/test/support/testGlobals.js'],
  testSequencer: '<rootDir>/.ci/longestFirst.mjs',
  reporters: ['default', '<rootDir>/dist/test/support/summaryReporter.js'],
};
