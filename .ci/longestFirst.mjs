import Sequencer from '@jest/test-sequencer';
import { secondsOf } from './durations.mjs';

/** The longest first, so that no other waits for it alone at the end; known also on a machine that runs them for the first time. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return tests.toSorted((a, b) => secondsOf(b.path) - secondsOf(a.path));
  }
}
