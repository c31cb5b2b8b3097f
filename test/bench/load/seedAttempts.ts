/** The days of seeded attempts, as the service would keep them: it takes days before today as already known. */
import { systemClock } from '../../../src/lib/clock.js';
import { advanceAttemptDays, enrollBuyers } from '../../../src/reports/keepAttemptDays.js';
import type { Bench } from '../bench.js';

/** The service works on the buyers at the same time; each buyer has one lease. */
export async function keepSeeded({ collections }: Pick<Bench, 'collections'>): Promise<void> {
  const deps = { collections, clock: systemClock, stopping: () => false };
  await enrollBuyers(deps);
  const anew = { days: null, due_at: systemClock.now() };
  await collections.attemptSpans.updateMany({}, { $set: anew });
  const isLeft = () => collections.attemptSpans.findOne({ due_at: { $lte: inSoon() } });
  while (await isLeft()) await advanceAttemptDays(deps, { withinMs: 1_000 });
}

/** Buyers leased by another process are due when its lease ends. */
const inSoon = (): Date => new Date(Date.now() + 90_000);
