import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';
import { secondsOf } from './durations.mjs';

/** What starts the service that the files of a process share (`test/support/sharedService.ts`). */
const SHARES = /\bstart(Testbed|ReturnTestbed|PartnerBed|RawScene)\(\)/;

/**
 * The longest first, so that no other waits for it alone at the end; known also on a machine that runs them for the first
 * time. The files that share a service come together, at the end, because it works for nobody between them.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const shares = new Map(tests.map(({ path }) => [path, SHARES.test(readFileSync(path))]));
    return tests.toSorted(
      ({ path: a }, { path: b }) => shares.get(a) - shares.get(b) || secondsOf(b) - secondsOf(a),
    );
  }
}
