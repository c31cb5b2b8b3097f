import type { Reporter } from '../../src/embedded/reporter.js';

const nothing = (): void => undefined;

/** Reports nothing. */
export const silentReporter: Reporter = {
  start: nothing,
  progress: nothing,
  done: nothing,
  fail: nothing,
  info: nothing,
};
