/** Pings of the last days, and their counters on links. */
import type { Collections } from '../../../src/app/database.js';
import type { PingDoc } from '../../../src/pings/store/pingDocs.js';
import { aPing } from '../../support/pingBuilders.js';
import { seedPingUpkeep } from './seedPingUpkeep.js';

const HOUR = 3_600_000;
const STATES = ['redeemed', 'expired', 'refused', 'open'] as const;

export async function seedPings(collections: Collections): Promise<void> {
  // By the real clock: MongoDB deletes expired rows by its own.
  const later = new Date(Date.now() + HOUR);
  const times = <T>(count: number, make: (n: number) => T): T[] =>
    Array.from({ length: count }, (_, n) => make(n));
  await collections.pings.insertMany(
    times(1_000, (n): PingDoc =>
      aPing({ _id: `ping-${n}`, state: STATES[n % 4] ?? 'open', forget_at: later }),
    ),
  );
  await seedPingUpkeep(collections);
  await collections.pingCounts.insertMany(
    times(200, (n) => ({
      _id: `buyer:campaign:buyer-${n}:2026-11-21`,
      count: n,
      forget_at: later,
    })),
  );
}
