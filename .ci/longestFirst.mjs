import Sequencer from '@jest/test-sequencer';

/** The longest, so that no other waits for it alone at the end. */
const FIRST = /\/chaos\/runs\//;

/** The chaos run, then as Jest does: what failed last time, the longest as far as times are known, the largest. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => FIRST.test(b.path) - FIRST.test(a.path));
  }
}
