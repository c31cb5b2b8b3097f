import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/** The longest, so that no other waits for it alone at the end. */
const FIRST = /\/chaos\/runs\//;
/** What starts the service that the files of a process share (`test/support/sharedService.ts`). */
const SHARES = /\bstart(Testbed|ReturnTestbed|PartnerBed|RawScene)\(\)/;

/**
 * The chaos run, then as Jest does: what failed last time, the longest as far as times are known, the largest. The files
 * that share a service come together, at the end, because it works for nobody between them; few of them are long.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = new Map(
      tests.map(({ path }) => [
        path,
        FIRST.test(path) ? 0 : SHARES.test(readFileSync(path)) ? 2 : 1,
      ]),
    );
    return super.sort(tests).toSorted((a, b) => rank.get(a.path) - rank.get(b.path));
  }
}
