import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/app/config.js';
import { plainReporter } from '../../../src/embedded/terminalReporter.js';
import { acknowledged } from '../checker/totals.js';
import type { Fault } from '../evidence/evidence.js';
import { describeViolations, lastLine } from '../report/report.js';
import { runChaos, type RunResult } from '../run.js';

/**
 * Each run kills every kind of process, some of them at the same time. A run this short restarts none gracefully and keeps
 * Temporal's store: test/faults/temporalLost.test.ts covers the loss of that store.
 */
const SEEDS = ['half a minute'];
const SECONDS = 28;
const KILLS = 8;
/** Modest: overload is not the subject here. A machine that cannot keep up gets fewer leads at once. */
const RATE = 8;
const OPEN_MAX = 32;
/** A busy machine takes longer to meet as much. */
const UNTIL = { acknowledged: 30, withinMs: 300_000 };
/**
 * For a busy machine. As soon as the faults are over `reconcile` is called, which its schedule would do within two
 * minutes; test/faults/stuck.test.ts shows that the schedule alone is enough.
 */
const SETTLE_TIMEOUT = { ms: 150_000, leavesReservations: true };
const TEST_MS = 900_000;

describe('half a minute of chaos', () => {
  it.each(SEEDS)(
    'loses, doubles and falsifies nothing (seed "%s")',
    async (seed) => {
      const result = await runChaos({
        seed,
        layout: 'together',
        kills: KILLS,
        seconds: SECONDS,
        rate: RATE,
        maxOpen: OPEN_MAX,
        until: UNTIL,
        settleTimeout: SETTLE_TIMEOUT,
        hurries: true,
        cacheDir: readConfig(process.env).cacheDir,
        reporter: plainReporter(() => undefined),
        say: () => undefined,
      });
      if (result.violations.length > 0) throw new Error(accountOf(result));
      expect(lastLine(result)).toMatch(
        /^kills \d+, acknowledged \d+, lost 0, doubled 0, over cap 0, money off 0, false answers 0, undecided 0, crashed 0, untested 0$/,
      );
      expect(acknowledged(result.evidence)).toBeGreaterThanOrEqual(UNTIL.acknowledged);
      expect(result.kills).toBeGreaterThanOrEqual(KILLS);
      expect(killed(result)).toEqual(['delivery', 'intake', 'mongod', 'temporal']);
    },
    TEST_MS,
  );
});

const accountOf = (result: RunResult): string =>
  [...describeViolations(result), `kept in ${result.folder ?? ''}`, lastLine(result)].join('\n');

function killed({ evidence }: RunResult): string[] {
  const kills = evidence.history.filter(
    (event): event is Fault => event.kind === 'fault' && event.type === 'kill',
  );
  return [...new Set(kills.flatMap(({ targets }) => targets))].sort();
}
